"""Tables without a marked header: which first rows name the columns."""

from __future__ import annotations

import pytest

from pipelines.reading.tables import heads_columns, is_fact


@pytest.mark.parametrize(
    "rows",
    [
        [["Size", "76 mm"], ["Weight", "1.9 kg"], ["Hull", "steel"]],
        [["Date", "12 May 2026"], ["Place", "harbour office"]],
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
    ],
)
def test_names_of_columns_may_have_figures(rows: list[list[str]]) -> None:
    assert heads_columns(rows)


@pytest.mark.parametrize("text", ["76 mm", "Ø 76 mm", "-5 °C", "1.9 kg with batteries", "12 May 2026"])
def test_a_fact_begins_with_a_figure_and_its_unit(text: str) -> None:
    assert is_fact(text)


@pytest.mark.parametrize(
    "text", ["", "Meaning", "2026", "12.50", "± 5", "ISO 3166 code", "2026 results", "Price in 2026", "CO2 class"]
)
def test_names_and_figures_alone_are_no_fact(text: str) -> None:
    assert not is_fact(text)
