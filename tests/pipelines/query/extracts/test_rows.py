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


def facts(draft: Draft) -> None:
    draft.add("Buoy 300", "heading")
    draft.add("The Buoy 300 measures waves.")
    for name, value in (
        ("Size", "76 mm"),
        ("Weight", "1.9 kg"),
        ("Interfaces", "LTE-M, RS-485"),
        ("Housing", "titanium"),
    ):
        draft.add(f"{name} | {value}", "row", level=1)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How much does the Buoy 300 weigh?", "Weight: 1.9 kg"),
        ("How heavy is the Buoy 300?", "Weight: 1.9 kg"),
        ("Which interfaces does the Buoy 300 have?", "Interfaces: LTE-M, RS-485"),
    ],
)
def test_a_fact_is_found_by_its_name(question: str, shown: str) -> None:
    found = choose(question, facts, favouring("Buoy"), most=1)
    assert found.extracts[0].shown == shown


def test_a_cell_with_a_label_of_its_own_has_no_other_name() -> None:
    def letter(draft: Draft) -> None:
        draft.add("Lindenweg 14 | Invoice no.: 2026-0418", "row", level=1)
        draft.add("Aldmoor | Date: 12 May 2026", "row", level=1)

    found = choose("What is the date of the invoice?", letter, favouring("Date"), most=1)
    assert "Aldmoor; Date: 12 May 2026" in found.extracts[0].shown


def test_a_fee_is_not_the_price_of_everything() -> None:
    def lease(draft: Draft) -> None:
        for name, value in (("Monthly rent (cold)", "900 EUR"), ("Berth", "pier 3"), ("Fee", "15 EUR")):
            draft.add(f"{name} | {value}", "row", level=1)

    found = choose("How much is the rent per month?", lease, favouring("rent"), most=1)
    assert found.extracts[0].shown == "Monthly rent (cold): 900 EUR"


def test_no_row_stands_for_a_comparison() -> None:
    def plans(draft: Draft) -> None:
        for name, value in (("Basic", "five berths"), ("Other", "on demand"), ("Premium Plus (annual)", "all berths")):
            draft.add(f"{name} | {value}", "row", level=1)

    found = choose("What is the difference between Basic and Premium Plus?", plans, favouring("berths"), most=1)
    assert "Premium Plus (annual): all berths" in found.extracts[0].shown


def test_a_cell_with_a_colon_in_its_sentence_has_the_name_before_it() -> None:
    def terms(draft: Draft) -> None:
        draft.add("Berth | A place to moor a boat: pier or buoy", "row", level=1)
        draft.add("Buoy | A float on a chain: red or green", "row", level=1)

    found = choose("What is a berth?", terms, favouring("pier"), most=1)
    assert found.extracts[0].shown == "Berth: A place to moor a boat: pier or buoy"
