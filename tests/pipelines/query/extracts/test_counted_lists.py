"""How many things there are is said by what leads into their list."""

from __future__ import annotations

import pytest

from pipelines.query.question_types import names_new
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


def exits(draft: Draft) -> None:
    draft.add_heading(1, "Signals of the lock")
    draft.add("The lock can end in three different exit states:")
    for number, words in enumerate(("all boats have passed", "the lock was stopped by hand", "a gate is jammed")):
        draft.add(f"Exit state {number}: {words}", "row", level=1)


def test_the_list_that_says_how_many_comes_before_its_items() -> None:
    found = choose("How many exit states does the lock have?", exits, favouring("lock was stopped"), 1)
    assert found.extracts[0].shown.startswith("The lock can end in three different exit states:\n")


@pytest.mark.parametrize(
    ("said", "counts"),
    [("Exit state 4 means a jam.", False), ("There are 4 exit states.", True), ("State 2 lasts for 7 days.", True)],
)
def test_the_number_of_a_single_thing_is_no_count_of_them(said: str, counts: bool) -> None:
    assert names_new("number", said, "How many states are there?") is counts
