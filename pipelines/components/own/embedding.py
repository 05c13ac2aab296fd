"""Any LlamaIndex embedding model as the tenant's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from pipelines.components.embedding.adapter import find_adapter
from pipelines.components.embedding.base import Embedder, Vectors, normalised
from pipelines.errors import EmbeddingUnavailable
from pipelines.events import Observe, embedding, ignore_event
from pipelines.profile.sections.embedding import EmbeddingBase


class OwnEmbedder(Embedder):
    """Embeds with a LlamaIndex model, which tells questions from texts itself."""

    _model: BaseEmbedding = PrivateAttr()

    def __init__(
        self, model: BaseEmbedding, observe: Observe = ignore_event, section: EmbeddingBase | None = None
    ) -> None:
        encoder = _OwnEncoder(model)
        adapter = None if section is None else find_adapter(section, encoder)
        super().__init__(encoder, observe, query_prefix="", text_prefix="", adapter=adapter)
        self._model = model

    def query_vector(self, text: str) -> Vectors:
        """See `Embedder`."""
        with embedding(self._observe, 1):
            vector: Vectors = self._adapted(_unit_vectors([self._model.get_query_embedding(text)]))[0]
        return vector


class _OwnEncoder:
    """See `pipelines.components.embedding.base.Encoder`."""

    query_prefix = text_prefix = ""

    def __init__(self, model: BaseEmbedding) -> None:
        self._model = model
        self.name = model.model_name
        self.dimensions = len(model.get_text_embedding("How long is a vector?"))
        self.fingerprint = f"{type(model).__module__}.{type(model).__qualname__}:{self.name}:{self.dimensions}"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        try:
            return _unit_vectors(self._model.get_text_embedding_batch(list(texts)))
        except Exception as error:
            raise EmbeddingUnavailable(self.name, f"{type(error).__name__}: {error}") from error


def _unit_vectors(vectors: Sequence[Sequence[float]]) -> Vectors:
    return normalised(np.asarray(vectors, np.float32))
