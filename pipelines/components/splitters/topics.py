"""Where a text turns to another topic, by the embedding model."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Collection, Sequence

import numpy as np
import numpy.typing as npt

from pipelines.components.sentences import sentence_spans
from pipelines.components.splitters.measures import Measure

Vectors = Callable[[Sequence[str]], npt.NDArray[np.float32]]
_NEIGHBOURS = 2
"""Sentences on either side of a boundary that are compared."""


class TopicChanges:
    """Finds the boundaries between sentences whose two sides differ most; a kind of `Sections`.

    The idea is that of LlamaIndex's `SemanticSplitterNodeParser` (after Greg Kamradt): the distance of a boundary is
    the cosine distance of what stands before and after it, and a text is cut where that is over a percentile of its
    own distances. The sides here share no sentence, so that each sentence is embedded once.

    Args:
        vectors: Unit vectors of texts, one a row; asked once for each document.
        percentile: Share of the boundaries, in percent, that are no change of topic.
        least: Units that a topic has at least; of two changes too near to each other the greater one counts.
    """

    def __init__(self, vectors: Vectors, percentile: float, least: int) -> None:
        self._vectors = vectors
        self._percentile = percentile
        self._least = least

    def __call__(self, text: str, headings: Sequence[int], measure: Measure) -> list[int]:
        """Where topics begin; a heading stays with what follows it."""
        spans = sentence_spans(text)
        if len(spans) < 2:
            return [0]
        distances = _distances(self._vectors([text[start:end] for start, end in spans]))
        bounds = [0, len(text)]
        for index in self._changes(distances, _titles(spans, headings)):
            self._cut(bounds, spans[index + 1][0], measure)
        return bounds[:-1]

    def _changes(self, distances: npt.NDArray[np.float32], titles: Collection[int]) -> list[int]:
        """Return the boundaries over the percentile, the greatest first; boundary i is the one behind sentence i."""
        threshold = float(np.percentile(distances, self._percentile))
        over = [index for index, distance in enumerate(distances) if distance > threshold and index not in titles]
        return sorted(over, key=lambda index: -distances[index])

    def _cut(self, bounds: list[int], position: int, measure: Measure) -> None:
        place = bisect_right(bounds, position)
        before, after = bounds[place - 1], bounds[place]
        if measure.forward(before, self._least) <= position and measure.forward(position, self._least) <= after:
            insort(bounds, position)


def _distances(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Cosine distances of the two sides of each boundary, shape ``(sentences - 1,)``."""
    sums = np.concatenate([np.zeros_like(vectors[:1]), np.cumsum(vectors, axis=0, dtype=np.float64)])
    middle = np.arange(1, len(vectors))
    before = sums[middle] - sums[np.maximum(middle - _NEIGHBOURS, 0)]
    after = sums[np.minimum(middle + _NEIGHBOURS, len(vectors))] - sums[middle]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines = (before * after).sum(axis=1) / np.where(lengths == 0, 1, lengths)
    distances: npt.NDArray[np.float32] = np.round(1 - cosines, 6).astype(np.float32)
    return distances


def _titles(spans: Sequence[tuple[int, int]], headings: Sequence[int]) -> set[int]:
    """Return the sentences that are headings, at whose end nothing is cut."""
    starts = [start for start, _ in spans]
    return {bisect_right(starts, heading) - 1 for heading in headings}
