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

    The model is loaded when the stage is made.

    Raises:
        MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
        RerankerUnavailable: The model cannot be had, or does not score pairs.
    """

    _model: CrossEncoder = PrivateAttr()

    def __init__(self, section: CrossEncoderStage, name: str) -> None:
        super().__init__(name=name, depth=section.depth)
        self._model = CrossEncoder(section.model, max_length=None)
        self._model.load()

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        scores: list[float] = _sigmoid(self._model.scores(query.query_str, [_text(hit) for hit in hits])).tolist()
        return best_first(list(zip(hits, scores, strict=True)))


def _text(hit: Hit) -> str:
    """The title belongs to what is read, as it does to what is embedded."""
    return f"{hit.title}\n{hit.content}" if hit.title else hit.content


def _sigmoid(logits: Scores) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -700, 700)))
    return values
