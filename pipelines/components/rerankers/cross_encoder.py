"""A stage that reads the question and a chunk together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.models.cross_encoder import CrossEncoder, Scores
from pipelines.components.rerankers.base import Stage, best_first
from pipelines.profile.sections.rerank import CrossEncoderStage
from pipelines.types import Hit


class CrossEncoderRanking(Stage):
    """Orders hits by a cross-encoder: the sigmoid of its logit for the question and the hit, in 0..1.

    With a weight, by the share of the best score that a hit had before, plus ``weight`` times the min-max share of its
    logit.

    The model is loaded when the stage is made.

    Raises:
        MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
        RerankerUnavailable: The model cannot be had, or does not score pairs.
    """

    _model: CrossEncoder = PrivateAttr()
    _weight: float | None = PrivateAttr()

    def __init__(self, section: CrossEncoderStage, name: str) -> None:
        super().__init__(name=name, depth=section.depth)
        self._model = CrossEncoder(section.model, max_length=None, device=section.device)
        self._model.load()
        self._weight = section.weight

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        if not hits:
            return []
        logits = self._model.scores(query.query_str, [_text(hit) for hit in hits])
        scores = _sigmoid(logits) if self._weight is None else _shares_before(hits) + self._weight * _min_max(logits)
        return best_first(list(zip(hits, scores.tolist(), strict=True)))


def _text(hit: Hit) -> str:
    """Return the text to score: the title belongs to it, as it does to the embedded text."""
    return f"{hit.title}\n{hit.content}" if hit.title else hit.content


def _sigmoid(logits: Scores) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -700, 700)))
    return values


def _shares_before(hits: Sequence[Hit]) -> npt.NDArray[np.float64]:
    """Return the scores as shares of the best one."""
    scores = np.array([hit.score for hit in hits], np.float64)
    shares: npt.NDArray[np.float64] = scores / (scores.max() or 1.0)
    return shares


def _min_max(logits: Scores) -> npt.NDArray[np.float64]:
    values = logits.astype(np.float64)
    spread = float(values.max() - values.min())
    scaled: npt.NDArray[np.float64] = (values - values.min()) / (spread or 1.0)
    return scaled
