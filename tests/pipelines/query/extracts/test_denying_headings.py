"""What stands below a heading that denies it begins with that heading."""

from time import process_time

import pytest

from pipelines.query.extracts.denying_headings import behind_denials
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


def rules(draft: Draft) -> None:
    draft.add_heading(1, "Rules of the boathouse")
    draft.add_heading(2, "What is not allowed")
    draft.add("- Open fire and candles", "item", level=1)
    draft.add("- Boats in the hall", "item", level=1)
    draft.add("Ask the master before you leave.")
    draft.add_heading(2, "Not covered?")
    draft.add("Damage by frost and by mice that live in the sails.")
    draft.add_heading(2, "Exclusions")
    draft.add("Guests may not use the crane.")


def shown(question: str, *words: str) -> str:
    return choose(question, rules, favouring(*words), 1).extracts[0].shown


def test_an_item_below_a_heading_that_denies_begins_with_it() -> None:
    assert shown("Are candles allowed?", "candles").startswith("What is not allowed:\n- Open fire and candles")


def test_prose_below_a_heading_that_denies_begins_with_it() -> None:
    told = "Not covered? Damage by frost and by mice that live in the sails."
    assert shown("Is damage by mice insured?", "mice") == told


def test_prose_behind_what_is_denied_is_shown_alone() -> None:
    assert shown("Whom do I ask before I leave?", "master") == "Ask the master before you leave."


def test_what_denies_itself_is_shown_alone() -> None:
    assert shown("May guests use the crane?", "crane") == "Guests may not use the crane."


@pytest.mark.parametrize(
    ("heading", "is_shown"),
    [
        ("2.3 Exclusions", True),
        ("Prohibited goods", True),
        ("What we don't carry", True),
        ("Don'ts", True),
        ("Boats that are unavailable", True),
        ("Why is my bilge not dry?", False),
        ("How not to capsize", False),
        ("What to do if it does not start", False),
        ("No-smoking cabins", False),
        ("What the harbour does not say about boats that come from abroad", False),  # a sentence
        ("Allowed", False),
    ],
)
def test_headings_that_deny(heading: str, is_shown: bool) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Rules")
        draft.add_heading(2, heading)
        draft.add("Oars and sails of all kinds.")

    extract = choose("Which oars?", fill, favouring("Oars"), 1).extracts[0]
    assert behind_denials([extract])[0].shown.startswith(heading) == is_shown


def test_a_long_heading_of_dots_takes_linear_time() -> None:
    def dotted(draft: Draft) -> None:
        draft.add_heading(1, ". " * 10_000)
        draft.add("The crane lifts boats.")

    began = process_time()
    choose("What does the crane lift?", dotted, favouring("crane"))
    assert process_time() - began < 5
