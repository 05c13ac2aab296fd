"""Workbooks: sheets as headings, rows as tables, values as people see them."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart

from pipelines.errors import EmptyDocument
from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import archive


def saved(book: Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def sheet(*rows: tuple[Any, ...], merged: tuple[str, ...] = ()) -> ParsedDocument:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    for cells in merged:
        book.worksheets[0].merge_cells(cells)
    document = read(saved(book), name="a.xlsx")
    assert_blocks_fit(document)
    return document


def test_each_visible_sheet_is_a_heading_over_its_table() -> None:
    book = Workbook()
    first = book.worksheets[0]
    first.title = "Staff"
    first.append(["Name", "Age"])
    first.append(["Ann", 30])
    book.create_sheet("Empty")
    book.create_sheet("Hidden").append(["secret"])
    book["Hidden"].sheet_state = "hidden"
    book.create_sheet("Notes").append(["Only one"])
    document = read(saved(book), name="a.xlsx")
    assert document.text == "Staff\n\nName | Age\nAnn | 30\n\nNotes\n\nOnly one"
    assert [(heading.title, heading.start) for heading in document.headings] == [
        ("Staff", 0),
        ("Notes", document.text.index("Notes")),
    ]
    assert document.title is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (date(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, 9, 30), "2024-03-01 09:30:00"),
        (time(9, 30), "09:30:00"),
        (timedelta(hours=30), "30:00:00"),
        (timedelta(minutes=-90), "-1:30:00"),
        (timedelta(minutes=1, seconds=2, milliseconds=500), "0:01:02.500000"),
        (0.1 + 0.2, "0.3"),
        (3.0, "3"),
        (12345678901, "12345678901"),
        (True, "TRUE"),
        ("a | b\nc", "a|b c"),
        ("#N/A", ""),
        (None, ""),
    ],
)
def test_values_look_as_they_do_in_the_sheet(value: object, shown: str) -> None:
    assert sheet(("Key", "Value"), ("x", value), ("y", "z")).text.split("\n")[3] == f"x | {shown}".removesuffix(" | ")


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [
        ("0.0%", "12.5%"),
        ("0.0%_)", "12.5%"),
        ("0.0%;[Red]-0.0%", "12.5%"),
        ("0.00\\ %", "12.50%"),
        ('0%;-0%;"-"', "12%"),
        ('0.0" % of all"', "0.125 % of all"),
        ('0.0;"0%"', "0.125"),
        ("[<1]0.0%;0", "0.125"),
    ],
)
def test_percentages_are_percentages(number_format: str, shown: str) -> None:
    book = Workbook()
    book.worksheets[0].append(["Rate", "Kind"])
    book.worksheets[0].append([0.125, "x"])
    book.worksheets[0]["A2"].number_format = number_format
    assert f"{shown} | x" in read(saved(book), name="a.xlsx").text


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1500000, '0.0,,"M"', "1.5 M"),
        (-1234567, '#,##0.0,,"M"', "-1.234567 M"),
        (2000000, '0,,"M"', "2 M"),
        (1500, "[$€-407]0.0,\\K;-[$€-407]0.0,\\K", "€1.5 K"),
        (1500000, "#,##0,", "1500"),
        (1500, "0,.0", "1.5"),
        (1500000, '#,##0" EUR"', "1500000 EUR"),
        (1500, '0", "0', "1500 ,"),
        (1500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "1500"),
        (1500, '[>=1000]#,##0" EUR";0" EUR"', "1500 EUR"),
        (0, '0.0,,"M"', "0 M"),
    ],
)
def test_a_number_is_divided_by_a_thousand_for_each_comma_behind_it(
    value: float, number_format: str, shown: str
) -> None:
    book = Workbook()
    book.worksheets[0].append([value, "x"])
    book.worksheets[0]["A1"].number_format = number_format
    assert read(saved(book), name="a.xlsx").text == f"Sheet\n\n{shown} | x"


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [
        ('#,##0.00 "EUR"', "1234.50 EUR"),
        ("[$€-407]#,##0.00;[Red]-[$€-407]#,##0.00", "€1234.50"),
        ('_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$1234.50"),
        ('_-* #,##0.00\\ "kg"_-', "1234.50 kg"),
        ("#,##0.00", "1234.50"),
        ("#,##0_);(#,##0)", "1234.5"),
        ("General", "1234.5"),
    ],
)
def test_a_number_is_shown_with_its_unit(number_format: str, shown: str) -> None:
    book = Workbook()
    book.worksheets[0].append([1234.5, -1234.5])
    for cell in ("A1", "B1"):
        book.worksheets[0][cell].number_format = number_format
    assert read(saved(book), name="a.xlsx").text == f"Sheet\n\n{shown} | -{shown}"


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (18.9, "$#,##0.00", "$18.90"),
        (18, '0.00" EUR"', "18.00 EUR"),
        (18.125, "0.00", "18.125"),
        (123, "00000", "00123"),
        (7, "0", "7"),
        (0.5, "# ?/?", "0.5"),
        (1e20, "0.00", "1e+20"),
        (-18.9, "#,##0.00_);(#,##0.00)", "-18.90"),
        (18.9, "0.0#", "18.9"),
    ],
)
def test_a_number_keeps_the_zeros_that_the_sheet_shows(value: float, number_format: str, shown: str) -> None:
    book = Workbook()
    book.worksheets[0].append([value, "x"])
    book.worksheets[0]["A1"].number_format = number_format
    assert read(saved(book), name="a.xlsx").text == f"Sheet\n\n{shown} | x"


def test_titles_above_a_table_are_its_captions() -> None:
    document = sheet(
        ("Report 2024",), (), ("In euros", None, None, None, "January"),
        (None, "Sales", "Profit", "Rent", "Tax", "Left"), (),
        ("Ulm", 1, 2, 3, 4, 5), ("Köln", 4, 5, 6, 7, 8), (), ("Bonn", 7, 8, 9, 1, 2), (), ("(a) without tax",),
    )  # fmt: skip
    assert shown_blocks(document) == [
        ("heading", 1, "Sheet"),
        ("caption", 0, "Report 2024"),
        ("caption", 0, "In euros January"),
        ("header", 1, " | Sales | Profit | Rent | Tax | Left"),
        ("row", 1, "Ulm | 1 | 2 | 3 | 4 | 5"),
        ("row", 1, "Köln | 4 | 5 | 6 | 7 | 8"),
        ("row", 1, "Bonn | 7 | 8 | 9 | 1 | 2"),
        ("paragraph", 0, "(a) without tax"),
    ]


def test_remarks_scattered_above_a_table_do_not_name_its_columns() -> None:
    document = sheet(
        ("Read", "this", None, "first"), ("and", None, None, "that"),
        ("Name", "Trade", "Age", "Born"), ("Ann", "baker", 69, "1947-01-08"), ("Bob", "smith", 60, "1956-10-21"),
    )  # fmt: skip
    assert [(kind, text) for kind, _, text in shown_blocks(document)][1:4] == [
        ("caption", "Read this first"),
        ("caption", "and that"),
        ("header", "Name | Trade | Age | Born"),
    ]


def test_a_header_with_an_empty_corner_stays_above_rows_of_words() -> None:
    document = sheet((None, "Mon", "Tue"), ("9 am", "Maths", "Art"), ("Room", "A", "B"), ("Seats", 30, 20))
    assert shown_blocks(document)[1] == ("header", 1, " | Mon | Tue")


def test_a_value_that_spans_rows_stands_in_each() -> None:
    rows = (("Region", "Month", "Fee"), ("EU", "May", 1), (None, "June", 2), (None, "July", 3), ("US", "May", 4))
    assert sheet(*rows, merged=("A2:A4",)).text == (
        "Sheet\n\nRegion | Month | Fee\nEU | May | 1\nEU | June | 2\nEU | July | 3\nUS | May | 4"
    )


@pytest.mark.parametrize(
    ("groups", "names", "merged"),
    [
        (("Region", "2023", None, "2024"), (None, "Q1", "Q2", "Q1", "Q2"), ("A3:A4", "B3:C3", "D3:E3")),
        ((None, "2023", None, "2024"), ("Region", "Q1", "Q2", "Q1", "Q2"), ("B3:C3", "D3:E3")),
    ],
)
def test_a_header_of_two_rows_names_each_column_by_its_group(
    groups: tuple[Any, ...], names: tuple[Any, ...], merged: tuple[str, ...]
) -> None:
    document = sheet(
        ("Fees by quarter",), (), groups, names, ("EU", 1, 2, 3, 4), ("US", 5, 6, 7, 8), merged=("A1:E1", *merged)
    )
    assert shown_blocks(document)[1:3] == [
        ("caption", 0, "Fees by quarter"),
        ("header", 1, "Region | 2023: Q1 | 2023: Q2 | 2024: Q1 | 2024: Q2"),
    ]


def test_a_title_over_all_columns_stays_a_title() -> None:
    document = sheet(("Fees", None, None), ("Region", "Low", "High"), ("EU", 1, 2), ("US", 3, 4), merged=("A1:C1",))
    assert document.text == "Sheet\n\nFees\n\nRegion | Low | High\nEU | 1 | 2\nUS | 3 | 4"


def test_a_value_that_spans_columns_stands_in_each() -> None:
    rows = (("Boat", "Mon", "Tue", "Wed"), ("Heron", "Ida", None, "Per"), ("Teal", "on the slip", None, None))
    document = sheet(*rows, ("Spare crew", None, None, None), merged=("B2:C2", "B3:D3", "A4:D4"))
    assert document.text == (
        "Sheet\n\nBoat | Mon | Tue | Wed\nHeron | Ida | Ida | Per\n"
        "Teal | on the slip | on the slip | on the slip\nSpare crew"
    )


def test_a_value_does_not_stand_under_columns_without_a_name() -> None:
    rows = (("Boat", "Skipper", None, "Berth"), ("Heron", "Ida Fjeld", None, 3), ("Teal", "Per Lie", None, 4))
    assert sheet(*rows, merged=("B1:C1", "B2:C2", "B3:C3")).text == (
        "Sheet\n\nBoat | Skipper | Berth\nHeron | Ida Fjeld | 3\nTeal | Per Lie | 4"
    )


def test_a_section_behind_a_gap_belongs_to_the_table_above_it() -> None:
    groups, names = (None, "2023", None, "2024", None), ("Dues", "plan", "paid", "plan", "paid")
    north = (("North quay",), ("Berths", 40, 38, 44, 41), ("Power", 9, 8, 9, 7), ())
    south = (("South quay",), ("Berths", 20, 21, 22, 19), ("Power", 5, 5, 6, 5))
    document = sheet(groups, names, *north, *south, merged=("B1:C1", "D1:E1"))
    kinds = [(kind, text) for kind, _, text in shown_blocks(document)]
    assert kinds[1] == ("header", "Dues | 2023: plan | 2023: paid | 2024: plan | 2024: paid")
    assert kinds[5:7] == [("row", "South quay"), ("row", "Berths | 20 | 21 | 22 | 19")]


def test_rows_of_other_columns_behind_a_gap_are_another_table() -> None:
    first = (("Boat", "Berth", "Dues"), ("Heron", 3, 40), ("Teal", 4, 38), ())
    document = sheet(*first, ("Crew",), ("Ida", "skipper", "North"), ("Per", "mate", "South"))
    assert ("caption", 0, "Crew") in shown_blocks(document)


def test_remarks_right_below_a_table_are_text() -> None:
    rows = (("Boat", "Berth", "Dues"), ("Heron", 3, 40), ("Total", None, None), ("Dues are paid in May.", None, None))
    crew = ((), ("Name", "Role", "Boat"), ("Ida", "mate", "Heron"))
    assert [(kind, text) for kind, _, text in shown_blocks(sheet(*rows, *crew))][3:6] == [
        ("row", "Total"),
        ("paragraph", "Dues are paid in May."),
        ("header", "Name | Role | Boat"),
    ]


def test_a_long_remark_beside_rows_is_said_once() -> None:
    remark = "Valid until further notice, " * 10
    text = sheet(("A", "B", "C"), ("x", 1, remark), ("y", 2, None), merged=("C2:C3",)).text
    assert text.count("until further notice") == 10


def test_rows_of_values_alone_have_no_header() -> None:
    assert [block.kind for block in sheet((1, "a"), (2, "b")).blocks] == ["heading", "row", "row"]


def test_empty_rows_part_tables_and_empty_columns_go() -> None:
    document = sheet((None, "A", None, "B"), (None, "x", None, 2), (), (None, "C", None, "D"), (None, "y", None, "z"))
    assert document.text == "Sheet\n\nA | B\nx | 2\n\nC | D\ny | z"


def test_a_distant_cell_costs_nothing() -> None:
    book = Workbook()
    book.worksheets[0]["A1"] = "near"
    book.worksheets[0]["XFD9000"] = "far"
    assert read(saved(book), name="a.xlsx").text == "Sheet\n\nnear\n\nfar"


@pytest.mark.parametrize("lost", ["", "xl/chartsheets/_rels/sheet1.xml.rels"])
def test_a_sheet_that_is_a_chart_harms_no_other(lost: str) -> None:
    book = Workbook()
    book.create_chartsheet("Chart", 0).add_chart(BarChart())
    book.worksheets[0].append(["Name", "Age"])
    book.worksheets[0].print_title_rows = "1:1"
    with zipfile.ZipFile(io.BytesIO(saved(book))) as package:
        parts = {name: package.read(name) for name in package.namelist() if name != lost}
    assert read(archive(parts), name="a.xlsx").text == "Sheet\n\nName | Age"


def test_a_workbook_without_values_holds_no_text() -> None:
    with pytest.raises(EmptyDocument):
        sheet()


MOORINGS = (("Quay", "Boats", "Depth", None), ("North", 12, 3, None), ("South", 8, 2, None), ("West", 5, 4, None))


def test_tables_beside_each_other_are_two_tables() -> None:
    lessons = (("Lesson", "Price"), ("Knots", 20), ("Charts", 35), ())
    document = sheet(*(left + right for left, right in zip(MOORINGS, lessons, strict=True)))
    assert document.text == (
        "Sheet\n\nQuay | Boats | Depth\nNorth | 12 | 3\nSouth | 8 | 2\nWest | 5 | 4\n\n"
        "Lesson | Price\nKnots | 20\nCharts | 35"
    )


@pytest.mark.parametrize(
    "right",
    [
        (("Keeper", "Phone"), ("Ida", "55 01"), ("Per", "55 02"), ("Liv", "55 03")),  # each row goes on
        (("2029", "2030"), (4, 5), (6, 7), ()),  # numbers without names of their own
        (("Keeper", "Phone"), ("Ida", "55 01"), (None, None), ("Liv", "55 03")),  # remarks beside some rows
    ],
)
def test_columns_behind_an_empty_one_may_be_of_the_same_table(right: tuple[tuple[Any, ...], ...]) -> None:
    document = sheet(*(row + more for row, more in zip(MOORINGS, right, strict=True)))
    assert [kind for kind, _, _ in shown_blocks(document)].count("header") == 1


def test_a_row_of_units_below_the_names_of_columns_is_of_their_header() -> None:
    document = sheet(
        (None, 2030, None, 2029), (None, "£", "£", "£", "£"), ("INCOME",), ("Dues", 40, None, 38), ("Bar", 9, None, 8),
        ("Total", None, 49, None, 46), (), ("COSTS",), ("Rent", 20, None, 19), ("Rope", 3, None, 4),
        ("Total", None, 23, None, 23), merged=("B1:C1", "D1:E1"),
    )  # fmt: skip
    blocks = [(kind, text) for kind, _, text in shown_blocks(document)]
    assert blocks[1] == ("header", " | 2030: £ | 2030: £ | 2029: £ | 2029: £")
    assert ("row", "COSTS") in blocks
    assert blocks[-1] == ("row", "Total |  | 23 |  | 23")


def test_names_above_several_tables_of_a_sheet_are_headings() -> None:
    document = sheet(
        ("Berths 2030",), (), ("Summer",), ("Boat", "Price"), ("Skiff", 31), ("Gig", 70), (),
        ("Winter",), ("Boat", "Price"), ("Skiff", 12), ("Gig", 25),
    )  # fmt: skip
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Sheet"),
        (2, "Summer"),
        (2, "Winter"),
    ]
    assert ("caption", 0, "Berths 2030") in shown_blocks(document)


def test_a_long_remark_is_the_name_of_no_table() -> None:
    remark = "Please note that the harbour master may change each of these prices at any time, also within a season."
    document = sheet(
        ("Summer",), ("Boat", "Price"), ("Skiff", 31), ("Gig", 70), (),
        ("Winter",), ("Boat", "Price"), ("Skiff", 12), ("Gig", 25), (),
        (remark,), ("To pay:", "by cheque"), ("To call:", "55 01"),
    )  # fmt: skip
    assert [heading.title for heading in document.headings] == ["Sheet"]


@pytest.mark.parametrize(
    ("number_format", "shown"),
    [("mm:ss.0", "7:03.9"), ("m:ss", "7:04"), ("mm:ss.00", "7:03.90"), ("h:mm:ss", "00:07:03.900000")],
)
def test_a_time_of_minutes_is_shown_with_the_parts_of_its_seconds(number_format: str, shown: str) -> None:
    book = Workbook()
    book.worksheets[0].append([time(0, 7, 3, 900000), "x"])
    book.worksheets[0]["A1"].number_format = number_format
    assert read(saved(book), name="a.xlsx").text == f"Sheet\n\n{shown} | x"


def test_a_point_stands_right_behind_its_number() -> None:
    book = Workbook()
    book.worksheets[0].append([15, "x"])
    book.worksheets[0]["A1"].number_format = '0"."'
    assert read(saved(book), name="a.xlsx").text == "Sheet\n\n15. | x"
