"""The noun behind "which", which what answers says too."""

import pytest

from pipelines.query.extracts.language.asked_nouns import asked_noun
from pipelines.query.extracts.mismatch import is_off_subject
from tests.pipelines.query.extracts.drafts import extract

LONG = (
    "The pier is owned by its village, and each berth of the pier is owned by the guest who paid for the berth when "
    "the pier was built."
)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which boat carries the post?", "boat"),
        ("Which boats carry the post?", "boats"),
        ("Which old boat carried the post?", "boat"),
        ("Which mooring modes does a boat have?", "modes"),
        ("And what prize was given to Ida?", "prize"),
        ("Which of the boats is the oldest?", ""),
        ("What carries the post?", ""),
        ("What is a boat?", ""),
        ("Which year was it?", ""),
        ("In which harbour does it lie?", ""),
        ("Which Ebb is the newest?", ""),
        ("What goes into the hold?", ""),
        ("Which?", ""),
    ],
)
def test_the_word_behind_a_noun_shows_it(question: str, noun: str) -> None:
    assert asked_noun(question) == noun


@pytest.mark.parametrize(
    ("question", "told", "heading", "is_off"),
    [
        ("Which company owns the pier?", LONG, "Piers", True),
        ("Which company owns the pier?", f"{LONG} That is a company of four.", "Piers", False),
        ("Which company owns the pier?", LONG, "Companies of the harbour", False),
        ("Which company owns the pier?", "The pier is owned by Ebb.", "Piers", False),
        ("Which company owns the pier?", f"{LONG} It is let to Ebb, Flow, Tide, Old Moor and Reef.", "Piers", False),
        ("Who owns the pier?", f"{LONG} Ida collects the fee.", "Piers", False),
    ],
)
def test_what_never_says_the_noun_is_off_the_subject(question: str, told: str, heading: str, is_off: bool) -> None:
    assert is_off_subject(question, extract(told, headings=(heading,))) is is_off


def test_hostile_questions_end() -> None:
    for question in ("which " * 10_000, "Which " + "boats " * 10_000, "Which " + "a" * 50_000 + "s carry"):
        assert asked_noun(question) in ("", "boats")
