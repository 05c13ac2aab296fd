"""Maximal marginal relevance: what is found should not say the same thing twice.

Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing summaries"
(SIGIR 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.rerankers.base import Stage
from pipelines.profile.sections.rerank import MmrStage
from pipelines.types import Hit

VectorsOf = Callable[[Sequence[str]], Mapping[str, Sequence[float]]]
Values = npt.NDArray[np.float32]


class Mmr(Stage):
    """Picks hit after hit: each time the one that is the best mix of relevant and new beside those picked before.

    A hit's score is ``(1 - diversity) * relevance + diversity * novelty``, which never rises down the list. Relevance
    is its share of the best hit's score; novelty is 1 less its largest cosine to a hit picked before, where cosines
    below 0 count as 0. (The paper subtracts the cosine; that is the same order, and below 0 for most hits.) Of equal
    hits the upper one is picked. The vectors are the stored ones, so that it costs no embedding in any mode.
    """

    _diversity: float = PrivateAttr()
    _vectors_of: VectorsOf = PrivateAttr()

    def __init__(self, section: MmrStage, name: str, vectors_of: VectorsOf) -> None:
        super().__init__(name=name, depth=section.depth)
        self._diversity = section.diversity
        self._vectors_of = vectors_of

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        cosines = self._cosines([hit.chunk_id for hit in hits])
        relevance = _shares([hit.score for hit in hits])
        nearest, picked = np.zeros(len(hits), np.float32), []
        left = np.zeros(len(hits), np.float32)  # minus infinity once a hit is picked
        for _ in hits:
            scores = (1 - self._diversity) * relevance + self._diversity * (1 - nearest)
            best = int(np.argmax(scores + left))
            picked.append((hits[best], float(scores[best])))
            left[best] = -np.inf
            nearest = np.maximum(nearest, cosines[best])
        return picked

    def _cosines(self, chunk_ids: Sequence[str]) -> Values:
        """Cosines of every two chunks, at least 0; one that was deleted since it was found is unlike all others."""
        stored = self._vectors_of(chunk_ids)
        dimensions = len(next(iter(stored.values()), ()))
        rows = [stored.get(chunk_id, [0.0] * dimensions) for chunk_id in chunk_ids]
        vectors = np.array(rows, np.float32).reshape(len(rows), dimensions)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        units = vectors / np.where(lengths == 0, 1, lengths)
        cosines: Values = np.clip(units @ units.T, 0, 1)
        return cosines


def _shares(scores: Sequence[float]) -> Values:
    highest = max(scores, default=0.0)
    return np.array([score / highest if highest > 0 else 1.0 for score in scores], np.float32)
