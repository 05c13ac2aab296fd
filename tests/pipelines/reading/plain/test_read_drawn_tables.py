"""Tables that are drawn with lines in plain text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.reading import read
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.reading.plain.drawn import with_drawn_cells
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

GRID = """\
Our boats:

  +-------+--------+-----------------+
  | Boat  | Length | Skipper         |
  +=======+========+=================+
  | Heron | 12 m   | Ida Lund        |
  +-------+--------+-----------------+
  | Swan  | 14 m   | Ole Berg, who   |
  |       |        | sails on Sunday |
  +-------+--------+-----------------+

The rest is lent.
"""
CLIENT = """\
+-------+-------+
| boat  | seats |
+-------+-------+
| Heron |     4 |
|       |     9 |
| Swan  |    12 |
+-------+-------+
3 rows in set
"""
PIPES = "| boat | seats |\n|:-----|------:|\n| Heron | 4 |\n| Swan | 12 |\n"
BARE = " boat  | seats\n-------+-------\n Heron |     4\n Swan  |    12\n(2 rows)\n"


def table_in(text: str) -> list[tuple[str, str]]:
    document = read(text, name="boats.txt")
    assert_blocks_fit(document)
    assert not re.search(r"-{2}|={2}|\+", document.text)
    return [(kind, shown) for kind, _, shown in shown_blocks(document)]


def test_a_row_in_a_box_may_be_several_lines_high() -> None:
    assert table_in(GRID) == [
        ("paragraph", "Our boats:"),
        ("header", "Boat | Length | Skipper"),
        ("row", "Heron | 12 m | Ida Lund"),
        ("row", "Swan | 14 m | Ole Berg, who sails on Sunday"),
        ("paragraph", "The rest is lent."),
    ]


def test_a_table_belongs_to_the_paragraph_that_leads_into_it_and_blocks_know_their_lines() -> None:
    blocks = read(GRID, name="boats.txt").blocks
    assert [(block.level, block.line) for block in blocks] == [(0, 1), (1, 4), (1, 6), (1, 8), (0, 12)]


def test_without_rules_between_them_each_line_in_a_box_is_a_row() -> None:
    assert table_in(CLIENT) == [
        ("header", "boat | seats"),
        ("row", "Heron | 4"),
        ("row", " | 9"),
        ("row", "Swan | 12"),
        ("paragraph", "3 rows in set"),
    ]


@pytest.mark.parametrize(("text", "end"), [(PIPES, []), (BARE, [("paragraph", "(2 rows)")])])
def test_a_rule_below_the_first_row_makes_a_table(text: str, end: list[tuple[str, str]]) -> None:
    assert table_in(text) == [("header", "boat | seats"), ("row", "Heron | 4"), ("row", "Swan | 12"), *end]


@pytest.mark.parametrize(
    "text",
    [
        "+------------------+\n| KEEP OFF THE ICE |\n+------------------+\n",  # a notice
        "+-------+      +------+\n| Heron | ---> | Swan |\n+-------+      +------+\n",  # a drawing
        "+-+-+-+-+\n| a | b |\n+-+-+-+-+\n|   c   |\n+-+-+-+-+\n",  # the layout of a packet
        "+-----+-----+\n| a   | b   |\n| 1   | 2   |\n",  # never closed
        "cat boats | sort\n----------\ncat boats | uniq\n",  # one rule for two cells
    ],
)
def test_other_lines_are_no_table(text: str) -> None:
    assert with_drawn_cells(text.split("\n")) == (text.split("\n"), [])


def test_rows_in_a_message_do_not_show_the_rule() -> None:
    text = "Seats:\n\nboat  | seats\n----- | -----\nHeron | 4\nSwan  | 12\n"
    shown = [text[block.span.start : block.span.end] for block in plain_blocks(text)]
    assert shown == ["Seats:", "boat  | seats", "Heron | 4", "Swan  | 12"]


@given(st.text(st.sampled_from("ab1 \n|-=+"), max_size=200))
def test_whatever_is_drawn_no_word_is_lost(text: str) -> None:
    written, _ = with_drawn_cells(text.split("\n"))
    assert sorted(re.findall(r"\w", "".join(written))) == sorted(re.findall(r"\w", text))
    assert len(written) == len(text.split("\n"))
    assert_blocks_fit(read(f"x{text}", name="boats.txt"))
