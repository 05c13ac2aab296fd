"""Rows of tables whose range holds a number of the question."""

from collections.abc import Callable

import pytest

from pipelines.query.extracts.tables.ranges import _range
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

INFINITE = float("inf")


def leave(draft: Draft) -> None:
    draft.add_table([
        ["Years of service", "Days of leave"],
        ["less than 2", "25"],
        ["2 to 5", "27"],
        ["6 to 10", "29"],
        ["more than 10", "31"],
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How many days of leave are there after 7 years?", "Years of service: 6 to 10; Days of leave: 29"),
        ("How many days of leave are there after 2 years?", "Years of service: 2 to 5; Days of leave: 27"),
        ("What leave is there after 30 years?", "Years of service: more than 10; Days of leave: 31"),
        ("What leave does a 1-year employee get?", "Years of service: less than 2; Days of leave: 25"),
        ("What leave is there after seven years?", "Years of service: 6 to 10; Days of leave: 29"),
    ],
)
def test_the_row_whose_range_holds_the_number_answers(question: str, shown: str) -> None:
    found = choose(question, leave, favouring("27"), most=1)
    assert found.extracts[0].shown == shown
    assert " | " in found.extracts[0].quote


WHOLE = (
    "- Years of service: less than 2; Days of leave: 25\n- Years of service: 2 to 5; Days of leave: 27\n"
    "- Years of service: 6 to 10; Days of leave: 29\n- Years of service: more than 10; Days of leave: 31"
)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Which leave is there after 7 weeks?", id="another unit"),
        pytest.param("Which leave is there after some years?", id="no number"),
        pytest.param("Which leave had version 7.1 of years ago?", id="a version"),
        pytest.param("Which leave is there in v7 years?", id="part of a name"),
        pytest.param("Which leave is there after more than 3 years?", id="a bound"),
        pytest.param("Which leave is there for at least 3 years?", id="another bound"),
        pytest.param("Which leave is there below 2026 years?", id="a year"),
    ],
)
def test_another_number_chooses_no_row(question: str) -> None:
    assert choose(question, leave, favouring("leave"), most=1).extracts[0].shown == WHOLE


def discounts(*rows: list[str]) -> Callable[[Draft], None]:
    return lambda draft: draft.add_table([["Quantity", "Discount"], *rows])


@pytest.mark.parametrize(
    ("question", "is_computed"),
    [
        ("Which discount is there for 1,500 crates?", True),
        ("Which discount was there in 2026?", False),
        ("Which discount has article 4711?", False),
        ("Which discount did pier 1500 get?", False),
    ],
)
def test_a_column_that_counts_anything_needs_something_counted(question: str, is_computed: bool) -> None:
    table = discounts(["up to 100", "none"], ["101 to 1,000", "3 %"], ["more than 1,000", "10 %"])
    shown = choose(question, table, favouring("Discount"), most=1).extracts[0].shown
    assert (shown == "Quantity: more than 1,000; Discount: 10 %") is is_computed


@pytest.mark.parametrize(
    ("question", "is_computed"),
    [
        ("Who approves a claim of \u00a3800?", True),
        ("Who approves a claim of 2,000 pounds?", True),
        ("Who approves a claim of \u00a32020?", True),
        ("Who approves a claim over \u00a3800?", False),
        ("Who approves the lamps of pier 800?", False),
        ("Who approves 800 lamps?", False),
    ],
)
def test_a_sum_of_money_is_found_in_a_column_of_such(question: str, is_computed: bool) -> None:
    def approvers(draft: Draft) -> None:
        rows = [
            ["up to \u00a3500", "the mate"],
            ["\u00a3501 to \u00a32,500", "the master"],
            ["over \u00a32,500", "the owner"],
        ]
        draft.add_table([["Claim", "Approves"], *rows])

    shown = choose(question, approvers, favouring("Approves"), most=1).extracts[0].shown
    assert (shown == "Claim: \u00a3501 to \u00a32,500; Approves: the master") is is_computed


def test_ranges_that_overlap_leave_it_open() -> None:
    table = discounts(["up to 20 crates", "none"], ["10 to 100 crates", "3 %"], ["over 100 crates", "10 %"])
    shown = choose("Which discount is there for 15 crates?", table, favouring("Discount"), most=1).extracts[0].shown
    assert shown.count("Quantity") == 3


def test_a_column_of_other_things_and_one_below_zero_are_no_ranges() -> None:
    names = discounts(["up to 20 crates", "none"], ["barrels or crates", "3 %"], ["sacks or crates", "10 %"])
    frost = discounts(["below -10 degrees", "thick"], ["-9 to 2 degrees", "thin"], ["over 2 degrees", "none"])
    for table, question in ((names, "Which discount has 15 crates?"), (frost, "Which discount has 3 degrees?")):
        assert choose(question, table, favouring("Discount"), most=1).extracts[0].shown.count("Quantity") == 3


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("6\u201310", (6, 10, True)),
        ("18 - 64 years", (18, 64, True)),
        ("1,000 to 4,999", (1000, 4999, True)),
        ("under 18", (-INFINITE, 18, False)),
        ("up to 5 kg", (-INFINITE, 5, True)),
        ("> 30 kg", (30, INFINITE, False)),
        ("65 and over", (65, INFINITE, True)),
        ("10+", (10, INFINITE, True)),
        ("from 20 years", (20, INFINITE, True)),
        ("12 May 2026", None),
        ("Kittiwake", None),
        ("", None),
    ],
)
def test_what_is_a_range(cell: str, expected: tuple[float, float, bool] | None) -> None:
    assert _range(cell) == expected


def test_a_range_may_count_down() -> None:
    def fees(draft: Draft) -> None:
        draft.add_table([
            ["When you cancel", "You pay"],
            ["up to 30 days before", "nothing"],
            ["29 to 8 days before", "30%"],
            ["7 to 2 days before", "60%"],
        ])  # fmt: skip

    found = choose("What do I pay if I cancel five days before?", fees, favouring("nothing"), most=1)
    assert found.extracts[0].shown == "When you cancel: 7 to 2 days before; You pay: 60%"
