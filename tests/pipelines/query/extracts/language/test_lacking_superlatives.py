"""Questions for the most or the least of some things, and texts that say nothing of that kind."""

import time

import pytest

from pipelines.query.extracts.language.superlatives import lacks_superlative
from pipelines.query.extracts.mismatch import is_off_subject
from tests.pipelines.query.extracts.drafts import extract


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("Which ferry is the fastest?", "Ferries leave from piers of all kinds.", True),
        ("Which ferry is the fastest?", "The Teal is faster than all others.", False),
        ("Which ferry is the fastest?", "The Teal crosses in 20 minutes.", False),
        ("Which ferry is the cheapest for families?", "Families sit on deck.", True),
        ("Which ferry is the cheapest for families?", "A family pays no fee on the Teal.", False),
        ("Which ferry is the heaviest?", "The Teal weighs more than the Heron.", False),
        ("Which ferry is the biggest?", "The Teal is large.", False),
        ("Which crew is the best?", "Crews are hired in May.", True),
        ("Which crew is the best?", "We recommend the crew of the Teal.", False),
        ("Which ferry is the most popular?", "Ferries leave at nine.", True),
        ("Which ferry is the most popular?", "The Teal is popular with guests.", False),
        ("Which ferry is the newest?", "The Teal was built in 2024.", False),
        ("Which ferry leaves first?", "Ferries leave at nine.", False),
    ],
)
def test_a_text_says_what_is_the_most_so(question: str, text: str, lacks: bool) -> None:
    assert lacks_superlative(question, text) is lacks


def test_such_an_answer_is_off_the_subject() -> None:
    told = extract("Ferries leave from the northern pier and from the southern pier.", headings=("Ferries",))
    assert is_off_subject("Which ferry is the fastest?", told)
    assert not is_off_subject("Which ferry leaves from the northern pier?", told)


def test_hostile_questions_end() -> None:
    began = time.process_time()
    for question in (
        "which " * 9_000,
        "which is the " * 4_000,
        "which a is the " + "e" * 50_000,
        "which a is the best for" * 999,
    ):
        lacks_superlative(question, "")
    assert time.process_time() - began < 5
