"""Texts on the other end of what a question names: on the beginning of a race for what is after it."""

import pytest

from pipelines.query.extracts.language.ends import tells_other_end, tells_own_end
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import extract

QUESTION = "Which bell is rung after a boat is moored?"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (QUESTION, "The small bell is rung at the beginning of the mooring."),
        ("Which flag is shown before the race?", "The red flag is shown at the end of the race."),
    ],
)
def test_the_other_end_of_the_thing_is_off_the_subject(question: str, text: str) -> None:
    assert tells_other_end(question, text)
    assert is_off_subject(question, extract(text))


@pytest.mark.parametrize(
    "text",
    [
        "The large bell is rung at the end of the mooring.",
        "It is rung at the beginning of the mooring, and again at the end of the mooring.",
        "The small bell is rung at the beginning of the week.",
        "The bell is rung when all is done.",
    ],
)
def test_its_own_end_and_other_things_are_on_it(text: str) -> None:
    assert not tells_other_end(QUESTION, text)
    assert not tells_other_end("Which bell is rung after the beginning of mooring?", text)
    assert not tells_other_end("Which bell is rung before the end of the mooring?", text)
    assert not tells_other_end("Which bell is rung?", "The small bell is rung at the beginning of the mooring.")


def test_what_tells_of_its_own_end_comes_first() -> None:
    def bells(draft: Draft) -> None:
        draft.add("The small bell is rung at the beginning of the mooring.")
        draft.add("The large one is rung at the end of the mooring.")

    assert tells_own_end(QUESTION, "The large one is rung at the end of the mooring.")
    found = choose("Which one is rung after a boat is moored?", bells, favouring("rung"), most=1)
    assert found.extracts[0].shown.startswith("The large one")
