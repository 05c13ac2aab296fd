"""Questions that ask who made a thing."""

import pytest

from pipelines.query.makers import asks_who_made, with_making
from pipelines.query.question_types import names_new


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the log?",
        "Who founded the club?",
        "Who develops it?",
        "who first created it",
        "Who invented the lamp?",
    ],
)
def test_it_is_asked_who_made_a_thing(question: str) -> None:
    assert asks_who_made(question)


@pytest.mark.parametrize(
    "question", ["Who can create a berth?", "Who leads the club?", "When was it founded?", "What did Ida make?"]
)
def test_it_is_asked_for_something_else(question: str) -> None:
    assert not asks_who_made(question)


@pytest.mark.parametrize(
    "text",
    [
        "In 1902 Ida Holm, the founder of the club, bought a boat.",
        "The club was started by Ida Holm.",
        "A club (by Ida Holm and others)",
        "It was set up by Seabirds in 1902.",
        "In 1902 Seabirds founded it.",
        "Ida Holm designed for sailors the board of the club.",
        "The club was created in 1902 under Ida Holm.",
        "Ida Holm, the writer of the rules, lives on a boat.",
    ],
)
def test_a_sentence_that_names_a_maker_says_the_verb_too(text: str) -> None:
    assert with_making("Who founded the club?", text) == f"{text} founded"
    assert with_making("Who leads the club?", text) == text


@pytest.mark.parametrize(
    "text",
    [
        "The Credits page shows who wrote it.",
        "Ida Holm sails. The boat was built.",
        "Then he founded it. They built boats.",
        "All that was written in our Club House.",
        "The Sailor's Reference is in the developers-reference of North Harbour.",
        "Ebb (Easy Boat Board) is a plain board, designed for many harbours.",
        "A token trades on the pier. It was not created by Ida Holm or the club.",
        "Ida Holm, writer: The club is a joy.",
        "Be you a boat builder, a technical writer or a North Harbour pilot, come aboard.",
        "The rules are written in Old Norse.",
    ],
)
def test_a_text_that_names_no_maker_stays_as_it_is(text: str) -> None:
    assert with_making("Who founded the club?", text) == text


def test_what_can_be_found_was_not_founded() -> None:
    assert with_making("Who founded the club?", "Clubs can be found there.") == "Clubs can be  there."
    assert with_making("Who leads the club?", "Clubs can be found there.") == "Clubs can be found there."


def test_names_in_sentences_of_something_else_are_no_makers() -> None:
    question = "Who founded the club?"
    assert names_new("name", "It was founded by Ida Holm.", question)
    assert not names_new("name", "The log can be found in the Blue Cabin.", question)
    assert names_new("name", "The log is in the Blue Cabin.", "Who keeps the log?")
