"""Rows of tables whose range holds a number of the question."""

import pytest

from pipelines.query.extracts.ranges import _range
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.test_chooser import choose, favouring

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
    ],
)
def test_the_row_whose_range_holds_the_number_answers(question: str, shown: str) -> None:
    found = choose(question, leave, favouring("27"), most=1)
    assert found.extracts[0].shown == shown
    assert " | " in found.extracts[0].quote


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("How many days of leave are there after 7 weeks?", "of another unit"),
        ("How many days of leave are there after some years?", "without a number"),
        ("How many days of leave had version 7.1?", "a version"),
    ],
)
def test_another_number_chooses_no_row(question: str, why: str) -> None:
    found = choose(question, leave, favouring("2 to 5"), most=1)
    assert found.extracts[0].shown.removeprefix("Years of service: ") != "6 to 10; Days of leave: 29", why


def test_ranges_that_overlap_leave_it_open() -> None:
    def rates(draft: Draft) -> None:
        draft.add_table([["Weight", "Price"], ["up to 2 kg", "5"], ["1 to 10 kg", "9"], ["over 10 kg", "20"]])

    found = choose("What is the price of 1.5 kg?", rates, favouring("over"), most=1)
    assert found.extracts[0].shown != "Weight: 1 to 10 kg; Price: 9"


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
