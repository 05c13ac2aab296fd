"""How near the first extract is to the question, beside the hits."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring, kit


def near(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """One half, and more for a text that says nothing but when boats leave, or names one thing alone."""
    ends = ("harbour: Boats leave at nine.", "- a ticket\n…")
    return np.array([0.9 if text.endswith(ends) and "jacket" not in text else 0.5 for text in texts])


def harbour(draft: Draft) -> None:
    draft.add_heading(1, "The harbour")
    draft.add("A trip begins at the pier. Boats leave at nine. Nobody waits for late guests.")


def nearest(question: str, fill: Callable[[Draft], object], *words: str) -> float:
    reader = favouring(*words)
    with_cosines = Reader(reader.read, cosines=near)
    assert choose(question, fill, reader).nearest == 0.0
    return choose(question, fill, with_cosines).nearest


def test_it_is_as_near_as_its_nearest_sentence() -> None:
    assert nearest("When do boats leave?", harbour, "nine") == 0.9


def test_it_answers_as_well_as_its_best_sentence_where_cosines_count_too() -> None:
    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array([3.0 * text.endswith("harbour: Boats leave at nine.") for text in texts])

    def similarity(reader: Reader) -> float:
        return choose("When do boats leave?", harbour, reader).signals["similarity"]

    assert (similarity(Reader(read)), similarity(Reader(read, cosines=near))) == (0.0, 3.0)


def test_a_list_is_as_near_as_its_nearest_item() -> None:
    assert nearest("Which things does a guest bring?", kit, "ticket") == 0.9


def test_what_was_computed_repeats_the_question_and_is_not_near() -> None:
    def wares(draft: Draft) -> None:
        draft.add_table([["Ware", "Price"], ["rope", "9"], ["lamp", "5"], ["oar", "7"]])

    assert nearest("Which ware is the cheapest?", wares, "lamp") == 0.0
