"""A model that reads the question and a chunk together.

Nogueira and Cho, "Passage re-ranking with BERT" (arXiv:1901.04085, 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.components.pair_models import PairModel, Pairs, UnusableModel, load_pair_model
from pipelines.components.rerankers.base import Question, best_first
from pipelines.errors import RerankerUnavailable
from pipelines.profile.stages import CrossEncoderStage
from pipelines.types import Hit

_AT_ONCE = 8
_PROBE = (("is it there?", "it is"),)


class CrossEncoder:
    """Orders hits by what a cross-encoder says of each beside the question: the sigmoid of its logit, in 0..1.

    The model is loaded when the stage is made; see `pipelines.components.pair_models.load_pair_model`.

    Raises:
        MissingPackage: PyTorch is needed and not installed.
        RerankerUnavailable: The model cannot be had, or does not score pairs.
    """

    def __init__(self, section: CrossEncoderStage, name: str) -> None:
        self.name = name
        self.depth = section.depth
        self._model = _load(section.model)

    def rank(self, question: Question, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        scores = self._scores(question.text, [_text(hit) for hit in hits])
        return best_first(list(zip(hits, scores, strict=True)))

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Texts of similar length go together, so that little of a batch is padding."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        scores = np.empty(len(texts))
        for start in range(0, len(order), _AT_ONCE):
            batch = order[start : start + _AT_ONCE]
            scores[batch] = _sigmoid(_one_each(self._model, [(question, texts[index]) for index in batch]))
        found: list[float] = scores.tolist()
        return found


def _load(model: str) -> PairModel:
    """Scores a pair too, so that a model of another kind is found when it is loaded and not in a search."""
    try:
        loaded = load_pair_model(model)
    except UnusableModel as error:
        raise _refused(model, f"{error}; see rerank -> model") from error
    try:
        _one_each(loaded, _PROBE)
    except Exception as error:
        raise _refused(model, f"it does not score pairs of texts ({error})") from error
    return loaded


def _one_each(model: PairModel, pairs: Pairs) -> npt.NDArray[Any]:
    """The logit of each pair; of a model with two classes, how far the second is above the first."""
    logits = model.logits(pairs)
    if logits.ndim == 2 and logits.shape[1] == 2:
        return np.asarray(logits[:, 1] - logits[:, 0])
    if logits.ndim == 1 or (logits.ndim == 2 and logits.shape[1] == 1):
        return np.asarray(logits.reshape(-1))
    raise ValueError(f"it gives numbers of the shape {logits.shape}, and not one or two for a pair")


def _refused(model: str, reason: str) -> RerankerUnavailable:
    return RerankerUnavailable(f"the cross-encoder {model}", reason)


def _text(hit: Hit) -> str:
    """What is read of a hit: the title belongs to it, as in what is embedded."""
    return f"{hit.title}\n{hit.content}" if hit.title else hit.content


def _sigmoid(logits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -700, 700)))
    return values
