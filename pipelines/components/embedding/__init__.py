"""Embedding models, by provider."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Literal, TypedDict
from weakref import WeakValueDictionary

from pipelines.components.embedding.adapter import QueryAdapter, find_adapter
from pipelines.components.embedding.base import Embedder, Encoder
from pipelines.components.embedding.huggingface import TorchEncoder
from pipelines.components.embedding.onnx import OnnxEncoder
from pipelines.components.embedding.remote import RemoteEncoder
from pipelines.components.embedding.tokens import TokenEmbedder
from pipelines.components.embedding.unavailable import UnavailableEncoder
from pipelines.components.models.exported import ExportedModel, damaged, find_model, models_folder, needed_model
from pipelines.components.models.exports import export_model
from pipelines.components.models.tokenizer import TokenSpans
from pipelines.errors import EmbeddingUnavailable, FootnoteError
from pipelines.events import Observe, ignore_event
from pipelines.profile.sections.embedding import EmbeddingSection, HuggingFaceEmbedding
from pipelines.profile.values import Device

Tokens = Literal["none", "asked", "stored"]
_RUNNING: WeakValueDictionary[tuple[ExportedModel, int, Device], OnnxEncoder] = WeakValueDictionary()
_MEASURING: WeakValueDictionary[ExportedModel, TokenSpans] = WeakValueDictionary()
_STARTING = threading.Lock()


class Settings(TypedDict):
    """What an embedder puts before questions and texts, and how it adapts questions."""

    query_prefix: str | None
    text_prefix: str | None
    adapter: QueryAdapter | None


__all__ = [
    "Embedder",
    "TokenEmbedder",
    "build_embedding",
    "build_tokenizer",
    "export_model",
    "lost_embedding",
    "models_folder",
]


def build_embedding(
    section: EmbeddingSection, folder: Path, tokens: Tokens = "none", observe: Observe = ignore_event
) -> Embedder:
    """Build the profile's embedding model; ``folder`` holds the exported models.

    Where ``tokens``, vectors of words, are asked for, a model on onnx is a `TokenEmbedder`; others cannot give them.

    Raises:
        ModelMissing: It has not been exported yet.
        ModelDamaged: Its files or its record cannot be read.
        DeviceMissing: It cannot run on the device that the profile names.
        MissingPackage: Its optional package is not installed.
        EmbeddingUnavailable: It is a model of another kind, or cannot be had.
        ProfileError: The adapter of questions cannot be used.
    """
    encoder = _encoder(section, folder)
    settings: Settings = {
        "query_prefix": section.query_prefix,
        "text_prefix": section.text_prefix,
        "adapter": find_adapter(section, encoder),
    }
    if tokens == "none" or not isinstance(encoder, OnnxEncoder):
        return Embedder(encoder, observe, **settings)
    return TokenEmbedder(encoder, tokens == "stored", observe, **settings)


def lost_embedding(fingerprint: str, dimensions: int) -> Embedder:
    """Stand-in for a model that is no longer available: its store can be opened, but nothing embedded."""
    return Embedder(UnavailableEncoder(fingerprint, dimensions))


def _encoder(section: EmbeddingSection, folder: Path) -> Encoder:
    if not isinstance(section, HuggingFaceEmbedding):
        return RemoteEncoder(section)
    if section.backend == "torch":
        return TorchEncoder(section)
    model = find_model(section.model, section.quantize, folder)
    if model.kind != "embedding":
        raise EmbeddingUnavailable(f"the embedding model {section.model}", f"it is a model of the kind {model.kind}")
    return _running(model, section.threads, section.device)


def _running(model: ExportedModel, threads: int, device: Device) -> OnnxEncoder:
    """Return one encoder per model for all tenants of the process: it keeps no state."""
    with _STARTING:
        encoder = _RUNNING.get((model, threads, device))
        if encoder is None:
            encoder = _RUNNING[model, threads, device] = _started(model, threads, device)
        return encoder


def _started(model: ExportedModel, threads: int, device: Device) -> OnnxEncoder:
    try:
        return OnnxEncoder(model, threads, device)
    except FootnoteError:
        raise
    except Exception as error:  # ONNX Runtime and tokenizers raise many errors, some of no class
        raise damaged(model) from error


def build_tokenizer(section: EmbeddingSection, folder: Path) -> TokenSpans:
    """Return the tokenizer that measures chunks: the model's own, else the bundled model's.

    All tenants of the process share it: it takes 6 MB.

    Raises:
        ModelMissing: No exported model brings it.
    """
    model = find_model(*needed_model(section), folder)
    with _STARTING:
        tokens = _MEASURING.get(model)
        if tokens is None:
            tokens = _MEASURING[model] = TokenSpans(model)
        return tokens
