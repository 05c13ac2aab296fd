"""Exported ONNX models on this machine, found by small records; nothing is loaded to look for them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import platformdirs

from pipelines.components.models.known_models import BUNDLED, KNOWN, Kind
from pipelines.errors import ModelDamaged, ModelMissing, nearest
from pipelines.profile.sections.embedding import EmbeddingSection, HuggingFaceEmbedding

NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
"""Valid names of a model: a plain name, or a name of the Hugging Face hub."""
FORMAT = 4
"""Version of the graph; increase it when the graph changes, so that models are exported again."""


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """An exported model: its files, the hash of its weights, and the shape of what it takes and gives.

    ``origin`` says where its weights came from: a package's requirement, a folder, or a hub's name. ``variant`` is a
    hash of the tokenizer and the settings that a model of one's own was exported with.
    """

    name: str
    sha256: str
    quantize: str
    dimensions: int
    most_tokens: int
    folder: Path
    kind: Kind = "embedding"
    query_prefix: str = ""
    text_prefix: str = ""
    licence: str | None = None
    origin: str = ""
    variant: str = ""

    @property
    def graph(self) -> Path:
        """The ONNX file."""
        return self.folder / "model.onnx"

    @property
    def tokenizer(self) -> Path:
        """The tokenizer's file."""
        return self.folder / "tokenizer.json"

    @property
    def bytes(self) -> int:
        """Size of its files."""
        return sum(file.stat().st_size for file in self.folder.iterdir())


def models_folder() -> Path:
    """Return the folder of exported models: ``FOOTNOTE_MODELS``, or the user's cache folder."""
    return Path(os.environ.get("FOOTNOTE_MODELS") or platformdirs.user_cache_path("footnote") / "models")


def find_model(model: str, quantize: str, folder: Path) -> ExportedModel:
    """Find the export of ``model``, a name or a folder of weights.

    Raises:
        ModelMissing: It has not been exported to ``folder`` yet.
    """
    found = exported_model(model, quantize, folder)
    if found is None:
        alike = nearest(model, KNOWN) if _is_unknown(model) else None
        raise ModelMissing(f"{model} ({quantize})", str(folder), _command(model, quantize), alike)
    return found


def exported_model(model: str, quantize: str, folder: Path) -> ExportedModel | None:
    """Return the export of ``model``, a name or a folder of weights; None where it has not been exported.

    Raises:
        ModelDamaged: Its record cannot be read.
    """
    command = _command(model, quantize)
    records = (_read_record(folder / record, command) for record in _records_of(model, quantize))
    return next((found for found in records if found is not None and _is_current(found)), None)


def _is_current(found: ExportedModel) -> bool:
    """Return whether the files of an export are there, and what it was tuned with is what it is tuned with now."""
    known = KNOWN.get(found.name)
    return found.graph.is_file() and (known is None or known.learned is None or found.variant == known.variant)


def damaged(model: ExportedModel) -> ModelDamaged:
    """Return the error that says that the files of an export cannot be used."""
    return ModelDamaged(f"the exported model in {model.folder}", _command(model.name, model.quantize))


def exported_models(folder: Path) -> Iterator[tuple[Path, ExportedModel]]:
    """List the models exported to ``folder`` with their records, also those whose files are gone.

    Raises:
        ModelDamaged: A record cannot be read.
    """
    for record in sorted(folder.glob(f"*-{FORMAT}.json")):
        name, _, quantize = record.name.removesuffix(f"-{FORMAT}.json").rpartition("-")
        found = _read_record(record, _command(name.replace("--", "/"), quantize))
        if found is not None:
            yield record, found


def export_folders(name: str, folder: Path) -> list[Path]:
    """List the folders of all exports of a model with a name: of every precision, of earlier weights and formats."""
    made = re.compile(rf"{re.escape(slug(name))}-[0-9a-f]{{16}}(-[0-9a-f]{{8}})?-(none|int8)-\d+")
    return sorted(place for place in folder.iterdir() if made.fullmatch(place.name) and place.is_dir())


def needed_model(section: EmbeddingSection) -> tuple[str, str]:
    """Return name and precision of the model that measures chunks: the profile's own, else the bundled one."""
    local = isinstance(section, HuggingFaceEmbedding) and section.backend == "onnx"
    return (section.model, section.quantize) if local else (BUNDLED, "none")  # type: ignore[union-attr]


def _command(model: str, quantize: str) -> str:
    """Return the arguments of ``footnote models`` that export ``model``."""
    if model == BUNDLED:
        return "export"
    precision = "" if quantize == "int8" else f" --quantize {quantize}"
    if not NAME.fullmatch(model):
        return f"add NAME --from {shlex.quote(model)}{precision}, and write NAME in the profile"
    weights = " --from DIR" if _is_unknown(model) else ""
    return f"add {model}{weights}{precision}"


def _is_unknown(model: str) -> bool:
    """Return whether ``model`` is a plain name, not one of those whose weights Footnote knows."""
    return NAME.fullmatch(model) is not None and "/" not in model and model not in KNOWN


def _records_of(model: str, quantize: str) -> tuple[str, ...]:
    placed = placed_record(model, quantize)
    return (named_record(model, quantize), placed) if NAME.fullmatch(model) else (placed,)


def named_record(name: str, quantize: str) -> str:
    """Return the file name of the record of a model with a name."""
    return f"{slug(name)}-{quantize}-{FORMAT}.json"


def placed_record(model: str, quantize: str) -> str:
    """Return the file name of the record of a model that is known by the folder of its weights."""
    place = hashlib.sha256(str(Path(model).resolve()).encode()).hexdigest()[:16]
    return f"{Path(model).name}{place}-{quantize}-{FORMAT}.json"


def slug(name: str) -> str:
    """Return a name as a part of file names."""
    return name.replace("/", "--")


def _read_record(path: Path, command: str) -> ExportedModel | None:
    """Return what a record says; ``command`` is the one that writes it again."""
    if not path.is_file():
        return None
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        unknown = config.keys() - {field.name for field in fields(ExportedModel)}
        if any(config.pop(key) for key in unknown):  # a later release's model, which this one would run otherwise
            return None
        return ExportedModel(**{**config, "folder": path.parent / config["folder"]})
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ModelDamaged(f"the record {path} of an exported model", command) from error
