"""Plain text: its characters stay, and its blocks are told by its lines."""

from __future__ import annotations

import pytest
from block_checks import assert_blocks_cover, assert_blocks_fit, shown_blocks
from hypothesis import given
from hypothesis import strategies as st

from pipelines.reading import read
from pipelines.reading.plain import plain_blocks

NOTICE = """\
Moving day
==========

The new office opens on
3 May. Everyone packs:

- desks
- chairs, which are
  stacked
  * in fours
  * or in sixes

  Stacks are labelled.
- lamps

1. Pack.
2. Seal.
   (a) With tape.
   (b) With rope.

Note: lifts are slow.
"""


def blocks_of(text: str) -> list[tuple[str, int, str]]:
    document = read(text, name="a.txt")
    assert document.text == text.replace("==========", "")
    assert_blocks_fit(document)
    return shown_blocks(document)


def kinds_of(text: str) -> list[tuple[str, int]]:
    return [(kind, level) for kind, level, _ in blocks_of(text)]


def test_lists_belong_to_the_paragraph_that_leads_into_them() -> None:
    assert blocks_of(NOTICE) == [
        ("heading", 1, "Moving day"),
        ("paragraph", 0, "The new office opens on\n3 May. Everyone packs:"),
        ("item", 1, "- desks"),
        ("item", 1, "- chairs, which are\n  stacked"),
        ("item", 2, "* in fours"),
        ("item", 2, "* or in sixes"),
        ("paragraph", 2, "Stacks are labelled."),
        ("item", 1, "- lamps"),
        ("item", 1, "1. Pack."),
        ("item", 1, "2. Seal."),
        ("item", 2, "(a) With tape."),
        ("item", 2, "(b) With rope."),
        ("note", 0, "Note: lifts are slow."),
    ]


def test_blocks_know_their_lines() -> None:
    assert [block.line for block in read("One.\n\n\nTwo\nand three.\n- four\n", name="a.txt").blocks] == [1, 4, 6]


def test_a_number_at_the_start_of_a_wrapped_line_is_not_an_item() -> None:
    assert kinds_of("It was sold in the year\n12. of the new era, and\n3) was left out") == [("paragraph", 0)]


def test_lettered_lists_continue_past_h() -> None:
    text = "".join(f"({letter}) point\n" for letter in "ghij")
    assert kinds_of(text) == [("item", 0)] * 4
    assert kinds_of("(a) one\n(i) inner\n(ii) inner\n(b) two") == [("item", 0), ("item", 1), ("item", 1), ("item", 0)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Run this:\n\n$ make all\n$ make test\n\nDone.", [("paragraph", 0), ("code", 1), ("paragraph", 0)]),
        ("Run this:\n\n    x = f(1)\n\n    y = g(x)\n\nDone.", [("paragraph", 0), ("code", 1), ("paragraph", 0)]),
        ("Dear all,\n\n    this letter is set in from the edge.\n", [("paragraph", 0), ("paragraph", 0)]),
        (
            "    All of this\n\n    is set in.\n\n    f(x) = {1};\n",
            [("paragraph", 0), ("paragraph", 0), ("paragraph", 0)],
        ),
        ("> You wrote\n> this.\n\nYes.", [("quote", 0), ("paragraph", 0)]),
        ("Prices:\n\na | b\n--- | ---\n1 | 2\n3 | 4\n", [("paragraph", 0), ("header", 1), ("row", 1), ("row", 1)]),
        ("One | bar in a line\n", [("paragraph", 0)]),
        ("Table 2. Fees\n\nAs Table 2 shows", [("caption", 0), ("paragraph", 0)]),
    ],
)
def test_other_blocks_are_recognised_by_their_form(text: str, kinds: list[tuple[str, int]]) -> None:
    assert kinds_of(text) == kinds


def test_a_line_that_was_never_wrapped_is_a_paragraph_of_its_own() -> None:
    long = "word " * 50
    assert kinds_of(f"{long}\n{long}\nshort\nshort\n") == [("paragraph", 0)] * 3


@given(st.text(st.sampled_from("ab1 \n\t|-*.:()$>") | st.characters(), max_size=200))
def test_whatever_the_text_its_blocks_cover_it(text: str) -> None:
    assert_blocks_cover(text, plain_blocks(text))


def test_underlined_lines_are_headings_and_their_rules_go() -> None:
    document = read("=====\nKettle\n=====\n\nHot.\n\nSafety\n------\nKeep away.\n\nCare\n----\nRinse.\n", name="a.txt")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Kettle"),
        (2, "Safety"),
        (2, "Care"),
    ]
    assert document.title == "Kettle"
    assert "---" not in document.text
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "text",
    ["see below.\n-----\nAnn\n", "Name   Age\n----------\nAnn    5\n", "a first line\nand a second\n------------\n"],
)
def test_other_rules_make_no_headings(text: str) -> None:
    assert read(text, name="a.txt").headings == ()
