"""Choices of extracts, with readers that favour words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.hits import terms

TERMS = Bm25Encoder(SparseSection()).terms


def favouring(*words: str) -> Reader:
    """A reader for which a text answers the better, the more of ``words`` it holds."""

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array([4.0 * sum(word in text for word in words) - 4.0 for text in texts])

    return Reader(read)


def favouring_a_little(word: str) -> Reader:
    """A reader that prefers texts with a word, by less than what a rule gives."""
    return Reader(lambda question, texts: np.array([0.5 * (word in text) for text in texts]))


def choose(question: str, fill: Callable[[Draft], object] | StoredText, reader: Reader, most: int = 2) -> Extraction:
    """What is chosen from a text that is drafted."""
    text = fill if isinstance(fill, StoredText) else stored(fill)
    return Chooser(reader, terms).choose(question, [hit(text)], [text], most)


def kit(draft: Draft) -> None:
    """A section with prose and a list."""
    draft.add_heading(1, "Trips")
    draft.add("A trip begins at the harbour. Boats leave at nine. Nobody waits for late guests.")
    draft.add("Every guest brings:")
    draft.add("- a warm jacket", "item", level=1)
    draft.add("- a bottle of water", "item", level=1)
    draft.add("- a ticket", "item", level=1)
