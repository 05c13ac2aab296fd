"""Rows of tables that a question names."""

from time import process_time

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring, favouring_a_little


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


def fees(draft: Draft) -> None:
    draft.add_table(
        [
            ["Place", "Fee"],
            ["Berth", "20 EUR"],
            ["Berth (winter nights)", "9 EUR"],
            ["Berth for schools", "4 EUR"],
            ["Berth place ashore", "5 EUR"],
        ]
    )


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What does a berth cost?", "Place: Berth; Fee: 20 EUR"),
        ("What does a berth cost on a winter night?", "Place: Berth (winter nights); Fee: 9 EUR"),
        ("What does a berth cost for a school?", "Place: Berth for schools; Fee: 4 EUR"),
        ("What does a berth place cost?", "Place: Berth; Fee: 20 EUR"),
    ],
)
def test_a_row_with_a_longer_name_is_meant_where_the_question_says_more(question: str, shown: str) -> None:
    found = choose(question, fees, favouring("ashore"), most=1)
    assert found.extracts[0].shown == shown


def test_no_row_stands_for_its_table_where_the_question_says_a_part_of_a_longer_name() -> None:
    found = choose("What does a berth cost in winter?", fees, favouring("winter"), most=1)
    assert found.extracts[0].shown == "Place: Berth (winter nights); Fee: 9 EUR"


def crossings(draft: Draft) -> None:
    draft.add_table(
        [
            ["From", "To", "Idle time"],
            ["3.8, 3.9", "4.0", "10 minutes"],
            ["4.0", "4.1", "none"],
            ["4.0", "4.2", "goes over 4.1"],
        ]
    )


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What is the idle time from 3.9 to 4.0?", "From: 3.8, 3.9; To: 4.0; Idle time: 10 minutes"),
        ("What is the idle time from 4.0 to 4.2?", "From: 4.0; To: 4.2; Idle time: goes over 4.1"),
    ],
)
def test_of_rows_of_versions_the_one_with_all_that_are_asked_about_is_meant(question: str, shown: str) -> None:
    found = choose(question, crossings, favouring("none"), most=1)
    assert found.extracts[0].shown == shown


def test_a_version_that_another_row_has_does_not_make_it_the_one_that_is_named() -> None:
    def settings(draft: Draft) -> None:
        draft.add_table([["Setting", "Default"], ["Lamp", "off at noon"], ["Horn", "on, since 4.0"]])

    found = choose("What is the default of the lamp in 4.0?", settings, favouring("Setting"), most=1)
    assert found.extracts[0].shown == "Setting: Lamp; Default: off at noon"


def test_a_first_cell_may_hold_several_names() -> None:
    def moorings(draft: Draft) -> None:
        draft.add_table(
            [["Boat", "Berth"], ["Heron, Teal", "north"], ["Swan / Coot", "south"], ["Rail", "near Teal and Coot"]]
        )

    for boat, berth in (("Teal", "north"), ("Coot", "south")):
        found = choose(f"What is the berth of the {boat}?", moorings, favouring("near"), most=1)
        assert found.extracts[0].shown.endswith(berth)


def test_a_table_with_a_long_first_cell_of_many_names_takes_linear_time() -> None:
    def moorings(draft: Draft) -> None:
        draft.add_table([["Boat", "Berth"], [", / " * 20_000 + "Teal", "north"], ["Rail", "east"]])

    started = process_time()
    choose("What is the berth of the Rail?", moorings, favouring("east"), most=1)
    assert process_time() - started < 5


def mill(draft: Draft) -> None:
    draft.add_heading(1, "Ternholm Mill")
    draft.add("Place | Island of Ternholm", "row", level=1)
    draft.add("Height | 38 m (125 ft)", "row", level=1)
    draft.add("Built | 1847\u20131851", "row", level=1)
    draft.add("Electrified | 1926", "row", level=1)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How tall is Ternholm Mill?", "Height: 38 m (125 ft)"),
        ("When was the mill electrified?", "Electrified: 1926"),
    ],
)
def test_a_word_of_the_heading_names_no_row_of_its_facts(question: str, shown: str) -> None:
    found = choose(question, mill, favouring("Ternholm"), most=1)
    assert found.extracts[0].shown == shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("When does the lock open on Sundays?", "Day: Sunday; Opens: 10"),
        ("when does the lock open on wednesdays", "Day: Tuesday – Friday; Opens: 7"),
        ("When does the lock open on Good Friday?", "Day: Good Friday; Opens: 11"),
    ],
)
def test_the_row_for_the_day_of_the_week_is_meant(question: str, shown: str) -> None:
    def hours(draft: Draft) -> None:
        draft.add("The lock", "heading")
        rows = [["Monday", "8"], ["Tuesday – Friday", "7"], ["Sunday", "10"], ["Good Friday", "11"]]
        draft.add_table([["Day", "Opens"], *rows])
        draft.add("The lock on the north canal opens on 12 April.")

    found = choose(question, hours, favouring_a_little("north canal"), most=1)
    assert found.extracts[0].shown == shown


def test_the_rows_for_the_day_of_the_week_are_the_list() -> None:
    def clubs(draft: Draft) -> None:
        draft.add_table([["Day", "Club"], ["Monday", "Chess"], ["Thursday", "Knots"], ["Thursday", "Choir"]])

    found = choose("Which clubs are there on Thursdays?", clubs, favouring("Chess"), most=1)
    assert found.extracts[0].shown == "Day: Thursday; Club: Knots\nDay: Thursday; Club: Choir"


def lines_of_versions(draft: Draft) -> None:
    draft.add_heading(1, "How long they are cared for")
    draft.add("Each line of Ebbmoor is cared for until the year after the next one ends.")
    draft.add_table([["Line", "Ends", "Charts"], ["5.x", "2031-05-01", "B, C"], ["4.x", "2029-05-01", "A, B"]])


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("When does ebbmoor 4 end?", "Line: 4.x; Ends: 2029-05-01; Charts: A, B"),
        ("When does ebbmoor 5 end?", "Line: 5.x; Ends: 2031-05-01; Charts: B, C"),
        ("Which charts does ebbmoor 4 have?", "Line: 4.x; Ends: 2029-05-01; Charts: A, B"),
    ],
)
def test_a_row_for_a_line_of_versions_is_that_of_a_version(question: str, shown: str) -> None:
    assert choose(question, lines_of_versions, favouring_a_little("until the year"), most=1).extracts[0].shown == shown


def test_the_default_of_a_setting_stands_in_a_table_of_its_own() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "Reference")
        for name, default in (("wick_limit", "7"), ("wick", "cotton"), ("wick_colour", "red")):
            draft.add_table([[name, "Use: lamp", f"Default: {default}"]], has_header=False)
            draft.add(f"This says what {name} is for.")
            draft.add("The keeper of the light looks after it. " * 20)

    reader = favouring_a_little("wick_limit")
    assert choose("What is the default of the wick setting in lamp?", settings, reader, most=1).extracts[0].shown == (
        "wick; Use: lamp; Default: cotton"
    )


@pytest.mark.parametrize(
    ("needs", "shown"),
    [
        ("The keeper of Ebbmoor 8 needs a compass.", "The keeper of Ebbmoor 8 needs a compass."),
        ("The keeper of the moor needs a compass.", "Keepers of the 7.x and 8.x lines need no lamp."),
    ],
)
def test_a_line_of_versions_does_not_displace_the_version_itself(needs: str, shown: str) -> None:
    def guide(draft: Draft) -> None:
        draft.add_heading(1, "Keepers")
        draft.add("Keepers of the 7.x and 8.x lines need no lamp.")
        draft.add_heading(1, "Compasses")
        draft.add(needs)

    found = choose("What does the keeper of Ebbmoor 8 need?", guide, favouring_a_little("a compass"), most=1)
    assert found.extracts[0].shown == shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Who keeps the lock on 8 December?", "Date: 2030-12-08; Keeper: Per; Deputy: Liv"),
        ("Who keeps the lock on December 11th?", "Date: 2030-12-11; Keeper: Liv; Deputy: Per"),
    ],
)
def test_the_row_of_a_day_in_figures_is_meant(question: str, shown: str) -> None:
    def rota(draft: Draft) -> None:
        days = [["2030-12-08", "Per", "Liv"], ["2030-12-09", "Ida", "Per"], ["2030-12-11", "Liv", "Per"]]
        draft.add_table([["Date", "Keeper", "Deputy"], *days])

    assert choose(question, rota, favouring_a_little("Ida"), most=1).extracts[0].shown == shown


def spending(draft: Draft) -> None:
    draft.add_heading(1, "Spending of the pier")
    rows = [["IT equipment", "9", "12"], ["Lamps", "4", "5"], ["Keeping it clean", "2", "2"]]
    draft.add_table([["For", "Planned", "Paid"], *rows])


def test_a_short_name_in_capitals_names_a_row() -> None:
    (extract,) = choose("How much was paid for IT?", spending, favouring("12"), most=1).extracts
    assert extract.shown == "For: IT equipment; Planned: 9; Paid: 12"


@pytest.mark.parametrize("question", ["How much was paid for it?", "HOW MUCH WAS PAID FOR IT?"])
def test_it_names_none(question: str) -> None:
    (extract,) = choose(question, spending, favouring("12"), most=1).extracts
    assert len(extract.shown.splitlines()) == 3


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which flags does alarm level 2 hoist?", "Alarm level: 2; Flags: red, black"),
        ("Which flags does alarm level 7 hoist?", None),
        ("Which flags do 2 boats hoist?", None),
    ],
)
def test_a_number_behind_the_name_of_the_column_names_its_row(question: str, shown: str | None) -> None:
    def alarms(draft: Draft) -> None:
        draft.add_table([["Alarm level", "Flags"], ["1", "red"], ["2", "red, black"], ["3", "black, white"]])

    found = choose(question, alarms, favouring("Alarm level: 2", "Alarm level: 3"), most=1)
    assert (found.extracts[0].shown == shown) if shown else ("\n" in found.extracts[0].shown)


def test_a_column_of_numbers_may_have_a_sign_for_a_name() -> None:
    def alarms(draft: Draft) -> None:
        draft.add_table([["#", "Flags"], ["1", "red"], ["2", "red, black"]])

    found = choose("How many flags are red?", alarms, favouring("red, black"), most=1)
    assert "red" in found.extracts[0].shown


def test_a_row_without_a_name_is_not_named_by_a_question_without_a_number() -> None:
    def posts(draft: Draft) -> None:
        draft.add_table([["Post", "Pay"], ["-", "by the day"], ["Pilot", "by the week"], ["Cook", "by the month"]])

    found = choose("How are those at sea paid?", posts, favouring("by the week"), most=1)
    assert "by the week" in found.extracts[0].shown
