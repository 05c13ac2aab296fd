"""Denied words, as answers to a question for yes or no."""

import pytest

from pipelines.query.extracts.language.denials import denies_otherwise, with_denied
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Letters are stored unencrypted.", "encrypted"),
        ("The path is unpaved.", "paved"),
        ("This is a non-portable lamp.", "portable"),
    ],
)
def test_a_denied_word_answers_a_question_for_yes_or_no(text: str, word: str) -> None:
    assert with_denied(f"Is it {word}?", text) == f"{text} {word}"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How is it encrypted?", "Letters are stored unencrypted."),
        ("Is it safe?", "The path is unpaved."),
        ("Is it encrypted?", "Letters are locked."),
    ],
)
def test_other_texts_stay_as_they_are(question: str, text: str) -> None:
    assert with_denied(question, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Sail: red; Stock: out of stock",
        "Cats may board every ferry except the night ferry.",
        "The last ferry is sold out.",
    ],
)
def test_some_words_deny_without_a_not(text: str) -> None:
    assert denies_otherwise(text)


@pytest.mark.parametrize(
    "text",
    [
        "Cats may board every ferry.",
        "It sails out of the harbour, but all wait. Except Ida.",
        "Every berth has water, but no light.",
        "All berths have water but you need a hose.",
    ],
)
def test_other_words_deny_nothing(text: str) -> None:
    assert not denies_otherwise(text)


def test_what_is_denied_comes_before_what_says_nothing_of_it() -> None:
    def letters(draft: Draft) -> None:
        draft.add("Letters of the club are kept in the harbour.")
        draft.add("Letters of the club are stored unencrypted.")
        draft.add("Letters of the club are read on Mondays.")

    found = choose("Are letters of the club encrypted?", letters, favouring(), most=1)
    assert found.extracts[0].shown == "Letters of the club are stored unencrypted."
