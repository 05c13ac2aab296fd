"""Passages that may answer, with their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.query.extracts.passages.passages import Passage, Sentence

Scores = npt.NDArray[np.float64]

_NEAR, _AHEAD = 4.0, 0.5
"""By how much what is meant may be worse than the best passage, to be put before it, and how much better it is then."""


@dataclass(slots=True)
class Candidate:
    """A passage, its score, and what its sentences score; there are none where it is shown whole.

    ``closest`` is the best raw score of a sentence, where that counts for the confidence; else the least number.
    ``is_reply`` tells that the question stands right above it.
    """

    passage: Passage
    score: float
    sentences: Sequence[Sentence] = ()
    scores: Scores | None = None
    closest: float = float("-inf")
    is_reply: bool = False


def put_before(best: Candidate, others: Sequence[Candidate], near: float = _NEAR) -> None:
    """Let others come before the best passage, if the best of them is not much worse; they keep their order."""
    behind = best.score - max((one.score for one in others), default=best.score)
    for one in others if 0 < behind < near else ():
        one.score += behind + _AHEAD
