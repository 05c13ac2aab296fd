"""Rows of tables that have the most or the least of something."""

import time

import numpy as np
import pytest

from pipelines.query.extracts.reader import Reader
from pipelines.query.extracts.tables.amounts import amounts
from pipelines.query.extracts.tables.superlatives import asks_extreme
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

FLEET = [
    ["Boat", "Berths", "Price (EUR)", "sails_19_20", "sails_21_22", "Port"],
    ["Heron", "4", "1,200.50", "3", "9", "North"],
    ["Teal [1]", "12", "900.00", "7", "2", "South"],
    ["Swan", "6", "\u20ac 15,000", "1", "4", "North"],
    ["Total", "22", "17,100.50", "11", "15", ""],
]


def fleet(draft: Draft) -> None:
    draft.add_table(FLEET)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which boat has the most berths?", "Boat: Teal (1); Berths: 12"),
        ("Which boat has the fewest berths?", "Boat: Heron; Berths: 4"),
        ("Which boat costs the most?", "Boat: Swan; Price (EUR): \u20ac 15,000"),
        ("What is the cheapest boat?", "Boat: Teal (1); Price (EUR): 900.00"),
        ("Which boat is the cheapest per trip?", "Boat: Teal (1); Price (EUR): 900.00"),
        ("Which boat costs the least overall?", "Boat: Teal (1); Price (EUR): 900.00"),
        ("Which boat has the most berths altogether?", "Boat: Teal (1); Berths: 12"),
        ("Which boat is the most expensive?", "Boat: Swan; Price (EUR): \u20ac 15,000"),
        ("Which boat had the most sails from 2021 to 2022?", "Boat: Heron; sails_21_22: 9"),
    ],
)
def test_the_row_with_the_most_or_least_answers(question: str, shown: str) -> None:
    found = choose(question, fleet, favouring("North"), most=1)
    assert found.extracts[0].shown == shown
    assert found.extracts[0].quote.count(" | ") == 5


def test_prices_of_other_things_are_not_compared() -> None:
    found = choose("What did the cheapest engine for the boat cost?", fleet, favouring("Boat: Heron"), most=1)
    assert "Heron; Berths: 4; Price" in found.extracts[0].shown


@pytest.mark.parametrize(
    "question",
    [
        "Which boat has the most sails?",  # two columns are named alike
        "Which boat has the most masts?",
        "Which boat is the oldest?",
        "Which boat lies in the north?",
    ],
)
def test_no_row_is_chosen_where_no_column_is_named(question: str) -> None:
    found = choose(question, fleet, favouring("Boat: Heron"), most=1)
    assert "Heron; Berths: 4; Price" in found.extracts[0].shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which boat is the oldest?", "Boat: Teal; Built: 1989"),
        ("What is the newest boat?", "Boat: Swan; Built: 2025"),
        ("Which is the most recent boat?", "Boat: Swan; Built: 2025"),
        ("Which of the newest boats has the most berths?", "Boat: Teal; Berths: 12"),
        ("Which boat has the fewest berths, as of the latest list?", "Boat: Heron; Berths: 4"),
    ],
)
def test_the_oldest_is_the_one_with_the_earliest_year(question: str, shown: str) -> None:
    def boats(draft: Draft) -> None:
        draft.add_table(
            [["Boat", "Built", "Berths"], ["Heron", "1996", "4"], ["Teal", "1989", "12"], ["Swan", "2025", "6"]]
        )

    found = choose(question, boats, favouring("Heron"), most=1)
    assert found.extracts[0].shown == shown


def test_days_are_not_compared_as_years() -> None:
    def meetings(draft: Draft) -> None:
        draft.add_table([["Meeting", "Date"], ["Board", "12 May"], ["Crew", "3 June"], ["Guests", "20 April"]])

    found = choose("Which meeting is the earliest?", meetings, favouring("Meeting"), most=1)
    assert found.extracts[0].shown.count("Meeting:") == 3


def test_two_rows_that_have_it_and_other_tables_of_the_same_columns_leave_it_open() -> None:
    def even(draft: Draft) -> None:
        draft.add_table([["Boat", "Berths"], ["Heron", "4"], ["Teal", "4"], ["Swan", "2"]])

    def two(draft: Draft) -> None:
        for place in ("Northport", "Southport"):
            draft.add_heading(1, place)
            boats = [[f"{place} A", "4", "1"], [f"{place} B", "5", "2"], [f"{place} C", "2", "3"]]
            draft.add_table([["Boat", "Berths", f"Sails in {place}"], *boats])

    question = "Which boat has the most berths?"
    assert "Swan" in choose(question, even, favouring("Swan"), most=1).extracts[0].shown
    assert "Northport A" in choose(question, two, favouring("Northport A"), most=1).extracts[0].shown
    named = choose("Which boat has the most berths in Southport?", two, favouring("Southport"), most=1)
    assert named.extracts[0].shown == "Boat: Southport B; Berths: 5"
    assert named.signals["absent"] == 0


def test_a_row_that_was_not_compared_is_not_sure() -> None:
    def long(draft: Draft) -> None:
        draft.add_table([["Boat", "Berths"], *([f"Boat {number}", "4"] for number in range(60))])

    found = choose("Which boat has the most berths?", long, favouring("Boat 7"), most=1)
    assert found.extracts[0].shown == "Boat: Boat 7; Berths: 4"
    assert found.signals["absent"] == 1


def test_a_long_table_is_compared_as_a_whole_in_no_time() -> None:
    def long(draft: Draft) -> None:
        draft.add_table([["Boat", "Berths"], *([f"Boat {number}", str(number)] for number in range(5_000))])

    began = time.process_time()
    found = choose("Which boat has the most berths?", long, favouring("Boat 7"), most=1)
    assert found.extracts[0].shown == "Boat: Boat 4999; Berths: 4999"
    assert time.process_time() - began < 5


@pytest.mark.parametrize("seed", ["which most ", "which ", "most ", "which a-", "most a ", "what,"])
def test_hostile_questions_and_cells_are_read_in_no_time(seed: str) -> None:
    def hostile(draft: Draft) -> None:
        draft.add_table([["Boat", "Berths"], *([f"{number}", "1,111" * 2_000] for number in range(4))])

    began = time.process_time()
    choose(seed * 300, hostile, favouring("Boat"), most=1)
    assert time.process_time() - began < 5


WARES = [["No.", "Ware", "Price"], ["L1", "Lantern", "40"], ["L2", "Lamp", "90"], ["L3", "Candle", "2"]]


def priced(draft: Draft) -> None:
    draft.add_table(WARES)
    draft.add("Each ware is packed in paper.")


def test_a_row_is_told_by_the_column_that_the_question_calls_it_by() -> None:
    found = choose("Which is the most expensive ware?", priced, favouring("Candle"), most=1)
    assert found.extracts[0].shown == "No.: L2; Ware: Lamp; Price: 90"


def test_a_row_that_was_compared_goes_before_words_that_are_closer() -> None:
    found = choose(
        "Which ware is the cheapest?",
        priced,
        Reader(lambda _, texts: np.array([0.5 * ("paper" in text) for text in texts])),
        most=1,
    )
    assert found.extracts[0].shown == "No.: L3; Ware: Candle; Price: 2"


def test_a_row_is_told_by_words_where_its_first_cell_is_a_number() -> None:
    def results(draft: Draft) -> None:
        draft.add_table([["Place", "Player", "Points"], ["1", "Ann", "6"], ["2", "Ben", "5"], ["3", "Cid", "4"]])

    found = choose("Who has the most points?", results, favouring("Cid"), most=1)
    assert found.extracts[0].shown == "Place: 1; Player: Ann; Points: 6"


def test_a_table_with_a_column_of_that_name_goes_before_one_in_such_a_place() -> None:
    def wares(draft: Draft) -> None:
        draft.add_heading(1, "Wares of our guests")
        draft.add_table([["Port", "Cost"], ["North", "7"], ["South", "9"], ["West", "11"]])
        draft.add_heading(1, "Spring list")
        draft.add_table(WARES)

    found = choose("Which ware is the cheapest?", wares, Reader(lambda _, texts: np.zeros(len(texts))))
    shown = [one.shown for one in found.extracts]
    assert "No.: L3; Ware: Candle; Price: 2" in shown
    assert "Port: North; Cost: 7" not in shown


def test_a_row_that_was_compared_is_sure() -> None:
    found = choose(
        "Which ware is the cheapest?", priced, Reader(lambda question, texts: [question in text for text in texts])
    )
    assert found.signals["similarity"] == found.signals["closest"] == found.signals["covered"] == 1


@pytest.mark.parametrize("question", ["Which depth does a sloop need at least?", "What may a berth cost at most?"])
def test_at_least_and_at_most_ask_for_no_extreme(question: str) -> None:
    assert not asks_extreme(question)


def test_the_least_asks_for_an_extreme() -> None:
    assert asks_extreme("Which sloop needs the least depth?")


SALES = [
    ["Seller", "Area", "Q1", "Q2", "Q3"],
    ["Ada", "North", "212", "198", "240"],
    ["Bo", "South", "155", "171", "149"],
    ["Cy", "West", "301", "288", "322"],
    ["Total", "", "668", "657", "711"],
]
PIERS = [
    ["Pier", "2030: Budget", "2030: Actual", "2031: Budget", "2031: Actual", "Capacity"],
    ["North", "18,400", "19,120", "19,500", "18,930", "24"],
    ["South", "12,750", "12,310", "12,900", "13,480", "16"],
    ["West", "21,000", "20,450", "21,600", "22,870", "30"],
]
TRIPS = [
    ["Trip", "Length", "Cost per head", "Taken"],
    ["Lagoon", "1 h 30", "\u00a325", "12"],
    ["Island", "2 h", "free", "\u2013"],
    ["Reef", "1 h 45 min", "\u00a315", "40"],
    ["Cape", "1 h", "free", "17"],
]


@pytest.mark.parametrize(
    ("question", "rows", "shown"),
    [
        ("Who sold most in Q3?", SALES, "Seller: Cy; Q3: 322"),
        ("Who sold the least in Q1?", SALES, "Seller: Bo; Q1: 155"),
        ("Which pier spent most in 2031?", PIERS, "Pier: West; 2031: Actual: 22,870"),
        ("Which pier holds the most people?", PIERS, "Pier: West; Capacity: 30"),
        ("Which pier spent the most money in 2031?", PIERS, "Pier: West; 2031: Actual: 22,870"),
        ("Which trip is the longest?", TRIPS, "Trip: Island; Length: 2 h"),
        ("Which trip is the shortest?", TRIPS, "Trip: Cape; Length: 1 h"),
        ("Which trip is the dearest?", TRIPS, "Trip: Lagoon; Cost per head: \u00a325"),
        ("Who has taken the most sales?", TRIPS, "Trip: Reef; Taken: 40"),
    ],
)
def test_what_is_measured_may_be_said_by_a_verb_or_an_adjective(
    question: str, rows: list[list[str]], shown: str
) -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Sales by person")
        draft.add_table(rows)

    assert choose(question, report, favouring("North"), most=1).extracts[0].shown == shown


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who sold most?", SALES),  # in any quarter
        ("Who sold most in Q4?", SALES),
        ("Who spent most in Q1?", SALES),
        ("Which pier spent most in 2028?", PIERS),
        ("Which trip is the cheapest?", TRIPS),  # two are free
        ("Which trip takes the longest to prepare?", TRIPS),
        ("Which pier takes the most rent from visitors?", PIERS),
        ("Which pier spent the most time in 2031?", PIERS),
        ("Which pier is the deepest?", PIERS),
    ],
)
def test_no_row_has_the_most_of_what_no_column_measures(question: str, rows: list[list[str]]) -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Sales by person")
        draft.add_table(rows)

    assert not choose(question, report, favouring("North"), most=1).extracts[0].is_computed


GOODS = [
    ["Product", "Size (cm)", "Height (cm)", "Seats", "Stock"],
    ["Lamp", "30", "40", "1", "7"],
    ["Torch", "12", "20", "2", "9"],
    ["Beacon", "90", "200", "3", "2"],
]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which product is the largest?", "Product: Beacon; Size (cm): 90"),
        ("Which is the largest product?", "Product: Beacon; Size (cm): 90"),
        ("Which product has the largest discount?", ""),
        ("Which product has the highest rating?", ""),
        ("Which product had the most visitors?", ""),
        ("Which product seats the most people?", "Product: Beacon; Seats: 3"),
    ],
)
def test_an_adjective_before_something_else_is_not_about_the_row(question: str, shown: str) -> None:
    found = choose(question, lambda draft: draft.add_table(GOODS), favouring("Torch"), most=1).extracts[0]
    assert found.is_computed is bool(shown)
    assert not shown or found.shown == shown


def test_numbers_are_compared_in_one_unit() -> None:
    def errands(draft: Draft) -> None:
        draft.add_table(
            [
                ["Errand", "Duration", "Used", "Limit"],
                ["Backup", "1 h 30", "900 MB", "64"],
                ["Sweep", "45 min", "3 GB", "60 s"],
                ["Merge", "20 s", "750 kB", "1 GB"],
            ]
        )

    longest = choose("Which errand is the longest?", errands, favouring("Sweep"), most=1).extracts[0]
    assert longest.shown == "Errand: Backup; Duration: 1 h 30"
    assert amounts(["2 t", "900 g", "1 t"]) == [2_000_000, 900, 1_000_000]
    assert amounts(["4 m", "12"]) == [None, None]
    assert amounts(["4 m", "2 bn"]) == [4e6, 2e9]
    used = choose("Which errand has the most used space?", errands, favouring("Merge"), most=1).extracts[0]
    assert used.shown == "Errand: Sweep; Used: 3 GB"
    assert (
        not choose("Which errand has the highest limit?", errands, favouring("Merge"), most=1).extracts[0].is_computed
    )
