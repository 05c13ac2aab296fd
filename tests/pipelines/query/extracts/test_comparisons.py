"""Comparisons whose two sides stand in two sections."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose


def memberships(draft: Draft) -> None:
    draft.add_heading(1, "Rowing club")
    draft.add_heading(2, "Active members")
    draft.add("They pay 240 euros a year and row every day.")
    draft.add_heading(2, "Supporting members")
    draft.add("They pay 60 euros a year and get the newsletter.")


def both_sides(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """A text answers a little with one side, and well with both."""
    return np.array([{0: -4.0, 1: 1.0, 2: 6.0}[("240 euros" in text) + ("60 euros" in text)] for text in texts])


def test_extracts_that_compare_are_read_together() -> None:
    reader = Reader(both_sides, cosines=lambda _, texts: np.zeros(len(texts)))
    found = choose("What is the difference between active and supporting members?", memberships, reader)
    assert len(found.extracts) == 2
    assert found.signals["similarity"] == 6.0
    assert found.signals["closest"] == 1.0


def test_extracts_that_do_not_compare_are_read_one_by_one() -> None:
    reader = Reader(both_sides, cosines=lambda _, texts: np.zeros(len(texts)))
    found = choose("What do members pay a year?", memberships, reader)
    assert len(found.extracts) == 2
    assert found.signals["similarity"] == 1.0
