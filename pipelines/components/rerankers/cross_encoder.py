"""A stage that reads the question and a chunk together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipelines.components.models.cross_encoder import CrossEncoder, Scores
from pipelines.components.rerankers.base import Question, best_first
from pipelines.profile.stages import CrossEncoderStage
from pipelines.types import Hit


class CrossEncoderRanking:
    """Orders hits by what a cross-encoder says of each beside the question: the sigmoid of its logit, in 0..1.

    The model is loaded when the stage is made.

    Raises:
        MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
        RerankerUnavailable: The model cannot be had, or does not score pairs.
    """

    def __init__(self, section: CrossEncoderStage, name: str) -> None:
        self.name = name
        self.depth = section.depth
        self._model = CrossEncoder(section.model, max_length=None)
        self._model.load()

    def rank(self, question: Question, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        scores: list[float] = _sigmoid(self._model.scores(question.text, [_text(hit) for hit in hits])).tolist()
        return best_first(list(zip(hits, scores, strict=True)))


def _text(hit: Hit) -> str:
    """What is read of a hit: the title belongs to it, as in what is embedded."""
    return f"{hit.title}\n{hit.content}" if hit.title else hit.content


def _sigmoid(logits: Scores) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -700, 700)))
    return values
