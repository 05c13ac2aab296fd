"""Exports models to ONNX, once from the weights; `pipelines.components.models.exported` finds them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.components.models.bert import BertGraph, float_product
from pipelines.components.models.devices import CPU
from pipelines.components.models.exported import (
    FORMAT,
    ExportedModel,
    named_record,
    placed_record,
    slug,
)
from pipelines.components.models.graph import Graph
from pipelines.components.models.int8 import SENTENCES, Int8Product, kept_scales, largest_channels
from pipelines.components.models.known_models import BUNDLED, KNOWN, KnownModel
from pipelines.components.models.model_source import ModelSource, find_weights, read_source
from pipelines.components.models.packed import read_packed, write_tokenizer
from pipelines.components.models.tokenizer import load_tokenizer
from pipelines.components.models.tuned import tuned
from pipelines.components.store.scratch_folder import scratch_folder
from pipelines.errors import EmbeddingUnavailable, FootnoteError, WeightsChanged

_LONGEST_REASON = 300


def export_model(folder: Path, quantize: str = "none", model: str = BUNDLED) -> Path:
    """Export ``model`` to ONNX under ``folder`` unless an export of the same weights exists; return its folder.

    Raises:
        MissingPackage: The weights of a known model, or what writes ONNX, are not installed.
        EmbeddingUnavailable: ``model`` is no folder of a model that can be exported.
        WeightsChanged: The weights are not those of the known model.
    """
    if model in KNOWN:
        return export_known(KNOWN[model], KNOWN[model].weights(), quantize, folder).folder
    return export_folder(Path(model), quantize, folder).folder


def export_known(known: KnownModel, weights: Path, quantize: str, folder: Path) -> ExportedModel:
    """Export a known model from the folder ``weights``; see `export_model`."""
    file = weights / known.packed if known.packed else find_weights(weights, with_config=known.shape is None)
    with _readable(weights), scratch_folder() as unpacked:
        sha256 = weights_hash(file)
        if sha256 != known.sha256:
            raise WeightsChanged(known.name, str(file), sha256, known.sha256)
        source, tokenizer = _packed_source(known, file, unpacked) if known.packed else _source(known, weights)
        source = replace(
            source,
            pooling=known.pooling,
            most_tokens=known.max_tokens,
            query_prefix=known.query_prefix,
            text_prefix=known.text_prefix,
        )
        made = _described(source, known.name, sha256, quantize, licence=known.licence, origin=known.requirement)
        made = _as_variant(made, known.variant)
        return _keep(made, source, [tokenizer, *known.notices()], folder, named_record(known.name, quantize))


def _source(known: KnownModel, weights: Path) -> tuple[ModelSource, Path]:
    source = read_source(weights, known.shape)
    learned = known.learned_file
    return tuned(source, learned) if learned else source, weights / "tokenizer.json"


def _packed_source(known: KnownModel, file: Path, unpacked: Path) -> tuple[ModelSource, Path]:
    """Return the model of a packed file, and its tokenizer, which is written to ``unpacked``."""
    packed, tokenizer = read_packed(file), unpacked / "tokenizer.json"
    write_tokenizer(packed, tokenizer)
    source = ModelSource(known.shape or {}, packed.tensors, known.pooling, known.max_tokens, first_position=0)
    return source, tokenizer


def export_folder(
    weights: Path,
    quantize: str,
    folder: Path,
    *,
    name: str | None = None,
    licence: str | None = None,
    query_prefix: str | None = None,
    origin: str | None = None,
) -> ExportedModel:
    """Export a model from a folder; see `export_model`.

    Args:
        weights: Its folder.
        quantize: Its precision.
        folder: Where exported models are kept.
        name: What profiles call it; without one, they call it by its folder.
        licence: Of the weights, where that is known.
        query_prefix: What is put before a question; else as the folder says.
        origin: Where the weights came from; else the folder.
    """
    with _readable(weights):
        sha256 = weights_hash(find_weights(weights))
        source = read_source(weights)
        if query_prefix is not None:
            source = replace(source, query_prefix=query_prefix)
        made = _described(
            source, name or weights.name, sha256, quantize, licence=licence, origin=origin or str(weights)
        )
        record = placed_record(str(weights), quantize) if name is None else named_record(name, quantize)
        return _keep(_varied(made, source, weights), source, [weights / "tokenizer.json"], folder, record)


def _varied(made: ExportedModel, source: ModelSource, weights: Path) -> ExportedModel:
    """Give a model of one's own a place by all that its export depends on: the weights alone do not say it."""
    stated = [source.pooling, source.most_tokens, source.text_prefix, source.config]
    tokenizer = (weights / "tokenizer.json").read_bytes()
    return _as_variant(made, hashlib.sha256(json.dumps(stated, sort_keys=True).encode() + tokenizer).hexdigest()[:8])


def _as_variant(made: ExportedModel, variant: str) -> ExportedModel:
    if not variant:
        return made
    folder = Path(f"{slug(made.name)}-{made.sha256[:16]}-{variant}-{made.quantize}-{FORMAT}")
    return replace(made, folder=folder, variant=variant)


@contextmanager
def _readable(weights: Path) -> Iterator[None]:
    """Report files that cannot be read, or do not fit together."""
    try:
        yield
    except FootnoteError:
        raise
    except OSError as error:
        if error.filename is None or not Path(error.filename).is_relative_to(weights):
            raise  # of where the export is written
        raise EmbeddingUnavailable(
            f"the model {weights}", f"{error.filename} cannot be read ({error.strerror})"
        ) from error
    except Exception as error:  # JSON, NumPy, tokenizers and ONNX Runtime raise many errors, some of no class
        reason = f"its files are damaged, or of different models ({type(error).__name__}: {error})"
        raise EmbeddingUnavailable(f"the model {weights}", reason[:_LONGEST_REASON]) from error


def _described(
    source: ModelSource, name: str, sha256: str, quantize: str, *, licence: str | None, origin: str
) -> ExportedModel:
    folder = Path(f"{slug(name)}-{sha256[:16]}-{quantize}-{FORMAT}")
    return ExportedModel(
        name=name,
        sha256=sha256,
        quantize=quantize,
        dimensions=source.classes or source.dimensions,
        most_tokens=source.most_tokens,
        folder=folder,
        kind=source.kind,
        query_prefix=source.query_prefix,
        text_prefix=source.text_prefix,
        licence=licence,
        origin=origin,
    )


def _keep(made: ExportedModel, source: ModelSource, copied: Sequence[Path], folder: Path, record: str) -> ExportedModel:
    """Write the graph and the files ``copied`` unless they exist and run, then the record that names them."""
    if not _runs(source, folder / made.folder):
        _export(source, copied, folder / made.folder, made.quantize)
    _write_record(folder / record, {**asdict(made), "folder": str(made.folder)})
    return replace(made, folder=folder / made.folder)


def _runs(source: ModelSource, target: Path) -> bool:
    """Return whether a model was exported to ``target``; one that was damaged since is removed."""
    if not target.is_dir():
        return False
    try:
        _require_running(source, target)
    except Exception:  # noqa: BLE001 - ONNX Runtime and tokenizers raise many errors, some of no class
        shutil.rmtree(target)
        return False
    return True


def _export(source: ModelSource, copied: Sequence[Path], target: Path, quantize: str) -> None:
    """Write the model beside ``target`` and rename it, so that ``target`` is never incomplete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(target.parent, ".unfinished-") as scratch:
        unfinished = scratch / target.name
        unfinished.mkdir()
        for file in copied:
            shutil.copyfile(file, unfinished / file.name)
        graph = Graph()
        if quantize == "int8":
            sample = _sample(unfinished / "tokenizer.json", source)
            product = Int8Product(largest_channels(source, sample), kept_scales(source))
            BertGraph(graph, source, product, half_words=True).write()
        else:
            BertGraph(graph, source, float_product).write()
        graph.save(unfinished / "model.onnx")
        _write_config(source, unfinished / "config.json")
        _require_running(source, unfinished)
        _open_to_all(unfinished)
        _put(unfinished, target)


def _write_config(source: ModelSource, path: Path) -> None:
    """Write the configuration that pair models need, in transformers' format."""
    labels = {str(index): label for index, label in source.labels.items()}
    config = {"id2label": labels, "max_position_embeddings": source.most_tokens}
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")


def _require_running(source: ModelSource, folder: Path) -> None:
    """Run the written graph on a text: what its tokenizer gives must be what it takes."""
    import onnxruntime

    json.loads((folder / "config.json").read_text(encoding="utf-8"))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=[CPU])
    tokens = load_tokenizer(folder / "tokenizer.json", source.most_tokens).encode(SENTENCES[0]).ids
    feed = {
        given.name: np.array([tokens if given.name == "input_ids" else [0] * len(tokens)], np.int32)
        for given in session.get_inputs()
    }
    numbers, expected = session.run(None, feed)[0].shape[-1], source.classes or source.dimensions
    if numbers != expected:
        raise ValueError(f"it gives {numbers} numbers and not {expected}")


def _open_to_all(folder: Path) -> None:
    """Make the folder readable for all users: the server often runs as another user."""
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)


def _put(unfinished: Path, target: Path) -> None:
    try:
        unfinished.rename(target)
    except OSError:
        if not target.is_dir():  # otherwise another process wrote the same first
            raise


def _sample(tokenizer: Path, source: ModelSource) -> list[list[int]]:
    """Sample sentences as token ids, one by one and all together."""
    encode = load_tokenizer(tokenizer, source.most_tokens).encode
    return [encode(text).ids for text in (*SENTENCES, " ".join(SENTENCES))]


def _write_record(path: Path, record: dict[str, Any]) -> None:
    unfinished = path.with_suffix(f".{os.getpid()}")
    try:
        unfinished.write_text(json.dumps(record, indent=1, default=str), encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def weights_hash(path: Path) -> str:
    """SHA-256 of a weights file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
