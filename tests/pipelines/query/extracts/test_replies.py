"""Replies below the question itself, as in an FAQ."""

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.named_headings import NamedHeadings
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored


def test_below_a_heading_that_is_the_question_the_reply_begins() -> None:
    def questions(draft: Draft) -> None:
        draft.add_heading(1, "Why are there no lamps?")
        draft.add("Nobody sails at night in this bay.")
        draft.add("line 1", "code")
        draft.add("A lighthouse stands at the cape.")

    found = choose("Why are there no lamps?", questions, favouring_a_little("lighthouse"), most=1)
    assert found.extracts[0].shown == "Nobody sails at night in this bay."


@pytest.mark.parametrize("reply", ["Yes.", "Answer: No.", "No, sorry!"])
def test_a_word_that_replies_stands_before_what_it_means(reply: str) -> None:
    def questions(draft: Draft) -> None:
        draft.add_heading(1, "Are there lamps on the pier?")
        draft.add(reply)
        draft.add("Nobody sails at night in this bay.")
        draft.add("A lighthouse stands at the cape.")

    found = choose("Are there lamps on the pier?", questions, favouring_a_little("lighthouse"), most=1)
    assert " ".join(found.extracts[0].shown.split()) == f"{reply} Nobody sails at night in this bay."


def test_code_below_the_question_itself_goes_before_a_better_sentence_elsewhere() -> None:
    def release(draft: Draft) -> None:
        draft.add_heading(1, "Locks")
        draft.add("A boat is let go where the lock of its chain is open, and its chain is at hand.")
        draft.add_heading(1, "Letting a boat go")
        draft.add("Type this at the pier:")
        draft.add("pier cast-off --now", "code", level=1)

    text = stored(release)
    chooser = Chooser(Reader(lambda _, texts: np.array([2.5 * ("chain" in text) for text in texts])), TERMS)
    (first, *_) = chooser.choose("How do I let a boat go?", [hit(text)], [text], 2).extracts
    assert first.shown.endswith("pier cast-off --now")


@pytest.mark.parametrize("heading", ["How do I mend a torn sail?", "My sail is torn. How do I mend the sail?"])
def test_a_reply_to_the_question_is_shown_from_its_beginning(heading: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, heading)
        draft.add(
            "You have to sew it by hand. A machine breaks the threads of the cloth, for those are made of flax that "
            "was twisted by hand long ago, and no needle of steel goes through it fast without harm. The canvas that "
            "is sewn on has to be wider than the hole by the width of a hand on each of its four sides."
        )

    found = choose("How do I mend a torn sail?", manual, favouring("canvas", "sewn"), most=1)
    assert found.extracts[0].shown.startswith("You have to sew it by hand.")


@pytest.mark.parametrize(
    ("heading", "asks"),
    [
        ("3.1. How do I mend a torn sail?", True),
        ("My sail is torn. How do I mend it?", True),
        ("Mending a torn sail", False),
        ("Can a torn sail be mended?", False),
        ("How do I mend a torn sail of flax at sea in the dark?", False),
        ("How do I mend a sail?", False),
    ],
)
def test_a_heading_asks_the_same_in_the_same_form_with_few_more_words(heading: str, asks: bool) -> None:
    assert NamedHeadings("How do I mend a torn sail?", TERMS).asks_same(heading) is asks


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("Why does the lock open at night?", "Why does the lock not open at night?"),
        ("What does a berth include?", "What does a berth not include?"),
        ("Who pays for the berth?", "When do I pay for the berth?"),
        ("Can I let my berth?", "Can the harbour let my berth?"),
    ],
)
def test_a_heading_does_not_ask_the_opposite_or_for_something_else(question: str, heading: str) -> None:
    assert not NamedHeadings(question, TERMS).asks_same(heading)
    assert not NamedHeadings(heading, TERMS).asks_same(question)
