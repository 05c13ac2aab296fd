"""The most and the least that may be."""

from __future__ import annotations

import time

import pytest

from pipelines.query.extracts.certainty import most_sure
from pipelines.query.extracts.language.limits import lacks_limit
from tests.pipelines.query.extracts.test_certainty import extract

MOST = "What is the maximum number of boats in the lock?"
LEAST = "What is the minimum age of a pilot?"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (MOST, "The lock takes up to 9 boats."),
        (MOST, "Maximum: 9 boats"),
        (MOST, "No more than 9 boats enter the lock."),
        (MOST, "The lock has room for 9 boats."),
        (MOST, "Between about 4 and 9 boats enter the lock."),
        (MOST, "Boats in the lock are limited to 9."),
        (LEAST, "Pilots are at least 21 years old."),
        (LEAST, "Nobody under 21 years becomes a pilot, and nobody needs to be younger than 70."),
        (LEAST, "A pilot must be 21."),
        (LEAST, "Pilots need to be 21."),
        (LEAST, "Children from the age of twelve may steer."),
        (MOST, "The lock holds nine boats."),
        (MOST, "The lock takes 9 boats."),
        ("Is 9 the maximum number of boats?", "There are 9 boats."),
        ("What is the maximum?", "There are 9 boats."),
    ],
)
def test_a_text_may_say_the_most_or_the_least(question: str, text: str) -> None:
    assert not lacks_limit(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (MOST, "On Sunday 9 boats waited between two tides."),
        (MOST, "On Sunday 9 boats waited, and only the keeper saw them. Their crews must pay."),
        (MOST, "9 boats came. The hall was full of guests, and seating was rare."),
        (LEAST, "A pilot is 44 years old."),
        (LEAST, "A pilot is 44 years old, comes from the north and starts early. New pilots need a lamp."),
    ],
)
def test_another_number_is_not_surely_the_most_or_the_least(question: str, text: str) -> None:
    assert lacks_limit(question, text)
    assert most_sure(question, extract(text)) < 0.6


COUNT = "What is the maximum number of boats the lock can hold?"


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("The maximum time in which a boat can pass is 900 seconds.", True),
        ("Boats of at most 30 m are let in.", True),
        ("The lock holds at most 9.", False),
        ("Boats in the lock: max. 9", False),
        ("Lock, maximum number of boats: nine", False),
        ("No more than 1,200 small boats can enter.", False),
        ("The most it holds are sixteen boats.", False),
        ("The longest of the boats tends to wait.", True),
    ],
)
def test_how_long_or_large_one_may_be_is_not_how_many_there_may_be(text: str, lacks: bool) -> None:
    assert lacks_limit(COUNT, text) == lacks


def test_a_word_that_begins_like_a_number_is_none() -> None:
    question = "What is the maximum age?"
    assert lacks_limit(question, "Boats must be tended.")
    assert not lacks_limit(question, "Boats must be ten.")


def test_hostile_questions_take_linear_time() -> None:
    started = time.process_time()
    for text in ("max boat " * 6_000, "max 1," * 9_000, "max number of a " * 4_000, "max " + "1 a " * 12_000):
        lacks_limit(COUNT, text)
        lacks_limit(f"What is the maximum {text}", "At most boats.")
    for text in (
        "no " * 50_000,
        "as " * 50_000,
        " " * 50_000,
        "9 " * 50_000,
        "only a " * 20_000,
        "must" + " " * 50_000,
        "what is the " + "a " * 50_000,
    ):
        lacks_limit(MOST, text)
        lacks_limit(text, "There are 9 boats.")
    assert time.process_time() - started < 5
