"""A model that reads the question and a chunk together.

Nogueira and Cho, "Passage re-ranking with BERT" (arXiv:1901.04085, 2019).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.components.rerankers.base import Question, best_first
from pipelines.components.rerankers.pair_models import OnnxPairs, PairModel, TorchPairs, graph_in
from pipelines.errors import RerankerUnavailable
from pipelines.profile.stages import CrossEncoderStage
from pipelines.types import Hit

_AT_ONCE = 8
_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")


class CrossEncoder:
    """Orders hits by what a cross-encoder says of each beside the question: the sigmoid of its logit, in 0..1.

    The model is loaded when the stage is made: from a folder, on ONNX Runtime where that holds an ``.onnx`` file and on
    PyTorch where not; another name is one of the Hugging Face hub, which PyTorch's way downloads.

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
            scores[batch] = _sigmoid(self._model.logits([(question, texts[index]) for index in batch]))
        found: list[float] = scores.tolist()
        return found


def _load(model: str) -> PairModel:
    folder = Path(model).expanduser()
    if not folder.is_dir():
        if not _HUB_NAME.fullmatch(model):
            raise RerankerUnavailable(f"the cross-encoder {model}", "there is no such folder; see rerank -> model")
        return TorchPairs(model)
    graph = graph_in(folder)
    return TorchPairs(str(folder), local=True) if graph is None else OnnxPairs(folder, graph)


def _text(hit: Hit) -> str:
    """What is read of a hit: the title belongs to it, as in what is embedded."""
    return f"{hit.title}\n{hit.content}" if hit.title else hit.content


def _sigmoid(logits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -700, 700)))
    return values
