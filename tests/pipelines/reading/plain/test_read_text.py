"""Plain text: its characters stay, and its blocks are told by its lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.reading import read
from pipelines.reading.plain.blocks import document_blocks, plain_blocks
from pipelines.reading.plain.columns import with_cells
from tests.pipelines.reading.block_checks import assert_blocks_cover, assert_blocks_fit, shown_blocks

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
        ("Prices:\n\na | b\n1 | 2\n3 | 4\n", [("paragraph", 0), ("header", 1), ("row", 1), ("row", 1)]),
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
    assert_blocks_cover(text, document_blocks(text, {}))


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


RULES = """\
             Rules of the Rowing Club (edition 3)

   Edition 3 replaces edition 2.

1. Members

  1.1. Rights

   A member may:
    1. take out any boat that is free;
    2. vote at the general meeting.

  1.2. Fees

    1. The fee is due in March.
    2. Late payers owe 10 percent more.

2. Committee

   The committee has five seats.
"""


def test_numbered_lines_that_stand_alone_are_headings_and_end_the_lists_above_them() -> None:
    assert blocks_of(RULES) == [
        ("heading", 1, "Rules of the Rowing Club (edition 3)"),
        ("paragraph", 0, "Edition 3 replaces edition 2."),
        ("heading", 2, "1. Members"),
        ("heading", 3, "1.1. Rights"),
        ("paragraph", 0, "A member may:"),
        ("item", 1, "1. take out any boat that is free;"),
        ("item", 1, "2. vote at the general meeting."),
        ("heading", 3, "1.2. Fees"),
        ("item", 0, "1. The fee is due in March."),
        ("item", 0, "2. Late payers owe 10 percent more."),
        ("heading", 2, "2. Committee"),
        ("paragraph", 0, "The committee has five seats."),
    ]
    assert read(RULES, name="a.txt").title == "Rules of the Rowing Club (edition 3)"


LONG = "The boats are kept dry and are looked after by those who row in them, whatever the weather may be."
FAR_IN = f"    {LONG}\n" * 3


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (f"BOATS\n\n{LONG}\n\nOARS AND SCULLS\n\n{LONG}\n", ["BOATS", "OARS AND SCULLS"]),
        (f"Looking after boats\n\n{LONG}\n\nWho may row?\n\n{LONG}\n", ["Looking after boats", "Who may row?"]),
        (f"Chapter 2 The boats\n\n{LONG}\n\nAppendix B Forms\n\n{LONG}\n", ["Chapter 2 The boats", "Appendix B Forms"]),
        (f"Boats\n{FAR_IN}\nOars\n{FAR_IN}", ["Boats", "Oars"]),
        (f"2.1 Boats\n{LONG}\n\n2.2 Oars\n{LONG}\n", ["2.1 Boats", "2.2 Oars"]),
        (f"A. Boats\n\n {LONG * 5}\n\nB. Oars\n\n {LONG * 5}\n", ["A. Boats", "B. Oars"]),
        ("1. Boats\n\nThey are dry.\n\n2. Oars\n\nThey are wet.\n", ["1. Boats", "2. Oars"]),
    ],
)
def test_lines_that_stand_out_above_their_text_are_headings(text: str, titles: list[str]) -> None:
    document = read(text, name="a.txt")
    assert [heading.title for heading in document.headings] == titles
    assert document.text == text
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "text",
    [
        "1. Untie the boat\n\n   Both ends.\n\n2. Push off\n\n   Gently.\n",
        "Do this:\n\n1. Untie the boat\n\nBoth ends.\n\n2. Push off\n\nGently.\n",
        f"1. Untie the boat from\n   the jetty\n\n{LONG}\n\n2. Push off\n   gently\n\n{LONG}\n",
        "1.1 Untie it\n1.2 Push off\n1.3 Row\n",
        f"Dear Ann,\n\n{LONG}\n\nKind regards\n\nBen\n",
        f"To: the crew\n\n{LONG}\n\nFrom: the cox\n\n{LONG}\n",
        f"Ann Smith\n\n{LONG}\n",
        f"{LONG}\n\nx = row(2);\n\n{LONG}\n\nhttps://a.example\n\n{LONG}\n",
        "Boat    Seats\n\nHeron   4\n\nSwan    8\n",
        "Roses are red\n\nViolets are blue\n\nBoats are for rowing\n\nAnd so are you\n",
    ],
)
def test_items_greetings_and_rows_are_no_headings(text: str) -> None:
    assert read(text, name="a.txt").headings == ()


def test_names_with_text_further_in_are_definitions() -> None:
    text = """\
These flags are in use:

  red
      The river is closed, to everyone and
      at any hour.

      It is closed by the harbour master.

  yellow
      Beginners stay ashore.

Look before you row.
"""
    assert blocks_of(text) == [
        ("paragraph", 0, "These flags are in use:"),
        ("term", 1, "red"),
        ("definition", 2, "The river is closed, to everyone and\n      at any hour."),
        ("paragraph", 3, "It is closed by the harbour master."),
        ("term", 1, "yellow"),
        ("definition", 2, "Beginners stay ashore."),
        ("paragraph", 0, "Look before you row."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Ann wrote this\n    and then some more.\n\nShe went.\n",  # one alone
        "Run it\n    $ make all\n\nAnd test\n    $ make test\n",
        "Row here:\n    at dawn\n\nRest here:\n    at noon\n",
    ],
)
def test_other_lines_with_text_further_in_are_no_terms(text: str) -> None:
    assert "term" not in [kind for kind, _ in kinds_of(text)]


STOWAGE = """\
Where things are kept:

Oars        boat house, upper rack
Vests       locker 2
First aid   office

All keys are in the office.
"""


def test_columns_that_stand_below_each_other_are_cells() -> None:
    document = read(STOWAGE, name="a.txt")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("paragraph", 0, "Where things are kept:"),
        ("row", 1, "Oars | boat house, upper rack"),
        ("row", 1, "Vests | locker 2"),
        ("row", 1, "First aid | office"),
        ("paragraph", 0, "All keys are in the office."),
    ]


def test_numbers_that_end_below_each_other_are_cells() -> None:
    text = "  Oars        0 euros (lent)\n  Vests     950 euros\n  Paint   1,450 euros a boat\n"
    shown = [text for _, _, text in shown_blocks(read(text, name="a.txt"))]
    assert shown == ["Oars | 0 euros (lent)", "Vests | 950 euros", "Paint | 1,450 euros a boat"]


@pytest.mark.parametrize("rule", ["----    -----", "=============", "----\t-----"])
def test_columns_above_a_rule_are_the_header(rule: str) -> None:
    document = read(f"Boat   Seats\n{rule}\nHeron      4\nSwan      12\n", name="a.txt")
    assert_blocks_fit(document)
    assert [(kind, text) for kind, _, text in shown_blocks(document)] == [
        ("header", "Boat | Seats"),
        ("row", "Heron | 4"),
        ("row", "Swan | 12"),
    ]
    assert rule not in document.text


@pytest.mark.parametrize(
    "text",
    [
        "Boat    Seats\nHeron   4\n",  # two lines alone
        "We row  at dawn,\nand then  we rest,\nand later  we eat.\n",
        # Justified: each line has a gap, and all end in one column.
        "The crews row out to the old pier before it is  light\nand row  home with the tide, which has by then turned\n"
        "twice.  What they took along is eaten out on the pier\n",
        "    x = 1      # one\n    yy = 2     # two\n    zzz = 3    # three\n",
        "- oars      boat house\n- vests     locker 2\n- keys      office\n",
        "-o      oars\n-v      vests\n--keys  keys\n",
    ],
)
def test_other_gaps_part_no_cells(text: str) -> None:
    assert read(text, name="a.txt").text == text


@given(st.text(st.sampled_from("ab1 \n\t-=|.") | st.characters(), max_size=200))
def test_whatever_the_columns_the_lines_stay(text: str) -> None:
    lines = text.split("\n")
    written, tables = with_cells(lines)
    assert [re.sub(r"[\s|=-]", "", line) for line in written] == [re.sub(r"[\s|=-]", "", line) for line in lines]
    assert all(written[number].strip() for table in tables for number in table.rows)


def test_a_section_number_at_the_beginning_of_a_line_is_no_item() -> None:
    text = (
        "The tables are written by mkpot\n(1) or by mkpan(1) at night.\n\n"
        "* When a pot is hot, the lid\n  (8) server opens it.\n* Done."
    )
    assert [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))] == ["paragraph", "item", "item"]


@pytest.mark.parametrize("lead", ["A pot is", "A pot is one of:", "A pot is\n"])
def test_numbers_in_brackets_that_follow_one_another_are_items(lead: str) -> None:
    text = f"{lead}\n(1) red or\n    green\n(2) blue"
    assert [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))] == ["paragraph", "item", "item"]


def test_a_single_number_in_brackets_after_punctuation_or_a_gap_is_an_item() -> None:
    for lead in ("It may be:\n", "It may be\n\n", "It is as said.\n"):
        assert shown_blocks(read(f"{lead}(1) red as the sun", name="a.txt"))[-1][0] == "item"
