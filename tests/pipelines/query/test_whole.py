from time import process_time

import pytest

from pipelines.query.whole import without_whole

SAIL = "how do I reef a sail?"


def rarity(word: str) -> float:
    return {"harbourmaster": 0.5, "boats": 1.0, "lug": 3.0, "saturdays": 0.9, "june": 0.9}.get(word.lower(), 0.0)


def is_word(word: str) -> bool:
    return word in {"boats", "lug"}


@pytest.mark.parametrize(
    "question",
    [
        "how do I reef a sail in Harbourmaster?",
        "In Harbourmaster, how do I reef a sail?",
        "how do I reef a sail in harbourmaster?",
        "in harbourmaster, how do I reef a sail?",
        "with Harbourmaster: how do I reef a sail?",
        "Harbourmaster: how do I reef a sail?",
        "how do I reef a sail in Harbourmaster Boats?",
        "In Harbourmaster, how do I reef a sail in Harbourmaster?",
    ],
)
def test_the_place_that_all_documents_are_about_is_left_out(question: str) -> None:
    assert without_whole(question, rarity, is_word) == SAIL


@pytest.mark.parametrize(
    "question",
    [
        "What is Harbourmaster?",
        "How do I sail with Lug?",  # on few pages
        "How do I sail in Zanzibar?",  # on none
        "When does the ferry run on Saturdays?",
        "when does the ferry run on saturdays?",
        "When does the ferry run in June?",
        "What is done in boats?",  # no name
        "Who sails in Harbourmaster?",  # little would be left
        "How is Harbourmaster rigged?",
        "How do I sail in Harbourmaster without sails?",
        "",
    ],
)
def test_other_names_stay(question: str) -> None:
    assert without_whole(question, rarity, is_word) == question


def test_hostile_questions_take_linear_time() -> None:
    started = process_time()
    for part in ("in A", "In A B, ", " in ", "A: ", "A"):
        without_whole(part * 20_000, rarity, is_word)
    assert process_time() - started < 5
