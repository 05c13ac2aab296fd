"""Tables without a marked header: which first rows name the columns."""

from __future__ import annotations

import pytest

from pipelines.reading.tables import heads_columns, is_fact


@pytest.mark.parametrize(
    "rows",
    [
        [["Size", "76 mm"], ["Weight", "1.9 kg"], ["Hull", "steel"]],
        [["Date", "12 May 2026"], ["Place", "harbour office"]],
        [["Booking", "3\u201321 February 2026 (spring)"], ["Most nights", "14 a year"], ["Dogs", "on a lead"]],
        [["Meeting", "Tuesday 3 March, 19:00"], ["Place", "harbour office"]],
        [["Mooring", "from 8 euros a night"], ["Power", "2 euros a night"]],
        [["A.", "Mast", "8 m 4 cm"], ["B.", "Keel", "1 m 20 cm"], ["C.", "Hull", "9 m 5 cm"]],
        [["Oak", "inner berth", "12 kg"], ["Elm", "outer berth", "8 kg"], ["Ash", "pier", "31 kg"]],
    ],
)
def test_facts_of_one_thing_have_no_header(rows: list[list[str]]) -> None:
    assert not heads_columns(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [["Fare", "Winter 2026"], ["adults", "12.50"], ["children", "5.00"]],
        [["Term", "Meaning"], ["buoy", "76 mm of steel"]],
        [["Boat", "Built in 1989", "Port"], ["Teal", "yes", "North"]],
        [["Tide", "at 10 m", "at 20 m"], ["north", "3 m", "4 m"], ["south", "1 m", "2 m"]],
        [["Rope", "20 m rope", "Use"], ["Teal", "2 kg", "mast"], ["Wren", "3 kg", "keel"]],
        [["Dues", "2024-25", "2025-26"], ["berth", "40", "44"], ["power", "9", "9"]],
    ],
)
def test_names_of_columns_may_have_figures(rows: list[list[str]]) -> None:
    assert heads_columns(rows)


@pytest.mark.parametrize(
    "text",
    ["76 mm", "Ø 76 mm", "-5 °C", "1.9 kg with batteries", "12 May 2026", "March 3, 2026", "2026-03-03", "3-4 h"],
)
def test_a_fact_begins_with_a_figure_and_its_unit(text: str) -> None:
    assert is_fact(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Meaning",
        "2026",
        "12.50",
        "± 5",
        "ISO 3166 code",
        "2026 results",
        "Price in 2026",
        "CO2 class",
        "March 2026",
        "Sunday",
    ],
)
def test_names_and_figures_alone_are_no_fact(text: str) -> None:
    assert not is_fact(text)
