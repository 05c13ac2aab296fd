"""CSV: rows below their header."""

from __future__ import annotations

import pytest

from pipelines.errors import EmptyDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def rows(content: str | bytes, name: str = "a.csv") -> list[str]:
    document = read(content, name=name)
    assert_blocks_fit(document)
    return document.text.split("\n")


def kinds_of(content: str) -> list[tuple[str, int, int | None]]:
    return [(block.kind, block.level, block.line) for block in read(content, name="a.csv").blocks]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = f"name{delimiter}city\nAnn{delimiter}Oslo\n"
    assert rows(text) == ["name | city", "Ann | Oslo"]


def test_decimal_commas_do_not_part_cells() -> None:
    assert rows("item;price\npen;1,50\nink;2,75\n") == ["item | price", "pen | 1,50", "ink | 2,75"]


def test_the_delimiter_that_excel_names_is_believed() -> None:
    assert rows("sep=;\na;b\n1;2\n") == ["a | b", "1 | 2"]


def test_quotes_hold_delimiters_and_line_ends_together() -> None:
    assert rows('a,b\n"x, ""y""","two\nlines"\n') == ["a | b", 'x, "y" | two lines']


def test_short_and_long_rows_keep_what_they_have() -> None:
    assert rows("a,b\n1\n1,2,3\n\n,,\n") == ["a | b | column 3", "1", "1 | 2 | 3"]


def test_empty_cells_and_unnamed_columns() -> None:
    assert rows("a,,c\n1,2,\n") == ["a | column 2 | c", "1 | 2"]


def test_rows_of_values_without_a_header_stay_values() -> None:
    assert rows("2024,5.5\n2025,6.5\n2026,7.5\n") == ["2024 | 5.5", "2025 | 6.5", "2026 | 7.5"]


def test_years_may_head_columns_of_words() -> None:
    assert rows("2024,2025\ngood,bad\n") == ["2024 | 2025", "good | bad"]


def test_years_may_head_columns_of_figures() -> None:
    assert kinds_of("port,2019,2020-21\nOst,12,14\nVik,9,11\n")[0][0] == "header"


@pytest.mark.parametrize("content", ["Ida,1989,12\nPer,1992,15\n", "2019,2020\n12,15\n13,18\n", "Ida,1989\nPer,1992\n"])
def test_years_among_values_are_values(content: str) -> None:
    assert kinds_of(content)[0][0] == "row"


def test_remarks_below_the_rows_are_text() -> None:
    assert kinds_of("boat,berth,dues\nHeron,3,40\nTeal,4,38\n\nDues are paid in May.,,\n")[-2:] == [
        ("row", 1, 3),
        ("paragraph", 0, 5),
    ]


def test_rows_with_empty_cells_are_no_remarks() -> None:
    tasks = "task,crew,done\nPaint the north pier red,,\nMend the long blue net,,\nOil the old lock gate,,\n"
    assert [kind for kind, *_ in kinds_of(tasks)] == ["header", "row", "row", "row"]


def test_a_header_alone_is_text() -> None:
    assert rows("name,city\n") == ["name | city"]


def test_tabs_and_utf_16_as_excel_writes_them() -> None:
    assert rows("﻿näme\tcity\nÅse\tOslo\n".encode("utf-16-le"), "a.tsv") == ["näme | city", "Åse | Oslo"]


def test_one_column_is_one_value_a_row() -> None:
    assert rows("city\nOslo\nParis, Texas\n") == ["city | column 2", "Oslo", "Paris | Texas"]


def test_a_single_column_keeps_its_name() -> None:
    assert rows("city\nOslo\nParis\n") == ["city", "Oslo", "Paris"]
    assert [kind for kind, _, _ in kinds_of("city\nOslo\n")] == ["header", "row"]


def test_rows_know_their_lines() -> None:
    assert kinds_of('sep=,\na,b\n"two\nlines",1\n\n3,4\n') == [("header", 1, 2), ("row", 1, 3), ("row", 1, 6)]


def test_a_sign_between_cells_inside_a_cell_moves_no_value_under_another_name() -> None:
    assert rows("a,b\nx | y,2\n") == ["a | b", "x|y | 2"]


def test_titles_above_the_header_are_captions() -> None:
    document = read("Statement 2024\n\nAccount;DE12;\nDate;Amount;Text\n1.2.;5,00;Rent\n2.2.;7,50;Tax\n", name="a.csv")
    assert shown_blocks(document) == [
        ("caption", 0, "Statement 2024"),
        ("caption", 0, "Account: DE12"),
        ("header", 1, "Date | Amount | Text"),
        ("row", 1, "1.2. | 5,00 | Rent"),
        ("row", 1, "2.2. | 7,50 | Tax"),
    ]
    assert [block.line for block in document.blocks] == [1, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "content",
    ["a,b\n1,2,3\n4,5,6\n", ",Colour,Size\nHat,red,big\nCap,blue,small\n", "Name\nAnn,12,home\nBob,13,work\n"],
)
def test_a_short_header_stays_a_header(content: str) -> None:
    assert [kind for kind, _, _ in kinds_of(content)] == ["header", "row", "row"]


@pytest.mark.parametrize("blank", ["\n", " \n", "\t\t\n", "\r\n"])
@pytest.mark.parametrize("count", [1, 199, 200, 1_000])
def test_blank_lines_above_a_table_are_passed_over(blank: str, count: int) -> None:
    document = read(f"{blank * count}name;price\npen;1,50\n", name="a.csv")
    assert document.text == "name | price\npen | 1,50"
    assert [block.line for block in document.blocks] == [count + 1, count + 2]


def test_a_first_cell_that_is_empty_stays_one_below_blank_lines() -> None:
    assert rows("\n\n\tRed\tBlue\nHat\t1\t2\n", "a.tsv") == ["column 1 | Red | Blue", "Hat | 1 | 2"]


def test_a_file_of_blanks_alone_holds_no_text() -> None:
    with pytest.raises(EmptyDocument):
        read("\u00a0\n".encode(), name="a.csv")
