"""The models of this machine; needs no profile and no tenant."""

from __future__ import annotations

from pipelines.components.models.devices import Chosen, choose_device, offered_providers, torch_device
from pipelines.components.models.exported import ExportedModel, models_folder
from pipelines.components.models.pairs import UnusableModel, pair_device
from pipelines.components.models.registry import ModelEntry
from pipelines.components.models.registry import add_model as _add
from pipelines.components.models.registry import list_models as _list
from pipelines.components.models.registry import remove_model as _remove
from pipelines.errors import MissingPackage
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.rerank import CrossEncoderStage
from pipelines.profile.values import Device

__all__ = ["ExportedModel", "ModelEntry", "add_model", "devices", "list_models", "models_folder", "remove_model"]


def list_models() -> list[ModelEntry]:
    """Return the known models, and the others that were added to `models_folder`."""
    return _list(models_folder())


def add_model(
    name: str,
    quantize: str = "int8",
    *,
    place: str | None = None,
    query_prefix: str | None = None,
    licence: str | None = None,
) -> ExportedModel:
    """Convert a model's weights once, into `models_folder`; see `pipelines.components.models.registry.add_model`."""
    return _add(name, models_folder(), quantize, place=place, query_prefix=query_prefix, licence=licence)


def remove_model(name: str) -> int:
    """Remove what `add_model` made; return the bytes that this frees.

    Raises:
        InvalidRequest: There is nothing of that name.
    """
    return _remove(name, models_folder())


def devices(loaded: LoadedProfile) -> dict[str, str]:
    """Return what computes each model that a profile runs in this process, by the part of the profile that names it.

    A model that is not on this machine yet is left out.

    Raises:
        DeviceMissing: A part says ``cuda``, and it cannot be used.
    """
    profile, found = loaded.profile, {}
    if isinstance(profile.embedding, HuggingFaceEmbedding):
        found["embedding"] = _embedding_device(profile.embedding)
    stages = [stage for stage in profile.rerank if isinstance(stage, CrossEncoderStage)]
    found |= {stage.type: _pair_device(stage.model, stage.device) for stage in stages}
    for part, model in (("chooser", profile.answer.chooser), ("nli", profile.answer.nli)):
        if model is not None:
            found[part] = _pair_device(model, profile.answer.device)
    return {part: device for part, device in found.items() if device is not None}


def _embedding_device(section: HuggingFaceEmbedding) -> Chosen | None:
    if section.backend == "onnx":
        return choose_device(section.device, offered_providers(), section.quantize == "int8")
    try:
        return torch_device(section.device)
    except MissingPackage:
        return None


def _pair_device(model: str, device: Device) -> Chosen | None:
    try:
        return pair_device(model, device)
    except (MissingPackage, UnusableModel):
        return None
