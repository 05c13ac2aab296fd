"""Sequence classifiers that read two texts together (cross-encoders), on ONNX Runtime and on PyTorch."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.source import most_tokens
from pipelines.components.embedding.tokenizer import encodable, load_tokenizer
from pipelines.errors import MissingPackage

Pairs = Sequence[tuple[str, str]]
Logits = npt.NDArray[np.floating[Any]]
_POSITIONS = 512  # where the configuration does not say how many there are
_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_INTEGERS: Mapping[str, type[np.integer[Any]]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class UnusableModel(Exception):
    """A folder or a name does not give a model of pairs; the text says why."""


class PairModel(Protocol):
    """Sorts pairs of texts into classes."""

    @property
    def labels(self) -> Mapping[int, str]:
        """What the model's configuration calls the classes."""
        ...

    def logits(self, pairs: Pairs) -> Logits:
        """A number for each pair and class, shape ``(len(pairs), classes)``."""
        ...


def load_pair_model(model: str) -> PairModel:
    """The model of a folder, on ONNX Runtime where that holds an ``.onnx`` file and on PyTorch where not.

    Another name is one of the Hugging Face hub, which PyTorch's way downloads.

    Raises:
        MissingPackage: PyTorch is needed and not installed.
        UnusableModel: There is no such model.
    """
    folder = Path(model).expanduser()
    if not folder.is_dir():
        if not _HUB_NAME.fullmatch(model):
            raise UnusableModel("there is no such folder")
        return TorchPairs(model)
    graph = graph_in(folder)
    return TorchPairs(str(folder), local=True) if graph is None else OnnxPairs(folder, graph)


class OnnxPairs:
    """A cross-encoder exported to ONNX, with its ``tokenizer.json`` and ``config.json`` beside it or one folder up."""

    def __init__(self, folder: Path, graph: Path) -> None:
        config = _config(folder)
        self._padding = int(config.get("pad_token_id") or 0)
        self._tokenizer = load_tokenizer(_tokenizer_in(folder, graph), most_tokens(folder, _positions(config)))
        self._session = _session(folder, graph)
        self._types = {given.name: _INTEGERS.get(given.type, np.int64) for given in self._session.get_inputs()}
        self.labels = _labels(config)

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        encoded = self._tokenizer.encode_batch([(encodable(first), encodable(second)) for first, second in pairs])
        given = {
            "input_ids": _padded([one.ids for one in encoded], self._padding),
            "attention_mask": _padded([one.attention_mask for one in encoded], 0),
            "token_type_ids": _padded([one.type_ids for one in encoded], 0),
        }
        feed = {name: given[name].astype(kind) for name, kind in self._types.items()}
        logits: Logits = self._session.run(None, feed)[0]
        return logits


class TorchPairs:
    """A sequence classifier of the transformers library: a folder's, or a hub's, which is downloaded."""

    def __init__(self, model: str, *, local: bool = False) -> None:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingPackage("torch", "huggingface") from None
        self._torch = torch
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=local)
            self._model, loaded = AutoModelForSequenceClassification.from_pretrained(
                model, local_files_only=local, output_loading_info=True
            )
        except (OSError, ValueError) as error:
            said = "neither a folder nor the Hugging Face hub gives it; name a folder, or see to the network"
            raise UnusableModel("it is no model of transformers" if local else said) from error
        if loaded["missing_keys"]:  # a plain encoder would get a head of random numbers
            raise UnusableModel(f"it has no trained head that scores pairs ({sorted(loaded['missing_keys'])[0]})")
        self._model.eval()
        config = self._model.config.to_dict()
        self._most = min(int(self._tokenizer.model_max_length), _positions(config))
        self.labels = _labels(config)

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        firsts, seconds = zip(*((encodable(first), encodable(second)) for first, second in pairs), strict=True)
        given = self._tokenizer(
            list(firsts), list(seconds), padding=True, truncation=True, max_length=self._most, return_tensors="pt"
        )
        with self._torch.inference_mode():
            logits: Logits = self._model(**given).logits.float().numpy()
        return logits


def graph_in(folder: Path) -> Path | None:
    """The ONNX file of a model's folder: ``model.onnx``, or the only one there is.

    Raises:
        UnusableModel: There are several, and none is called ``model.onnx``.
    """
    for place in (folder, folder / "onnx"):
        found = sorted(place.glob("*.onnx"))
        if place / "model.onnx" in found or len(found) == 1:
            return place / "model.onnx" if len(found) > 1 else found[0]
        if found:
            raise UnusableModel("it holds several .onnx files; call the one to use model.onnx")
    return None


def _tokenizer_in(folder: Path, graph: Path) -> Path:
    for place in (folder, graph.parent):
        if (place / "tokenizer.json").is_file():
            return place / "tokenizer.json"
    raise UnusableModel("there is no tokenizer.json in that folder")


def _session(folder: Path, graph: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no class of their own
        raise UnusableModel(f"{graph.name} is no graph that ONNX Runtime can load") from error


def _padded(rows: Sequence[Sequence[int]], padding: int) -> npt.NDArray[np.int64]:
    padded = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _labels(config: Mapping[str, Any]) -> dict[int, str]:
    return {int(index): str(label) for index, label in (config.get("id2label") or {}).items()}


def _positions(config: Mapping[str, Any]) -> int:
    """How many tokens a model can read; RoBERTa counts its positions from behind the padding token's number."""
    first = int(config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
    return int(config.get("max_position_embeddings") or _POSITIONS) - first
