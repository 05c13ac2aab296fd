"""Days of the week and months that texts name, in whichever form."""

from time import process_time

import pytest

from pipelines.query.extracts.language.day_names import (
    WEEKDAYS,
    is_of_weekdays,
    names_day,
    names_other_days,
    weekdays_asked,
    weekdays_in,
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Tuesday – Friday: 9 to 5", "tuesday wednesday thursday friday"),
        ("Fri to Mon", "friday saturday sunday monday"),
        ("between Monday and Wednesday", "monday tuesday wednesday"),
        ("on Mondays and Wednesdays", "monday wednesday"),
        ("Mon, Thurs; Sat 9-12", "monday thursday saturday"),
        ("at weekends", "saturday sunday"),
        ("The Sun heats the deck, and Sat Nav shows the way.", ""),
    ],
)
def test_days_are_named_in_many_forms(text: str, days: str) -> None:
    assert {WEEKDAYS[day] for day in weekdays_in(text)} == set(days.split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mondays", "Monday: closed"),
        ("Thursday", "Thu: choir"),
        ("Wednesday", "Tuesday – Friday: 9 to 5"),
        ("Sunday", "The ferry runs daily."),
        ("December", "on 19 Dec"),
        ("June", "open from 1 April 2026 to the 31st of October"),
        ("March", "closed: 2025-03-14 08:00"),
        ("May", "built on 7.5.2024"),
    ],
)
def test_a_day_or_a_month_is_the_same_in_another_form(name: str, text: str) -> None:
    assert names_day(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Monday", "Tuesday – Friday"),
        ("May", "you may land"),
        ("June", "in April and October"),
        ("Heron", "Mon"),
        ("March", "closed: 2025-04-03"),
        ("May", "version 1.5.2024.1"),
        ("May", "2025-050"),
    ],
)
def test_another_day_or_month_is_another(name: str, text: str) -> None:
    assert not names_day(name, text)


def test_other_days_do_not_tell_of_the_day_that_is_asked_about() -> None:
    question = "when does the lock open on sundays"
    assert names_other_days(question, "Monday to Friday from 9")
    assert not names_other_days(question, "from 9")
    assert not names_other_days(question, "from 9, at weekends from 10")
    assert not names_other_days(question, "daily from 9, on Mondays from 10")
    assert not names_other_days("When does the lock open?", "Mondays from 9")


def test_the_day_of_a_date_pins_nothing_down() -> None:
    assert not weekdays_asked("Is the lock open on Friday 26 December?")


def test_a_cell_of_days_holds_those_that_are_asked_about() -> None:
    assert is_of_weekdays("When does the lock open on Wednesdays?", "Tue–Fri")
    assert is_of_weekdays("When does the lock open on Sundays?", "Sunday and bank holidays")
    assert not is_of_weekdays("When does the lock open on Sundays?", "Sunday lunch")
    assert not is_of_weekdays("When does the lock open?", "Sunday")


def test_days_are_found_in_linear_time() -> None:
    started = process_time()
    for text in ("Monday to " * 20_000, "Mon - " * 20_000, "between " * 20_000 + "Monday" + " " * 20_000):
        weekdays_in(text)
    assert process_time() - started < 5
