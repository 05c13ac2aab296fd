"""Embedding on PyTorch, through LlamaIndex's own integration of sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pipelines.components.embedding.base import Vectors
from pipelines.components.models.devices import torch_device
from pipelines.components.models.exports import weights_hash
from pipelines.components.models.known_models import BUNDLED, KNOWN
from pipelines.components.models.tokenizer import encodable
from pipelines.errors import EmbeddingUnavailable, MissingPackage
from pipelines.profile.sections.embedding import HuggingFaceEmbedding as Section

_LONGEST_REASON = 300


class TorchEncoder:
    """Any sentence-transformers model: the bundled one, a folder's, or a hub's (which downloads it)."""

    def __init__(self, section: Section) -> None:
        try:
            from llama_index.embeddings.huggingface import HuggingFaceEmbedding
        except ImportError:
            raise MissingPackage("llama-index-embeddings-huggingface", "huggingface") from None
        device = torch_device(section.device)
        place = str(KNOWN[BUNDLED].weights()) if section.model == BUNDLED else section.model
        try:
            self._model = HuggingFaceEmbedding(model_name=place, embed_batch_size=section.batch_size, device=device)
        except OSError:
            reason = "neither a folder nor the Hugging Face hub gives it; name a folder, or see to the network"
            raise EmbeddingUnavailable(f"the embedding model {section.model}", reason) from None
        except Exception as error:  # safetensors, tokenizers and transformers raise errors of no common class
            reason = f"its files are damaged ({type(error).__name__}: {error})"[:_LONGEST_REASON]
            raise EmbeddingUnavailable(f"the embedding model {section.model}", reason) from error
        weights = Path(place) / "model.safetensors"
        suffix = f"@{weights_hash(weights)[:16]}" if weights.is_file() else ""
        self.name = section.model
        self.query_prefix = self.text_prefix = ""
        self.dimensions = len(self._model.get_text_embedding("dimensions"))
        self.fingerprint = f"{Path(section.model).name}{suffix}"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        return np.asarray(self._model.get_text_embedding_batch([encodable(text) for text in texts]), dtype=np.float32)
