"""What every reranker stage is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from qdrant_client import models

from pipelines.types import Hit

_LEAST = 0.1
"""The share of the best score that every candidate has for a weight to work on: in a short list the last has 0."""
Vector = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: its text, its dense vector where that leg was asked, and among which chunks."""

    text: str
    vector: Vector | None = None
    where: models.Filter | None = None


class Stage(Protocol):
    """Puts candidates in another order.

    Attributes:
        name: Its key in `Hit.scores`: the stage's type, with ``_2`` behind it for a second one.
        depth: How many candidates it reads, from the top.
    """

    name: str
    depth: int

    def rank(self, question: Question, hits: Sequence[Hit]) -> Sequence[tuple[Hit, float]]:
        """``hits`` in the stage's order, best first, each with the stage's score.

        A stage may replace a hit, leave one out, or add one. What it gets falls by ``score``, which tells how good
        each is as far as the stages before know. Its own scores are finite, and where they lie at 0 or above, the
        share that each is of the best one counts further on.

        Raises:
            FootnoteError: The stage cannot do its work now; the search goes on without it.
        """
        ...


def weighted(hits: Sequence[Hit], weight: Callable[[Hit], float]) -> list[tuple[Hit, float]]:
    """``hits``, best first, by their scores times their weights; equal ones as they stood."""
    least = _LEAST * hits[0].score if hits else 0.0
    return best_first([(hit, max(hit.score, least) * weight(hit)) for hit in hits])


def best_first(scored: Sequence[tuple[Hit, float]]) -> list[tuple[Hit, float]]:
    """Hits by falling score; equal ones as they stood."""
    return sorted(scored, key=lambda one: -one[1])
