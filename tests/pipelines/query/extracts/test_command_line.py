"""What is done on the command line, where it is asked how to do something there."""

from __future__ import annotations

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


def handbook(draft: Draft) -> None:
    draft.add_heading(1, "Berths")
    draft.add("To reset a berth, press the red button of the page and wait for a letter.")
    draft.add_heading(1, "Command line")
    draft.add_heading(2, "Changing a berth")
    draft.add("To reset a berth, run the program of the harbour with its number.")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How do I reset a berth from the command line?", "run the program"),
        ("How can I reset a berth in the terminal?", "run the program"),
        ("How do I reset a berth?", "press the red button"),
        ("Who resets a berth from the command line?", "press the red button"),
    ],
)
def test_what_stands_below_it_comes_first(question: str, said: str) -> None:
    (extract,) = choose(question, handbook, favouring_a_little("button"), most=1).extracts
    assert said in extract.shown
