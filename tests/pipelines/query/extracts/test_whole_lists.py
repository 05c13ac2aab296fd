"""Lists and tables that have all things of a kind, beside prose that only speaks of them."""

import numpy as np
import pytest

from pipelines.query.extracts.other_lists import row_names_in
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose

MODES = [
    ("Mode", "Meaning"),
    ("Bow", "The boat lies with its bow to the pier, and its stern is held by an anchor in the basin behind it."),
    ("Stern", "The boat lies with its stern to the pier, and its bow is held by an anchor in the basin before it."),
    (
        "Alongside",
        "The boat lies along the pier with ropes at bow and stern, and fenders hang between both.",
    ),
]


def _moorings(draft: Draft) -> None:
    draft.add_heading(1, "The life of a boat")
    draft.add_heading(2, "Mooring modes")
    draft.add("Crews know the mooring mode of a boat by its short word, which says nothing of the weather.")
    draft.add("Here they are, with what each means:")
    draft.add_table(MODES)


def _preferring_prose(by: float) -> Reader:
    return Reader(lambda question, texts: np.array([by * ("short word" in text) for text in texts]))


@pytest.mark.parametrize("question", ["What are the mooring modes of a boat?", "Which mooring modes are there?"])
def test_a_table_of_all_things_comes_before_prose_on_them(question: str) -> None:
    found = choose(question, _moorings, _preferring_prose(3.5), most=1)
    assert all(f"Mode: {name}" in found.extracts[0].shown for name in ("Bow", "Stern", "Alongside"))


def test_prose_answers_where_more_is_asked_than_all_of_a_kind() -> None:
    found = choose("Which mooring modes does the master forbid?", _moorings, _preferring_prose(4.0), most=1)
    assert found.extracts[0].shown.startswith("Crews know the mooring mode of a boat")


def test_a_row_that_is_cut_short_is_no_line_of_names() -> None:
    assert row_names_in("- Mode: Bow; Meaning: The boat lies with its bow to the …") == []
    assert row_names_in("Mode: Bow; Stern; Alongside …") == ["Bow", "Stern", "Alongside"]
