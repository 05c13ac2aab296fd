"""The models of this machine; needs no profile and no tenant."""

from __future__ import annotations

from pipelines.components.models.exports import ExportedModel, models_folder
from pipelines.components.models.registry import ModelEntry
from pipelines.components.models.registry import add_model as _add
from pipelines.components.models.registry import list_models as _list
from pipelines.components.models.registry import remove_model as _remove

__all__ = ["ExportedModel", "ModelEntry", "add_model", "list_models", "models_folder", "remove_model"]


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
