"""Old Excel workbooks: sheets as tables with headers, and values as they are shown."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.office.compound_files import compound, workbook

PRICES = workbook({"Prices": [["Item", "Price", "Since"], ["Lamp", 12.5, (45292.0, "date")], ["Desk", 200.0, None]]})


def test_a_sheet_is_a_heading_and_a_table_with_its_header() -> None:
    document = read(PRICES, name="prices.xls")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Prices"),
        ("header", 1, "Item | Price | Since"),
        ("row", 1, "Lamp | 12.5 | 2024-01-01"),
        ("row", 1, "Desk | 200"),
    ]
    assert document.media_type == "application/vnd.ms-excel"


def test_values_are_as_the_sheet_shows_them() -> None:
    moments = [(45292.5, "date"), (0.25, "date"), (1e9, "date")]
    book = workbook({"a": [["x", "y", "z"], [(0.075, "percent"), True, 1 / 3], moments]})
    assert read(book, name="a.xls").text.endswith(
        "7.5% | TRUE | 0.333333333333333\n2024-01-01 12:00:00 | 06:00:00 | 1000000000"
    )


def test_a_length_of_time_is_shown_in_hours_also_beyond_a_day() -> None:
    lengths = [(1.25, "duration"), (0.25, "duration"), (61 / 86400, "duration"), (1e300, "duration")]
    assert read(workbook({"a": [lengths]}), name="a.xls").text.endswith("30:00:00 | 6:00:00 | 0:01:01 | 1e+300")


def test_rows_of_one_cell_above_a_table_are_its_title() -> None:
    book = workbook(
        {"a": [["Prices of 2024"], ["Item", "Price"], ["Lamp", 12.5], [], ["Contact", "Ann"], ["Phone", 123.0]]}
    )
    document = read(book, name="a.xls")
    assert_blocks_fit(document)
    assert [kind for kind, _, _ in shown_blocks(document)] == ["heading", "caption", "header", "row", "header", "row"]


def test_remarks_above_a_table_do_not_name_its_columns() -> None:
    book = workbook(
        {"a": [["Read", "", "first"], ["Item", "Price", "Left"], ["Lamp", 12.5, 3.0], ["Desk", 200.0, 1.0]]}
    )
    kinds = [(kind, text) for kind, _, text in shown_blocks(read(book, name="a.xls"))]
    assert kinds[1:3] == [("caption", "Read first"), ("header", "Item | Price | Left")]


def test_a_first_row_with_numbers_is_not_a_header() -> None:
    document = read(workbook({"a": [["Lamp", 12.5], ["Desk", 200.0]]}), name="a.xls")
    assert [kind for kind, _, _ in shown_blocks(document)] == ["heading", "row", "row"]


def test_hidden_and_empty_sheets_are_left_out() -> None:
    book = workbook({"Seen": [["a", "b"]], "Notes": [["secret", "x"]], "Empty": []}, hidden=["Notes"])
    assert read(book, name="a.xls").text == "Seen\n\na | b"


def test_nameless_bytes_are_recognised() -> None:
    assert read(PRICES, media_type="application/vnd.ms-excel").media_type == "application/vnd.ms-excel"


def test_another_compound_file_is_named() -> None:
    with pytest.raises(CorruptDocument, match="another program"):
        read(compound({"WordDocument": b"x"}), name="a.xls")
    with pytest.raises(CorruptDocument, match="it is MSG"):
        read(compound({"__properties_version1.0": b"x"}), name="a.xls")


@pytest.mark.parametrize("kept", [600, 3000, len(PRICES) // 2, len(PRICES) - 1000])
def test_a_workbook_that_was_cut_off_is_refused(kept: int) -> None:
    with pytest.raises(CorruptDocument):
        read(PRICES[:kept], name="a.xls")


def test_a_workbook_with_a_password_is_reported() -> None:
    locked = PRICES.replace(b"\x42\x00\x02\x00\xb0\x04", b"\x2f\x00\x02\x00\xb0\x04")
    with pytest.raises(EncryptedDocument):
        read(locked, name="a.xls")


def test_tables_beside_each_other_are_two_tables() -> None:
    rows = [["Quay", "Boats", "", "Lesson", "Price"], ["North", 12.0, "", "Knots", 20.0]]
    rows += [["South", 8.0, "", "Charts", 35.0], ["West", 5.0, "", "", ""]]
    document = read(workbook({"a": rows}), name="a.xls")
    assert_blocks_fit(document)
    assert [text for kind, _, text in shown_blocks(document) if kind == "header"] == ["Quay | Boats", "Lesson | Price"]
