"""Embedding on ONNX Runtime, in this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.components.embedding.base import Vectors
from pipelines.components.embedding.models import ExportedModel
from pipelines.components.embedding.tokenizer import encodable, load_tokenizer

if TYPE_CHECKING:
    import onnxruntime

_SLOWER_FUSED = ["SkipLayerNormFusion"]
"""The sum and the LayerNormalization after it take six times as long in one operator, which is not vectorised."""


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
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for index, vector in zip(order, self._pool.map(self._vector, (texts[index] for index in order)), strict=True):
            found[index] = vector[0]
        return found

    def _vector(self, text: str) -> Vectors:
        tokens = self._tokenizer.encode(encodable(text)).ids
        found: Any = self._session.run(None, {"input_ids": np.array([tokens], dtype=np.int32)})[0]
        vectors: Vectors = found
        return vectors


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
