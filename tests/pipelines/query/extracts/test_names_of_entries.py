"""Entries that are named: what they are by default, and lists that are shown as the names of their entries."""

import pytest

from pipelines.query.extracts.language.defaults import asked_setting
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

_LONG = "It is kept by the harbour master, who writes it down in the book of the pier at the end of each day. "


def options(draft: Draft) -> None:
    draft.add_heading(1, "The pilot")
    draft.add_heading(2, "What may be set")
    for names, told in (
        ("-w, --wait", "How long the pilot waits if the tide is late. Default is 10 minutes."),
        ("-t, --tide", "How high the water must be. The default is 2.5 metres."),
        ("-x, --spring-tide", "How high it may be. The default is 3.5 metres."),
        ("-l, --sea-level", "How the pilot tells the sea. Valid levels are calm, rough and high."),
        ("-s, --sails", "Sails that are set."),
        *((f"-{letter}, --boat-{letter}", "Where one of the boats lies.") for letter in "abcdefghijkmnopq"),
    ):
        draft.add(names, "term")
        draft.add(f"{told} {_LONG}", "definition", level=1)


def test_an_entry_that_has_only_the_first_word_of_the_asked_setting_is_of_another() -> None:
    def settings(draft: Draft) -> None:
        draft.add("tide", "term")
        draft.add("How high the water is. The default is 2.5 metres.", "definition", level=1)
        draft.add_heading(1, "Clocks")
        draft.add("The pilot comes with a tide clock, which stands at noon by default.")

    first = choose("What is the default tide clock?", settings, favouring("clock"), most=1).extracts[0]
    assert first.shown.startswith("The pilot comes with a tide clock")


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What is the default tide of the pilot?", "-t, --tide: "),
        ("What is the default spring tide of the pilot?", "-x, --spring-tide: "),
    ],
)
def test_the_entry_of_what_is_asked_says_its_default_rather_than_one_that_speaks_of_it(
    question: str, begins: str
) -> None:
    reader = favouring("late", "waits", "pilot")
    first = choose(question, options, reader, most=1).extracts[0]
    assert first.shown.startswith(begins)


def test_of_two_entries_of_the_asked_setting_the_better_one_says_its_default() -> None:
    def settings(draft: Draft) -> None:
        for place in ("harbour", "open sea"):
            draft.add_heading(1, f"At the {place}")
            draft.add("tide", "term")
            draft.add(f"How high the water is at the {place}. The default is 2.5 metres.", "definition", level=1)
        draft.add("wait", "term")
        draft.add(
            "How long to wait for the tide of the open sea at the pier. The default is 10.", "definition", level=1
        )

    reader = favouring("open sea", "pier", "wait")
    first = choose("What is the default tide of the open sea?", settings, reader, most=1).extracts[0]
    assert first.shown.startswith("tide: How high the water is at the open sea.")


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


@pytest.mark.parametrize(
    "question", ["What is the default tide of the pilot?", "Which sea levels does the pilot know?"]
)
def test_names_are_not_shown_beside_what_answers(question: str) -> None:
    found = choose(question, options, favouring("tide", "Valid"))
    assert not any(one.shown.startswith("- ") for one in found.extracts)


@pytest.mark.parametrize(
    ("question", "setting"),
    [
        ("What is the default tide of the pilot?", "tide"),
        ("What is the default number of harbour pilots?", "harbour pilots"),
        ("What is the default value of tide_wait?", "tide_wait"),
        ("What is the default for the sea level?", "sea level"),
        ("What is the default of the tide option?", "tide"),
        ("How long do pilots wait by default?", ""),
        ("How long do pilots wait?", ""),
    ],
)
def test_a_question_for_a_default_names_the_setting(question: str, setting: str) -> None:
    assert asked_setting(question) == setting
