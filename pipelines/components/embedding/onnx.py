"""Embedding on ONNX Runtime, in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.base import Vectors
from pipelines.components.embedding.models import ExportedModel
from pipelines.components.embedding.tokenizer import encodable, load_tokenizer

if TYPE_CHECKING:
    import onnxruntime

Made = TypeVar("Made")
_SLOWER_FUSED = ["SkipLayerNormFusion"]
"""The sum and the LayerNormalization after it take six times as long in one operator, which is not vectorised."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """What a run of the model makes of one text.

    Attributes:
        vector: The text's unit vector, shape ``(dimensions,)``.
        states: The last states of its tokens, which the vector is pooled of, shape ``(length, dimensions)``.
        words: The number of the word that each token belongs to, rising; -1 for the model's own marks.
    """

    vector: Vectors
    states: Vectors
    words: npt.NDArray[np.int64]


class OnnxEncoder:
    """Runs an exported encoder, one text at a time on each processor.

    Texts in one call are spread over ``threads`` threads, long ones first. A single text runs in the caller's thread.
    """

    def __init__(self, model: ExportedModel, threads: int = 0) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.fingerprint = _fingerprint(model)
        self._session = _session(model)
        self._tokenizer = load_tokenizer(model.tokenizer, model.most_tokens)
        self._pool = ThreadPoolExecutor(threads or _processors(), thread_name_prefix="footnote-embed")

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        if len(texts) == 1:
            return self._vector(texts[0])
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for index, vector in self.spread(self._vector, texts):
            found[index] = vector[0]
        return found

    def encoded(self, text: str) -> Encoded:
        """The vectors of ``text`` and of its tokens."""
        encoding = self._tokenizer.encode(encodable(text))
        vectors, states = self._run(["embedding", "tokens"], encoding.ids)
        words = [-1 if word is None else word for word in encoding.word_ids]
        return Encoded(vectors[0], states, np.array(words, dtype=np.int64))

    def spread(self, make: Callable[[str], Made], texts: Sequence[str]) -> Iterator[tuple[int, Made]]:
        """What ``make`` makes of each text, with its index, made side by side on the threads."""
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        return zip(order, self._pool.map(make, (texts[index] for index in order)), strict=True)

    def _vector(self, text: str) -> Vectors:
        tokens = self._tokenizer.encode(encodable(text)).ids
        vectors: Vectors = self._run(["embedding"], tokens)[0]
        return vectors

    def _run(self, outputs: list[str], tokens: list[int]) -> Any:
        return self._session.run(outputs, {"input_ids": np.array([tokens], dtype=np.int32)})


def _fingerprint(model: ExportedModel) -> str:
    """What the vectors are of: the weights, and what was taken off them."""
    return f"{model.name}@{model.sha256[:16]}" + ("" if model.quantize == "none" else f"/{model.quantize}")


def _processors() -> int:
    """The processors that this process may use, which in a container are often not all of the machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _session(model: ExportedModel) -> onnxruntime.InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # texts run side by side instead, which wastes nothing on small matrices
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False  # it would plan memory for every length of text, and keep all the plans
    return onnxruntime.InferenceSession(
        str(model.graph), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER_FUSED
    )
