"""The cells of a row, each beside the name of the row."""

from __future__ import annotations

from pipelines.query.extracts.tables.row_cells import cells_of
from tests.pipelines.query.extracts.drafts import passages, stored


def of_table(table: list[list[str]]) -> list[list[str]]:
    found = passages(stored(lambda draft: draft.add_table(table)))
    return [cells_of(one) for one in found if one.kind == "row"]


def test_each_cell_stands_beside_the_name_of_its_row() -> None:
    table = [["Boat", "Skipper", "Berth"], ["Skiff", "Ida Lund", "£31"], ["Tern", "", "£34"]]
    assert of_table(table) == [
        ["Boat: Skiff; Skipper: Ida Lund", "Boat: Skiff; Berth: £31"],
        ["Boat: Tern; Berth: £34"],
    ]


def test_a_row_of_two_columns_says_one_thing() -> None:
    assert of_table([["Boat", "Berth"], ["The old skiff", "£31"]]) == [[]]


def test_a_wide_row_is_read_in_part() -> None:
    table = [["Boat", *(f"Year {year}" for year in range(2000, 2040))], ["Skiff", *map(str, range(40))]]
    assert len(of_table(table)[0]) == 8


def test_prose_has_no_cells() -> None:
    found = passages(stored(lambda draft: draft.add("The skiff of Ida Lund has a berth for £31.")))
    assert [cells_of(one) for one in found] == [[]]
