"""Embedding models, by provider."""

from __future__ import annotations

from pathlib import Path

from pipelines.components.embedding.base import Embedder, Encoder
from pipelines.components.embedding.huggingface import TorchEncoder
from pipelines.components.embedding.lost import LostEncoder
from pipelines.components.embedding.models import BUNDLED, export_model, find_model, models_folder
from pipelines.components.embedding.onnx import OnnxEncoder
from pipelines.components.embedding.remote import RemoteEncoder
from pipelines.components.embedding.tokenizer import TokenSpans
from pipelines.profile.schema import EmbeddingSection, HuggingFaceEmbedding

__all__ = ["Embedder", "build_embedding", "build_tokenizer", "export_model", "lost_embedding", "models_folder"]


def build_embedding(section: EmbeddingSection, folder: Path) -> Embedder:
    """The model that the profile asks for; ``folder`` holds the exported ones.

    Raises:
        ModelMissing: It has not been exported yet.
        MissingPackage: Its optional package is not installed.
    """
    return Embedder(_encoder(section, folder))


def lost_embedding(fingerprint: str, dimensions: int) -> Embedder:
    """The place of a model that cannot be had any more: a store of its vectors can be opened, but none can be made."""
    return Embedder(LostEncoder(fingerprint, dimensions))


def _encoder(section: EmbeddingSection, folder: Path) -> Encoder:
    if not isinstance(section, HuggingFaceEmbedding):
        return RemoteEncoder(section)
    if section.backend == "torch":
        return TorchEncoder(section)
    return OnnxEncoder(find_model(section.model, section.quantize, folder), section.threads)


def build_tokenizer(section: EmbeddingSection, folder: Path) -> TokenSpans:
    """The tokenizer that chunks are measured with: the model's own, or the bundled one's where that is not known.

    Raises:
        ModelMissing: No exported model brings it.
    """
    local = isinstance(section, HuggingFaceEmbedding) and section.backend == "onnx"
    model, quantize = (section.model, section.quantize) if local else (BUNDLED, "none")  # type: ignore[union-attr]
    return TokenSpans(find_model(model, quantize, folder).tokenizer)
