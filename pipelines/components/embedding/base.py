"""The encoder that every embedding model implements, and LlamaIndex's embedding around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from pipelines.components.models.fingerprints import prefixed_fingerprint
from pipelines.events import Observe, embedding, ignore_event

Vectors = npt.NDArray[np.float32]
_MOST_IN_A_CALL = 2048
_KEPT_QUESTIONS = 8
"""Questions whose vectors are kept: an answer asks for that of its question three times."""


class Encoder(Protocol):
    """Turns texts into vectors.

    ``dimensions`` is the length of its vectors. ``fingerprint`` names the model and its weights: only vectors of
    equal fingerprints can be compared. ``query_prefix`` is put before questions, ``text_prefix`` before texts; what is
    given to `vectors` has them already.
    """

    name: str
    dimensions: int
    fingerprint: str
    query_prefix: str
    text_prefix: str

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of ``texts``, shape ``(len(texts), dimensions)``, in their order.

        Raises:
            EmbeddingUnavailable: The model or its server does not answer, or sends an invalid answer.
            PartTimeout: It did not answer in time.
        """
        ...


class Adapter(Protocol):
    """Maps vectors of questions; ``fingerprint`` changes with the map."""

    @property
    def fingerprint(self) -> str:
        """Its name."""
        ...

    def __call__(self, vectors: Vectors) -> Vectors:
        """Return the adapted unit vectors, shape ``(n, dimensions)``."""
        ...


class Embedder(BaseEmbedding):
    """An encoder as LlamaIndex's embedding. The core calls `vectors`, which adds no overhead."""

    _encoder: Encoder = PrivateAttr()
    _observe: Observe = PrivateAttr()
    _query_prefix: str = PrivateAttr()
    _text_prefix: str = PrivateAttr()
    _adapter: Adapter | None = PrivateAttr()
    _question_vector: Callable[[str], Vectors] = PrivateAttr()

    def __init__(
        self,
        encoder: Encoder,
        observe: Observe = ignore_event,
        *,
        query_prefix: str | None = None,
        text_prefix: str | None = None,
        adapter: Adapter | None = None,
    ) -> None:
        super().__init__(model_name=encoder.name, embed_batch_size=_MOST_IN_A_CALL)
        self._encoder, self._observe, self._adapter = encoder, observe, adapter
        self._query_prefix = encoder.query_prefix if query_prefix is None else query_prefix
        self._text_prefix = encoder.text_prefix if text_prefix is None else text_prefix
        self._question_vector = lru_cache(maxsize=_KEPT_QUESTIONS)(self._embed_question)

    @property
    def dimensions(self) -> int:
        """Length of the vectors."""
        return self._encoder.dimensions

    @property
    def fingerprint(self) -> str:
        """Name of the model, its weights, and what is put before texts; see `Encoder`."""
        return text_fingerprint(self._encoder, self._text_prefix)

    @property
    def query_fingerprint(self) -> str:
        """Name of all that decides the vector of a question: the model, its weights, and the adapter."""
        return self.fingerprint if self._adapter is None else f"{self.fingerprint}+{self._adapter.fingerprint}"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of ``texts``; see `Encoder`."""
        return self._encoded([self._text_prefix + text for text in texts])

    def query_vector(self, text: str) -> Vectors:
        """Return the unit vector of a question, shape ``(dimensions,)``, to be compared with those of texts."""
        return self._question_vector(text)

    def question_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of questions; see `query_vector`, which keeps them."""
        return self._adapted(self._encoded([self._query_prefix + text for text in texts]))

    def _encoded(self, texts: Sequence[str]) -> Vectors:
        with embedding(self._observe, len(texts)):
            return self._encoder.vectors(texts)

    def _adapted(self, vectors: Vectors) -> Vectors:
        """Return vectors of questions as they are compared with those of texts."""
        return vectors if self._adapter is None else self._adapter(vectors)

    def _embed_question(self, text: str) -> Vectors:
        vector: Vectors = self.question_vectors([text])[0]
        vector.flags.writeable = False  # it is shared
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        found: list[float] = self.query_vector(query).tolist()
        return found

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        found: list[list[float]] = self.vectors(texts).tolist()
        return found

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)


def text_fingerprint(encoder: Encoder, text_prefix: str | None = None) -> str:
    """Return the name of all that decides the vector of a text; ``text_prefix`` None: the model's own."""
    prefix = encoder.text_prefix if text_prefix is None else text_prefix
    return prefixed_fingerprint(encoder.fingerprint, prefix)


def normalised(vectors: Vectors) -> Vectors:
    """``vectors`` scaled to length 1; a vector of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
