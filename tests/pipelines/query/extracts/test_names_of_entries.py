"""Entries that are named: what they are by default, and lists that are shown as the names of their entries."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.test_chooser import choose, favouring

_LONG = "It is kept by the harbour master, who writes it down in the book of the pier at the end of each day. "


def options(draft: Draft) -> None:
    draft.add_heading(1, "The pilot")
    draft.add_heading(2, "What may be set")
    for names, told in (
        ("-w, --wait", "How long the pilot waits if the tide is late. Default is 10 minutes."),
        ("-t, --tide", "How high the water must be. The default is 2.5 metres."),
        ("-l, --sea-level", "How the pilot tells the sea. Valid levels are calm, rough and high."),
        ("-s, --sails", "Sails that are set."),
        *((f"-{letter}, --boat-{letter}", "Where one of the boats lies.") for letter in "abcdefghijkmnopq"),
    ):
        draft.add(names, "term")
        draft.add(f"{told} {_LONG}", "definition", level=1)


def test_the_entry_of_what_is_asked_says_its_default_rather_than_one_that_speaks_of_it() -> None:
    first = choose("What is the default tide of the pilot?", options, favouring("late"), most=1).extracts[0]
    assert first.shown.startswith("-t, --tide: ")


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Which sea levels does the pilot know?", "-l, --sea-level: "),
        ("What levels can the sea have?", "-l, --sea-level: "),
    ],
)
def test_one_of_the_names_of_a_list_is_the_thing_that_is_asked_for(question: str, begins: str) -> None:
    first = choose(question, options, favouring("Valid"), most=1).extracts[0]
    assert first.shown.startswith(begins)


def test_names_are_shown_where_their_heading_says_what_they_are() -> None:
    def renamed(draft: Draft) -> None:
        draft.add_heading(1, "The pilot")
        draft.add_heading(2, "Options")
        for letter in "abcdefghijkmnopqrst":
            draft.add(f"--{letter}", "term")
            draft.add(f"Says so. {_LONG}", "definition", level=1)

    first = choose("Which options does the pilot have?", renamed, favouring("--a"), most=1).extracts[0]
    assert first.shown.startswith("- --a, --b, --c,")


def test_names_are_not_shown_beside_what_answers() -> None:
    found = choose("What is the default tide of the pilot?", options, favouring("tide"))
    assert not any(one.shown.startswith("- ") for one in found.extracts)
