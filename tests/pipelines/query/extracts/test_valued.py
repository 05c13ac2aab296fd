"""Rows of tables that have a value which the question names."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.test_chooser import choose, favouring

FLEET = [
    ["Boat", "State", "Skipper", "Berths"],
    ["Heron", "in repair", "Ida Lund", "4"],
    ["Teal", "afloat", "Ole Berg", "12"],
    ["Swan", "in repair", "Ole Berg", "6"],
    ["Tern", "on loan", "Ida Lund", "2"],
]


def fleet(draft: Draft) -> None:
    draft.add_table(FLEET)


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Which boats are in repair?", ["Heron", "Swan"]),
        ("Which boats does Ole Berg sail?", ["Teal", "Swan"]),
        ("Which boats of Ole Berg are in repair?", ["Swan"]),
        ("What boats are on loan?", ["Tern"]),
    ],
)
def test_the_rows_with_the_value_are_shown(question: str, boats: list[str]) -> None:
    first = choose(question, fleet, favouring("afloat"), most=1).extracts[0]
    assert [line.split(";")[0] for line in first.shown.splitlines()] == [f"- Boat: {boat}" for boat in boats]
    assert "Berths" in first.shown
    assert first.quote in "\n".join(" | ".join(row) for row in FLEET)


@pytest.mark.parametrize(
    "question",
    [
        "Which boats are sold?",
        "Which boats are not in repair?",
        "Is the Heron in repair?",
        "Which skipper of the Swan is in repair?",  # a row
        "Which boats have 4 berths?",  # a number alone may be anything
    ],
)
def test_rows_are_not_picked_by_anything_else(question: str) -> None:
    shown = choose(question, fleet, favouring("afloat"), most=1).extracts[0].shown
    assert shown.count("\n") != 1
    assert not shown.startswith("- Boat: Swan;")


def test_of_many_rows_the_first_cells_are_shown_and_of_too_many_nothing_is_picked() -> None:
    def long(count: int) -> list[str]:
        def fill(draft: Draft) -> None:
            rows = [[f"Boat {number}", "afloat", "a very long tale of its travels " * 3] for number in range(count)]
            draft.add_table([["Boat", "State", "Tale"], *rows, ["Heron", "sunk", "none"]])

        return choose("Which boats are afloat?", fill, favouring("afloat"), most=1).extracts[0].shown.splitlines()

    assert long(9) == [f"- Boat: Boat {number}; State: afloat" for number in range(9)]
    assert "- Boat: Boat 0; State: afloat" not in long(60)
