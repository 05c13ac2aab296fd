"""Prose that says several things, and prose that only speaks of them; lists beside it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.series import lists_nothing
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.hits import terms

QUESTION = "Which sails are there?"


def favouring_alone(one: str, other: str) -> Reader:
    """A reader that prefers texts with one of two words to those with both, as items to their list."""
    return Reader(lambda question, texts: np.array([4.0 * ((one in text) != (other in text)) for text in texts]))


@pytest.mark.parametrize(
    "shown",
    [
        "There are many sails to choose from.",
        "The boat turns round, drops its anchor, and waits for the tide.",
        "A boat may wait, turn or leave.",
        "Others may be added to these. See Reefing and Mooring.",
        "There are many sails, from square or lug to the latest, and they are shown by size.",
    ],
)
def test_a_series_of_something_else_says_no_several_of_the_things(shown: str) -> None:
    assert lists_nothing(QUESTION, shown)


@pytest.mark.parametrize(
    "shown",
    [
        "Sailors know square, lug, and gaff sails.",
        "Known by all sailors of the coast are Lug, Gaff, and Square.",
        "Lug and gaff sails.",
        "Known are Lug and Gaff.",
    ],
)
def test_a_series_is_of_the_things_if_it_says_so_or_has_names(shown: str) -> None:
    assert not lists_nothing(QUESTION, shown)


def test_prose_that_says_no_several_loses_more_beside_a_list_of_the_things() -> None:
    def locker(draft: Draft) -> None:
        draft.add("A sail for wind of all kinds is also available.")
        draft.add("The following sails are available:")
        draft.add("- lug", "item", level=1)
        draft.add("- gaff", "item", level=1)

    found = choose("Which sails are available?", locker, favouring("wind"), most=1)
    assert found.extracts[0].shown == "The following sails are available:\n- lug\n- gaff"


def test_where_things_are_asked_for_one_item_alone_is_no_answer() -> None:
    def signals(draft: Draft) -> None:
        draft.add_heading(1, "Flags and lamps")
        draft.add("- N: no", "item", level=1)
        draft.add("- S: stop here", "item", level=1)

    found = choose("Which signals does the pier know?", signals, favouring_alone("stop", "N: no"), most=1)
    assert found.extracts[0].shown == "- N: no\n- S: stop here"


def test_the_list_in_place_of_its_items_is_the_shortest_that_holds_them() -> None:
    def settings(draft: Draft) -> None:
        draft.add("These settings limit the water by season, the pier says:")
        draft.add("low_water", "term")
        draft.add(f"How much water is kept at the pier. {'Boats wait for it. ' * 30}", "definition", level=1)
        draft.add("The low limit by season is:", level=1)
        draft.add("- two feet in spring", "item", level=2)
        draft.add("- four feet in autumn", "item", level=2)

    question = "What does the pier say of the limit of water by season?"
    found = choose(question, settings, favouring_alone("spring", "autumn"))
    assert found.extracts[0].shown == "The low limit by season is:\n- two feet in spring\n- four feet in autumn"


@pytest.mark.parametrize(
    ("question", "steps", "shown"),
    [("What about boats at the pier?", 6, 1), ("How do I moor boats at the pier?", 14, 14)],
)
def test_an_item_is_shown_beside_one_that_answers_better_only_where_steps_are_asked_for(
    question: str, steps: int, shown: int
) -> None:
    def manual(draft: Draft) -> None:
        draft.add("This is done at the pier:")
        for step in ("Hail", "Moor", "Bill", *(f"Step{number}" for number in range(3, steps))):
            draft.add(f"- {step} the boats. {'It takes a while, and the crew waits. ' * 3}", "item", level=1)

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array(
            [(0.0 if "Bill" in text else 3.0) if "Moor" in text else 1.5 * ("Bill" in text) for text in texts]
        )

    (extract,) = choose(question, manual, Reader(read)).extracts
    assert extract.shown.count("\n- ") == shown


def test_rows_of_two_documents_are_of_two_tables() -> None:
    def limits(draft: Draft) -> None:
        draft.add("A boat waits here until the water comes back to the pier, which may take it all day. " * 3)
        draft.add_table([["Setting", "Use", "Default"], ["high_water", "main", "9 ft"]])

    text = stored(limits)
    hits = [hit(text, document_id=name) for name in ("a.md", "b.md")]
    chooser = Chooser(favouring_alone("high_water", "boat"), terms)
    found = chooser.choose("What is the default value of high_water?", hits, [text] * 2, 1)
    assert found.extracts[0].shown == "Setting: high_water; Use: main; Default: 9 ft"
