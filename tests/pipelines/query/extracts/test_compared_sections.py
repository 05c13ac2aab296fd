"""Sections that a question names side by side."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.compared_sections import sections_compared
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

LUG = "A lug sail hangs from a yard. It is set in a minute. It has the following parts."
GAFF = "The gaff sail is held by a spar at its head."


def sails(lug: str = "Lug sail", gaff: str = "Gaff sail (old)", said: str = GAFF) -> Callable[[Draft], None]:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails of the harbour")
        for name, text in ((lug, LUG), ("Jib", "It is small."), (gaff, said), ("Storm jib", "For storms.")):
            draft.add_heading(2, name)
            draft.add(text)

    return fill


def shown(question: str, fill: Callable[[Draft], None]) -> list[str]:
    text = stored(fill)
    return [one.shown for one in sections_compared(question, [hit(text)], [text], TERMS)]


BOTH = f"Lug sail: A lug sail hangs from a yard. It is set in a minute.\nGaff sail (old): {GAFF}"


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between a lug sail and a gaff sail?",
        "How do gaff sails differ from lug sails?",
        "Lug sail vs gaff sail?",
    ],
)
def test_the_beginnings_of_both_sections_are_one_answer(question: str) -> None:
    text = stored(sails())
    (extract,) = Chooser(favouring("yard"), TERMS).choose(question, [hit(text)], [text], 1).extracts
    assert extract.shown == BOTH


@pytest.mark.parametrize(
    ("question", "fill"),
    [
        ("What is the difference between a lug sail and a spritsail?", sails()),
        ("Where do I see a lug sail and a gaff sail?", sails()),
        ("What is the difference between a lug sail and a gaff sail?", sails(said="See below:")),
        ("What is the difference between a lug sail and a gaff sail?", sails(lug="Sewing a lug sail")),
        ("What is the difference between a jib and a lug sail?", sails(gaff="Jib")),
    ],
)
def test_else_no_sections_are_joined(question: str, fill: Callable[[Draft], None]) -> None:
    assert shown(question, fill) == []


def test_thousands_of_headings_are_read_in_little_time() -> None:
    def fill(draft: Draft) -> None:
        for number in range(5_000):
            draft.add_heading(2, f"Sail {number}")

    text, began = stored(fill), process_time()
    assert not list(sections_compared("What is the difference between lug and gaff?", [hit(text)], [text], TERMS))
    assert process_time() - began < 2
