"""Embedding on ONNX Runtime, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.base import Vectors
from pipelines.components.models.exported import ExportedModel
from pipelines.components.models.fingerprints import exported_fingerprint
from pipelines.components.models.sessions import Workers, shared_session
from pipelines.components.models.tokenizer import encodable, load_tokenizer
from pipelines.profile.values import Device

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class EncodedText:
    """The result of one run of the model on a text.

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

    def __init__(self, model: ExportedModel, threads: int = 0, device: Device = "auto") -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.fingerprint = exported_fingerprint(model)
        self.query_prefix, self.text_prefix = model.query_prefix, model.text_prefix
        self._session = shared_session(model.graph, device)
        self._tokenizer = load_tokenizer(model.tokenizer, model.most_tokens)
        self._workers = Workers(threads)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for index, vector in self.spread(self._vector, texts):
            found[index] = vector
        return found

    def encoded(self, text: str, prefix: str = "") -> EncodedText:
        """Return the vectors of ``text`` and of its tokens; those of a ``prefix`` before it count as the model's own
        marks.
        """
        encoding = self._tokenizer.encode(encodable(prefix + text))
        vectors, states = self._run(["embedding", "tokens"], encoding.ids)
        words = [
            -1 if word is None or start < len(prefix) else word
            for word, (start, _) in zip(encoding.word_ids, encoding.offsets, strict=True)
        ]
        return EncodedText(vectors[0], states, np.array(words, dtype=np.int64))

    def spread(self, make: Callable[[str], Made], texts: Sequence[str]) -> Iterator[tuple[int, Made]]:
        """Yield index and result of ``make`` for each text, run side by side."""
        return self._workers.spread(make, texts)

    def _vector(self, text: str) -> Vectors:
        tokens = self._tokenizer.encode(encodable(text)).ids
        vectors: Vectors = self._run(["embedding"], tokens)[0][0]
        return vectors

    def _run(self, outputs: list[str], tokens: list[int]) -> Any:
        return self._session.run(outputs, {"input_ids": np.array([tokens], dtype=np.int32)})
