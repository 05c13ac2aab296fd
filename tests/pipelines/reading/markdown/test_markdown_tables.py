"""Markdown: tables of one column are lists, and short codes of emojis are signs."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def file(text: str) -> ParsedDocument:
    document = read(text.encode(), name="a.md")
    assert_blocks_fit(document)
    return document


def test_a_table_of_one_column_is_a_list_below_its_header() -> None:
    document = file("# Pots\n\n| Kind |\n| --- |\n| `kettle` |\n| pan<br>iron |\n| |\n\nAll are clean.\n")
    assert shown_blocks(document) == [
        ("heading", 1, "Pots"),
        ("paragraph", 0, "Kind"),
        ("item", 1, "- kettle"),
        ("item", 1, "- pan / iron"),
        ("paragraph", 0, "All are clean."),
    ]
    assert [block.line for block in document.blocks] == [1, 3, 5, 6, 9]


def test_a_table_of_one_column_without_a_name_belongs_to_what_leads_into_it() -> None:
    assert shown_blocks(file("- Pots:\n\n  | |\n  | --- |\n  | kettle |\n")) == [
        ("item", 1, "- Pots:"),
        ("item", 2, "- kettle"),
    ]


def test_a_table_of_two_columns_stays_one_where_a_column_is_empty() -> None:
    kinds = [kind for kind, _, _ in shown_blocks(file("| Pot | Lid |\n| --- | --- |\n| pan | |\n"))]
    assert kinds == ["header", "row"]


def test_short_codes_in_cells_are_the_signs_that_a_reader_sees() -> None:
    rows = file("| Pot | Lid |\n| --- | --- |\n| kettle | :white_check_mark: |\n| pan | :x: |\n").text
    assert rows.split("\n")[1:] == ["kettle | ✅", "pan | ❌"]


@pytest.mark.parametrize("text", ["12:30:45", "pot::x::lid", "a :blue_kettle: b", "a:x:b", "word :x:y"])
def test_other_words_between_colons_stay(text: str) -> None:
    assert file(text).text == text


def test_short_codes_in_code_stay() -> None:
    assert file("Write `:x:` here.\n\n    :x:\n").text == "Write :x: here.\n\n:x:"
