"""Days without a year, as people ask for them and tables and letters write them."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.language.dates import names_month_left_out, names_other_dates, yearless_days


@pytest.mark.parametrize(
    "text",
    [
        "2030-12-08", "08/12/2030 | lock", "8.12.2030", "8/12/30", "Dec. 8th", "Friday 8 December 2030", "on 8th Dec",
        "8 and 9 December", "from 5 to 12 December", "5\u20139 December",
    ],
)  # fmt: skip
def test_a_day_without_a_year_is_found_in_any_writing(text: str) -> None:
    (day,) = yearless_days("Who keeps the lock on 8 December?")
    assert day.is_in(text)


@pytest.mark.parametrize(
    "text", ["18 December", "2030-12-11", "7 and 9 December", "8 November", "version 1.8.12", "12 Decks"]
)
def test_another_day_is_not_that_one(text: str) -> None:
    (day,) = yearless_days("Who keeps the lock on 8 December?")
    assert not day.is_in(text)


@pytest.mark.parametrize(
    "question",
    [
        "Who may 3 of us ask?", "Which of the 3 may vote?", "Is it open on 8 December 2030?",
        "Who keeps it in May 2031?", "Is May 9 am free?",
    ],
)  # fmt: skip
def test_a_question_may_name_no_day_without_a_year(question: str) -> None:
    assert yearless_days(question) == []


@pytest.mark.parametrize("question", ["Is it open on 8 may?", "Is it open on the 8th of may?", "is it free by may 8?"])
def test_a_month_in_small_letters_stands_behind_what_leads_to_a_day(question: str) -> None:
    (day,) = yearless_days(question)
    assert day.is_in("2030-05-08")


def test_a_text_without_dates_in_figures_has_no_other_ones() -> None:
    assert names_other_dates("Who keeps it on 8 December?", "2030-12-11: Liv")
    assert names_other_dates("Who keeps it on 8 December?", "11/12/30 | Liv")
    assert not names_other_dates("Who keeps it on 8 December?", "Liv, since version 2.40.10.")
    assert not names_other_dates("Who keeps it on 8 December?", "Per keeps it in winter.")
    assert not names_other_dates("Who keeps it in December?", "2030-12-11: Liv")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("From: 2030-11-28; To: 2030-12-12; Keeper: Liv", False),
        ("20/11/2030 to 05/01/2031: Liv", False),
        ("From: 2030-12-09; To: 2030-12-12; Keeper: Liv", True),
        ("20/12/2030 to 05/01/2031: Liv", True),
        ("2030-12-01, 2030-12-11 and 2030-12-21: Liv", True),
    ],
)
def test_a_day_between_two_dates_is_not_another_one(text: str, names: bool) -> None:
    assert names_other_dates("Who keeps it on 8 December?", text) is names


@pytest.mark.parametrize(
    ("question", "text", "is_left_out"),
    [
        ("When is the next regatta after June?", "The next regatta is on 11 June 2030.", True),
        ("Which day is free before May?", "Free on 3 May.", True),
        ("When is the next regatta after June?", "It is on 11 June or 3 July.", False),
        ("When is the next regatta after June?", "It is in summer.", False),
        ("When is the next regatta after June?", "They are on 11 June, and then each Sunday in August.", False),
        ("When is the next regatta after June?", "It may be on 11 June.", True),
        ("When is the regatta in June?", "The regatta is on 11 June.", False),
        ("Where do boats go after June?", "On 11 June to Ostvik.", False),
    ],
)
def test_a_day_of_the_month_that_a_question_leaves_out_is_none(question: str, text: str, is_left_out: bool) -> None:
    assert names_month_left_out(question, text) == is_left_out
