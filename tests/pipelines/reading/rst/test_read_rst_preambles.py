"""reStructuredText with a preamble: its fields are rows, and its title is the document's."""

from __future__ import annotations

import pytest

from pipelines.reading.rst_signs import has_preamble, looks_like_rst
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.rst.rst_samples import rst

PREAMBLE = """\
BIP: 7
Author: Ada,
        Bob
Status:
Title: Numbered
       Berths
Created: 3-May-2024

Abstract
========

Every berth gets a number.
"""


def test_a_preamble_under_any_short_name_gives_the_title() -> None:
    document = rst(PREAMBLE)
    assert document.title == "BIP 7 – Numbered Berths"
    assert shown_blocks(document) == [
        ("heading", 1, "BIP 7 – Numbered Berths"),
        ("row", 1, "Author: Ada, Bob"),
        ("row", 1, "Status:"),
        ("row", 1, "Created: 3-May-2024"),
        ("heading", 2, "Abstract"),
        ("paragraph", 0, "Every berth gets a number."),
    ]


def test_fields_may_be_marked_as_such() -> None:
    document = rst(".. _berths:\n\n:BIP: 7\n:Title: Berths\n:Status: Draft\n\nAbstract\n========\n\nNumbers.\n")
    assert [heading.title for heading in document.headings] == ["BIP 7 – Berths", "Abstract"]
    assert shown_blocks(document)[1] == ("row", 1, "Status: Draft")


def test_a_title_needs_no_number() -> None:
    document = rst(":Author: Ada\n:Title: Berths\n\nAbstract\n========\n\nNumbers.\n")
    assert document.title == "Berths"
    assert shown_blocks(document)[1] == ("row", 1, "Author: Ada")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (":Title: The berths\n:Author: Ada\n\nThe Berths\n==========\n\nNumbers.\n", "The Berths"),
        ("Berths\n======\n\n:Title: Harbour\n\nNumbers.\n", "Berths"),
        (":Author: Ada\n\nBerths\n======\n\nNumbers.\n", "Berths"),
        (":Title:\n\nBerths\n======\n\nNumbers.\n", "Berths"),
    ],
)
def test_other_fields_leave_the_title_to_the_sections(text: str, title: str) -> None:
    document = rst(text)
    assert document.title == title
    assert len(document.headings) == 1


def test_lines_like_fields_that_begin_no_preamble_stay_a_paragraph() -> None:
    assert shown_blocks(rst("ID: 7\nBerth: 3\n\nNumbers.\n"))[0] == ("paragraph", 0, "ID: 7 Berth: 3")


@pytest.mark.parametrize("line", ["Author: Ada\n", "  Ada\n", "Author:\n", "A" * 50, "A:", " \n"])
def test_preambles_without_an_end_are_read_in_time(line: str) -> None:
    assert not looks_like_rst(f"BIP: 7\nAuthor: Ada\n{line * 20_000}")
    assert not has_preamble(f"BIP: 7\nAuthor: Ada\n{line * 20_000}")
