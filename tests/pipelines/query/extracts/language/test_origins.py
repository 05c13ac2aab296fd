"""Texts that tell where a name comes from, and texts that only have it."""

import pytest

from pipelines.query.extracts.language.absence import names_absent
from pipelines.query.extracts.language.origins import lacks_origin
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little
from tests.pipelines.query.extracts.drafts import extract, hit, stored

QUESTION = "Where does the name Ebb come from?"
USE = "Do not use the Ebb name for boats that are not built by the yard."


@pytest.mark.parametrize("question", [QUESTION, "How did Ebb get its name?", "What is Ebb named after?"])
def test_a_text_that_only_has_the_name_does_not_tell_where_it_comes_from(question: str) -> None:
    assert lacks_origin(question, USE)
    assert is_off_subject(question, extract(USE, "Ebb"))
    assert names_absent(question, [hit(stored(lambda draft: draft.add(USE)))])


@pytest.mark.parametrize(
    "text",
    [
        "Ebb is named after the tide that leaves the harbour.",
        "Ebb stands for Every Boat's Berth.",
        "The name comes from the tide.",
        "It is short for Ebbing Boats.",
        "Ebb is the Norse word for low water.",
        "It is Danish for low water.",
        "The yard owes its name to the tide.",
        "It comes from the word for low water.",
        "The yard was called so because it lies dry at low tide.",
    ],
)
def test_these_tell_where_it_comes_from(text: str) -> None:
    assert not lacks_origin(QUESTION, text)


@pytest.mark.parametrize(
    "question",
    [
        "Who may use the name Ebb?",
        "Why is the crew called twice?",
        "Why was the regatta called off?",
        "Why is my bell never called?",
        "How did the yard get the names of the crew?",
    ],
)
def test_other_questions_ask_for_no_origin(question: str) -> None:
    assert not lacks_origin(question, USE)


def test_why_a_thing_has_its_name_is_asked_by_that_name() -> None:
    assert lacks_origin("Why is the yard called Ebb?", USE)
    assert lacks_origin('Why are the boats called "The Nine"?', USE)


def test_what_tells_where_it_comes_from_comes_first() -> None:
    def manual(draft: Draft) -> None:
        draft.add(USE)
        draft.add("The yard was called Ebb by those who waited for the tide.")

    found = choose("How did Ebb get its name?", manual, favouring_a_little("boats"), most=1)
    assert found.extracts[0].shown.startswith("The yard was called Ebb")
