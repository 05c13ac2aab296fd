"""Fingerprints of embedding models, from their profile and the records of exports; no model is loaded for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipelines.components.models.exported import ExportedModel, exported_model, models_folder
from pipelines.errors import ModelDamaged, Problem, ProfileError
from pipelines.profile.adapter import adapter_problems, read_about, require_model
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import (
    EmbeddingSection,
    HuggingFaceEmbedding,
    OllamaEmbedding,
    OpenAIEmbedding,
    TeiEmbedding,
)

ServedEmbedding = OllamaEmbedding | OpenAIEmbedding | TeiEmbedding


def exported_fingerprint(model: ExportedModel) -> str:
    """Return the name of an exported model's vectors: the weights, what else shaped the export, and the precision."""
    shaped = f"{model.name}@{model.sha256[:16]}" + (f"-{model.variant}" if model.variant else "")
    return shaped if model.quantize == "none" else f"{shaped}/{model.quantize}"


def served_fingerprint(section: ServedEmbedding) -> str:
    """Return the name of the vectors of a model that a server runs."""
    return f"{section.provider}:{section.model}:{section.dimensions}"


def prefixed_fingerprint(fingerprint: str, text_prefix: str) -> str:
    """Return the name of all that decides the vector of a text: a model's fingerprint, and what is put before texts."""
    return f"{fingerprint}<{text_prefix.strip()}" if text_prefix else fingerprint


def adapter_mismatch(profile: Profile) -> Iterator[Problem]:
    """Yield what is wrong with an adapter that was learned for another embedding model than the profile's.

    A file that is no adapter, a model that is not on this machine, and one that PyTorch runs are passed over: opening
    the tenant refuses what is wrong with them.
    """
    adapter = profile.embedding.adapter
    if adapter is None or adapter_problems(adapter):
        return
    fingerprint = _fingerprint(profile.embedding, models_folder())
    try:
        if fingerprint is not None:
            require_model(adapter, read_about(adapter), fingerprint)
    except ProfileError as error:
        yield from error.problems


def _fingerprint(section: EmbeddingSection, folder: Path) -> str | None:
    match section:
        case OllamaEmbedding() | OpenAIEmbedding() | TeiEmbedding():
            return prefixed_fingerprint(served_fingerprint(section), section.text_prefix or "")
        case HuggingFaceEmbedding(backend="onnx"):
            return _exported(section, folder)
    return None


def _exported(section: HuggingFaceEmbedding, folder: Path) -> str | None:
    try:
        model = exported_model(section.model, section.quantize, folder)
    except ModelDamaged:  # is reported as such
        return None
    if model is None:
        return None
    prefix = model.text_prefix if section.text_prefix is None else section.text_prefix
    return prefixed_fingerprint(exported_fingerprint(model), prefix)
