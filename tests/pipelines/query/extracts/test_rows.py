"""Rows of tables that a question names."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.test_chooser import choose, favouring


def fleet(draft: Draft) -> None:
    draft.add_table([["Boat", "Built", "Port"], ["Heron", "1998", "North"], ["Teal", "2011", "South"]])


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("In which port does the Teal lie?", "Boat: Teal; Built: 2011; Port: South"),
        ("Which boat was built in 1998?", "Boat: Heron; Built: 1998; Port: North"),
        ("How do the Heron and the Teal differ?", None),
        ("Which boats are there?", None),
    ],
)
def test_a_row_that_the_question_names_stands_for_its_table(question: str, shown: str | None) -> None:
    whole = "- Boat: Heron; Built: 1998; Port: North\n- Boat: Teal; Built: 2011; Port: South"
    found = choose(question, fleet, favouring("Boat: Heron", "Boat: Teal"))
    assert [one.shown for one in found.extracts] == [shown or whole]


def test_a_row_is_called_by_its_first_cell() -> None:
    def knots(draft: Draft) -> None:
        draft.add_table(
            [["Knot", "Use"], ["bend", "joins ropes"], ["hitch", "like a bend, on a pole"], ["loop", "holds"]]
        )

    found = choose("What is the use of a bend?", knots, favouring("pole"), most=1)
    assert found.extracts[0].shown == "Knot: bend; Use: joins ropes"


def test_rows_of_one_name_are_shown_together() -> None:
    def moorings(draft: Draft) -> None:
        draft.add_table([["Boat", "Berth"], ["Heron", "north"], ["Teal", "west"], ["Teal", "south"], ["Swan", "east"]])

    found = choose("What is the berth of the Teal?", moorings, favouring("north"), most=1)
    assert found.extracts[0].shown == "Boat: Teal; Berth: west\nBoat: Teal; Berth: south"
    assert found.extracts[0].quote == "Teal | west\nTeal | south"


def test_of_rows_of_one_name_that_stand_apart_none_is_the_one() -> None:
    def moorings(draft: Draft) -> None:
        draft.add_table([["Boat", "Berth"], ["Teal", "west"], ["Heron", "north"], ["Teal", "south"], ["Swan", "east"]])

    found = choose("What is the berth of the Teal?", moorings, favouring("north"), most=1)
    assert "Heron" in found.extracts[0].shown
