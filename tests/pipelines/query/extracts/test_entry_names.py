"""What is said in the entry of an option or a setting begins with its name."""

from __future__ import annotations

import time

import pytest

from pipelines.query.extracts.entry_names import behind_names
from pipelines.query.extracts.extract import Extract
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored


def harbour(draft: Draft) -> None:
    draft.add_heading(1, "The harbour program")
    draft.add_heading(2, "tide_turned")
    draft.add("Sent when the tide turns in the outer basin.")
    draft.add_heading(2, "--all, -a")
    draft.add("Show all the boats, moored or not.")
    draft.add_heading(2, "--berth=number")
    draft.add("The place to look at.")
    draft.add("harbour --berth=3", "code")
    draft.add_heading(2, "Moorings")
    draft.add("Ropes lie on the quay.")


@pytest.mark.parametrize(
    ("question", "word", "shown"),
    [
        (
            "Which signal is sent when the water turns?",
            "basin",
            "tide_turned: Sent when the tide turns in the outer basin.",
        ),
        ("What does tide_turned mean?", "basin", "Sent when the tide turns in the outer basin."),
        ("Which option shows every boat?", "moored", "--all, -a: Show all the boats, moored or not."),
        ("What does -a do?", "moored", "Show all the boats, moored or not."),
        ("Where are the ropes?", "quay", "Ropes lie on the quay."),
    ],
)
def test_prose_below_the_name_of_an_option_or_a_signal_begins_with_it(question: str, word: str, shown: str) -> None:
    assert choose(question, harbour, favouring(word), 1).extracts[0].shown == shown


def test_code_and_prose_that_say_the_name_stay_as_they_are() -> None:
    found = choose("How do I look at a place?", harbour, favouring("--berth=3"), 1).extracts[0].shown
    assert not found.startswith("--berth=number")


def test_long_headings_take_linear_time() -> None:
    text = stored(lambda draft: draft.add("Calm."))
    started = time.process_time()
    for heading in ("-a " * 20_000, "a." * 25_000, "a_" * 25_000, "A_" * 25_000, "-a[" + " " * 50_000):
        behind_names("Which option?", [Extract(hit(text), "Calm.", Span(0, 5), "Calm.", (heading,), text)])
    assert time.process_time() - started < 5


def test_what_is_told_of_one_side_begins_with_the_side_and_the_thing() -> None:
    def rigs(draft: Draft) -> None:
        draft.add_heading(1, "Rigs")
        for rig, cons in (("Lug sail", "Slow to tack."), ("Gaff", "The yard is heavy.")):
            draft.add_heading(2, rig)
            draft.add_heading(3, "Cons")
            draft.add(f"{cons} Hard to mend at sea, and dear in most of the harbours of the north.")

    found = choose("Is a gaff or a lug sail heavier?", rigs, favouring("yard"), 1).extracts[0].shown
    assert found.startswith("Cons of Gaff: The yard is heavy.")


@pytest.mark.parametrize("name", ["a" + "_" * 20_000 + "!", "a_" * 10_000 + "!", "a." * 10_000 + "!"])
def test_headings_of_many_underscores_are_read_in_linear_time(name: str) -> None:
    def hostile(draft: Draft) -> None:
        draft.add_heading(1, name)
        draft.add("Ropes lie on the quay.")

    found = choose("Where are the ropes?", hostile, favouring("quay"), 1).extracts
    began = time.process_time()
    behind_names("Where are the ropes?", found)
    assert time.process_time() - began < 0.5
