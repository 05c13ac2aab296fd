"""CSV: each row stands alone."""

from __future__ import annotations

import pytest

from pipelines.reading import read


def rows(content: str | bytes, name: str = "a.csv") -> list[str]:
    return read(content, name=name).text.split("\n\n")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = f"name{delimiter}city\nAnn{delimiter}Oslo\n"
    assert rows(text) == ["name: Ann; city: Oslo"]


def test_decimal_commas_do_not_part_cells() -> None:
    assert rows("item;price\npen;1,50\nink;2,75\n") == ["item: pen; price: 1,50", "item: ink; price: 2,75"]


def test_the_delimiter_that_excel_names_is_believed() -> None:
    assert rows("sep=;\na;b\n1;2\n") == ["a: 1; b: 2"]


def test_quotes_hold_delimiters_and_line_ends_together() -> None:
    assert rows('a,b\n"x, ""y""","two\nlines"\n') == ['a: x, "y"; b: two lines']


def test_short_and_long_rows_keep_what_they_have() -> None:
    assert rows("a,b\n1\n1,2,3\n\n,,\n") == ["a: 1", "a: 1; b: 2; column 3: 3"]


def test_empty_cells_and_unnamed_columns() -> None:
    assert rows("a,,c\n1,2,\n") == ["a: 1; column 2: 2"]


def test_rows_of_values_without_a_header_stay_values() -> None:
    assert rows("2024,5.5\n2025,6.5\n2026,7.5\n") == ["2024; 5.5", "2025; 6.5", "2026; 7.5"]


def test_years_may_head_columns_of_words() -> None:
    assert rows("2024,2025\ngood,bad\n") == ["2024: good; 2025: bad"]


def test_a_header_alone_is_text() -> None:
    assert rows("name,city\n") == ["name; city"]


def test_tabs_and_utf_16_as_excel_writes_them() -> None:
    assert rows("﻿näme\tcity\nÅse\tOslo\n".encode("utf-16-le"), "a.tsv") == ["näme: Åse; city: Oslo"]


def test_one_column_is_one_value_a_row() -> None:
    assert rows("city\nOslo\nParis, Texas\n") == ["city: Oslo", "city: Paris; column 2: Texas"]
