"""Rows of a table that a question names side by side."""

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extract
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

BERTHS = [
    ["Berth", "Fee a month", "Metres", "Power"],
    ["Quay", "40 EUR", "9", "yes"],
    ["Quay Plus", "55 EUR", "12", "yes"],
    ["Pontoon", "30 EUR", "8", "no"],
    ["Mooring", "12 EUR", "10", "no"],
    ["TCP/IP", "1 EUR", "1", "no"],
    ["2023", "2 EUR", "2", "no"],
    ["4", "3 EUR", "3", "no"],
]


def first(question: str, rows: list[list[str]] = BERTHS) -> Extract:
    text = stored(lambda other: _copy(other, rows))
    return Chooser(favouring("EUR"), TERMS).choose(question, [hit(text)], [text], 1).extracts[0]


def _copy(draft: Draft, rows: list[list[str]]) -> None:
    draft.add_heading(1, "Berths of the harbour")
    draft.add_table(rows)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Is the pontoon or the mooring cheaper?", ["Pontoon", "Mooring"]),
        ("Is a mooring cheaper than a pontoon?", ["Pontoon", "Mooring"]),
        ("What is the difference between Quay and Quay Plus?", ["Quay", "Quay Plus"]),
        ("Is Quay Plus more expensive than Quay?", ["Quay", "Quay Plus"]),
        ("What do quay plus, pontoons and moorings cost?", ["Quay Plus", "Pontoon", "Mooring"]),
        ("Pontoon vs. mooring: which has power?", ["Pontoon", "Mooring"]),
        ("How does the pontoon differ from TCP/IP?", ["Pontoon", "TCP/IP"]),
        ("Which is cheaper, 2023 or the quay?", ["Quay", "2023"]),
    ],
)
def test_the_rows_that_are_compared_are_shown(question: str, named: list[str]) -> None:
    found = first(question)
    assert [line.split(";")[0] for line in found.shown.splitlines()] == [f"- Berth: {name}" for name in named]
    assert found.is_computed
    assert all("\n".join(" | ".join(row) for row in BERTHS if row[0] == name) in found.quote for name in named)


@pytest.mark.parametrize(
    "question",
    [
        "Is the pontoon cheaper?",  # names one
        "Is the pontoon cheaper than the slipway?",
        "Is the 4 or the pontoon cheaper?",  # a small number may be anything
        "Which fee has the pontoon whose skipper once had a long stay on a mooring?",  # not beside each other
        "Does the quay plus have power?",  # no quay besides
        "Do the quay, the pontoon, the mooring, TCP/IP and 2023 have power?",  # nearly all
    ],
)
def test_others_compare_no_rows(question: str) -> None:
    draft = stored(lambda other: _copy(other, BERTHS))
    found = Chooser(favouring("EUR"), TERMS).choose(question, [hit(draft)], [draft], 1)
    assert all(len(one.shown.splitlines()) in (1, len(BERTHS) - 1, len(BERTHS)) for one in found.extracts)


@pytest.mark.parametrize(
    "question", ["Is the pontoon or the mooring quieter?", "Is the pontoon or the mooring cheaper for children?"]
)
def test_rows_are_read_like_others_where_more_is_asked_than_their_table_says(question: str) -> None:
    assert not first(question).is_computed


def test_names_of_many_rows_are_not_compared() -> None:
    logbook = [["Boat", "Trip", "Fee"], *[[boat, str(day), "9 EUR"] for day in range(3) for boat in ("Heron", "Teal")]]
    shown = first("Did the Heron or the Teal pay more?", [*logbook, ["Swan", "1", "9 EUR"]]).shown
    assert not (shown.count("Heron") == shown.count("Teal") == 3 and "Swan" not in shown)


EDITIONS = [
    ["Feature", "Free", "Team", "Fleet"],
    ["Boats", "1", "12", "100"],
    ["Charts", "all", "all", "all"],
    ["Support", "forum", "", "telephone"],
]


def test_of_columns_that_are_compared_the_rows_with_different_cells_are_shown() -> None:
    shown = first("What is the difference between Free and Team?", EDITIONS).shown
    assert shown == "- Feature: Boats; Free: 1; Team: 12\n- Feature: Support; Free: forum; Team: none"


def test_a_row_that_is_named_answers_for_columns_that_are_compared() -> None:
    assert (
        first("How many boats do Free and Team have?", EDITIONS).shown
        == "Feature: Boats; Free: 1; Team: 12; Fleet: 100"
    )


EDITION_PRICES = [*EDITIONS, ["Monthly price", "0 EUR", "5 EUR", "9 EUR"]]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Is Team or Fleet cheaper?", "- Feature: Monthly price; Team: 5 EUR; Fleet: 9 EUR"),
        (
            "How do Team and Fleet differ in support?",
            "- Feature: Support; Team: none; Fleet: telephone",
        ),
    ],
)
def test_of_columns_that_are_compared_the_row_that_is_asked_for_is_shown(question: str, shown: str) -> None:
    found = first(question, EDITION_PRICES)
    assert found.shown == shown
    assert found.is_computed


BOATS = [
    ["Boat", "Price", "Metres"],
    ["Heron 200", "90 EUR", "6"],
    ["Teal for children", "40 EUR", "3"],
    ["Old Swan", "20 EUR", "7"],
    ["Old Tern", "25 EUR", "7"],
]


def test_rows_are_compared_by_the_first_word_of_their_names() -> None:
    shown = first("Is the Heron or the Teal cheaper?", BOATS).shown
    assert [line.split(";")[0] for line in shown.splitlines()] == ["- Boat: Heron 200", "- Boat: Teal for children"]


def test_a_first_word_of_several_names_compares_no_rows() -> None:
    assert not first("Is an old boat or the Teal cheaper?", BOATS).is_computed


def test_columns_are_compared_in_the_row_that_is_named() -> None:
    gifts = [
        ["Donor", "2030", "2031"],
        ["Ebb Yard", "200", "300"],
        ["Ida Lund", "40", "50"],
        ["Tide Club", "10", "0"],
    ]

    def fill(draft: Draft) -> None:
        draft.add_table(gifts)

    found = choose("How much more did Ebb Yard give in 2031 than in 2030?", fill, favouring("Ida"), most=1)
    assert found.extracts[0].shown == "- Donor: Ebb Yard; 2030: 200; 2031: 300"
