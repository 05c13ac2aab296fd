"""Headings that are the list that is asked for."""

import time

import pytest

from pipelines.query.extracts.outlines import outlines_of
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.extracts.test_chooser import TERMS, choose, favouring


def boats(*titles: str, above: str = "Boat sails") -> StoredText:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, above)
        draft.add("A boat is nothing without its sails, and every harbour knows many of them.")
        for title in titles:
            draft.add_heading(2, title)
            draft.add("It is sewn of flax, and lasts ten years.")

    return stored(fill)


def shown(question: str, text: StoredText) -> list[str]:
    return [one.shown for one in outlines_of(question, [hit(text)], [text], TERMS)]


NAMED = ("Lug sail", "Gaff sail", "Square sail")


def test_headings_that_are_called_by_the_thing_are_the_list() -> None:
    found = choose("Which boat sails are there?", boats(*NAMED), favouring("many"))
    first = found.extracts[0]
    assert first.shown.endswith("\n- Lug sail\n- Gaff sail\n- Square sail")
    assert first.quote.endswith("\nSquare sail")
    assert first.headings == ("Boat sails",)


def test_headings_under_the_thing_alone_are_the_list() -> None:
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square")) == ["- Lug\n- Gaff\n- Square"]
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square", above="Types of boat sails"))
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square", above="Care of boat sails")) == []


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("How do I reef a boat sail?", NAMED),
        ("Which boat masts are there?", NAMED),
        ("Which boat sails are there?", NAMED[:2]),
        ("Which boat sails are there?", ("Sewing a sail", "Reefing a sail", "Drying a sail")),
        ("Which boat sails are there?", ("What is a sail?", "How old is a sail?", "Who sews a sail?")),
        ("Which boat sails are there?", tuple(f"Sail {number} sail" for number in range(30))),
        ("Which river sails are there?", NAMED),
    ],
)
def test_other_headings_are_no_list(question: str, titles: tuple[str, ...]) -> None:
    assert shown(question, boats(*titles)) == []


def test_thousands_of_headings_are_read_in_no_time() -> None:
    text = boats(*(f"Sail {number}" for number in range(5_000)))
    began = time.perf_counter()
    assert shown("Which boat sails are there?", text) == []
    assert time.perf_counter() - began < 2
