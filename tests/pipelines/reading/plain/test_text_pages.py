"""Plain text as the IETF publishes it: two blanks behind the numbers of sections, and pages with feet and heads."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

MEMO = """\
Harbour Board                                                 A. Lindgren


                        How Boats Are Berthed

Abstract

   This memo tells where boats lie in the harbour, how long they may
   stay there, and what their crews pay for it.  It replaces the memo
   of last year.  Boats of the club are not concerned: they have
   berths of their own.

Table of Contents

   1.  Introduction . . . . . . . . . . . . . . . . . . . . . . . .  1
   2.  Berths . . . . . . . . . . . . . . . . . . . . . . . . . . .  1
     2.1.  Guests . . . . . . . . . . . . . . . . . . . . . . . . .  2

1.  Introduction

   The harbour has forty berths along two quays.  The inner quay is
   for boats of the club, the outer one for guests.  A third one will
   be built next year, when the slipway is finished.




Lindgren                     Informational                      [Page 1]
\f
Memo 3                   How Boats Are Berthed                  May 2024


2.  Berths

2.1.  Guests

   Guests lie at the outer quay, and pay before they leave.  They may
   stay for a week, or for two if there is room.

Appendix A.  Fees

   A night costs 12 euros.



Lindgren                     Informational                      [Page 2]
"""


def test_numbers_of_sections_may_stand_apart_from_their_titles() -> None:
    document = read(MEMO, name="memo.txt")
    assert_blocks_fit(document)
    levels = {heading.title: heading.level for heading in document.headings}
    assert list(levels) == [
        "Abstract", "Table of Contents", "1. Introduction", "2. Berths", "2.1. Guests", "Appendix A. Fees",
    ]  # fmt: skip
    assert levels["1. Introduction"] == levels["2. Berths"] == levels["Table of Contents"] < levels["2.1. Guests"]


def test_feet_and_heads_of_pages_are_left_out() -> None:
    shown = " ".join(text for _, _, text in shown_blocks(read(MEMO, name="memo.txt")))
    assert "[Page" not in shown
    assert "May 2024" not in shown
    assert "A. Lindgren" in shown


@pytest.mark.parametrize(
    "foot",
    [
        "Lindgren         Informational       [Page 7]",
        "Lindgren         Informational       [Page two]",
        "See [Page 2]",
    ],
)
def test_lines_that_count_no_pages_stay(foot: str) -> None:
    text = MEMO.replace("Lindgren                     Informational                      [Page 2]", foot)
    shown = " ".join(text for _, _, text in shown_blocks(read(text, name="memo.txt")))
    assert foot in shown
    assert "May 2024" in shown


def test_lines_below_the_feet_that_differ_stay() -> None:
    third = "\n\nMemo 4      How Boats Are Moored      May 2024\n\nText.\n\nLindgren     Informational     [Page 3]\n"
    shown = " ".join(text for _, _, text in shown_blocks(read(MEMO + third, name="memo.txt")))
    assert "How Boats Are Moored" in shown
    assert "[Page" not in shown


@pytest.mark.parametrize(
    "text", ["1.      Heron\n\nA boat.\n\n2.      Swan\n\nA boat.\n", "4  Heron\n\nA.\n\n8  Swan\n\nB.\n"]
)
def test_numbers_with_wide_gaps_behind_them_are_rows(text: str) -> None:
    assert read(text, name="a.txt").headings == ()
