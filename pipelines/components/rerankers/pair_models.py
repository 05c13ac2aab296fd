"""Models that score pairs of texts, on ONNX Runtime and on PyTorch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pipelines.components.embedding.source import most_tokens
from pipelines.components.embedding.tokenizer import encodable, load_tokenizer
from pipelines.errors import MissingPackage, RerankerUnavailable

Pairs = Sequence[tuple[str, str]]
Logits = npt.NDArray[np.floating[Any]]
_POSITIONS = 512  # where the configuration does not say how many there are
_PROBE = (("is it there?", "it is"),)
_INTEGERS: Mapping[str, type[np.integer[Any]]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class PairModel(Protocol):
    """Says how well the second text of a pair answers the first."""

    def logits(self, pairs: Pairs) -> Logits:
        """One number for each pair, shape ``(len(pairs),)``: the larger, the better."""
        ...


class OnnxPairs:
    """A cross-encoder exported to ONNX, with its ``tokenizer.json`` and ``config.json`` beside it or one folder up."""

    def __init__(self, folder: Path, graph: Path) -> None:
        config = _config(folder)
        self._padding = int(config.get("pad_token_id") or 0)
        self._tokenizer = load_tokenizer(_tokenizer_in(folder, graph), most_tokens(folder, _positions(config)))
        self._session = _session(folder, graph)
        self._types = {given.name: _INTEGERS.get(given.type, np.int64) for given in self._session.get_inputs()}
        _check(folder, self)

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        encoded = self._tokenizer.encode_batch([(encodable(first), encodable(second)) for first, second in pairs])
        given = {
            "input_ids": _padded([one.ids for one in encoded], self._padding),
            "attention_mask": _padded([one.attention_mask for one in encoded], 0),
            "token_type_ids": _padded([one.type_ids for one in encoded], 0),
        }
        feed = {name: given[name].astype(kind) for name, kind in self._types.items()}
        return _one_each(self._session.run(None, feed)[0])


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
            raise _refused(model, "it is no model of transformers" if local else said) from error
        if loaded["missing_keys"]:  # a plain encoder would get a head of random numbers
            raise _refused(model, f"it has no trained head that scores pairs ({sorted(loaded['missing_keys'])[0]})")
        self._model.eval()
        self._most = min(int(self._tokenizer.model_max_length), _positions(self._model.config.to_dict()))
        _check(model, self)

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        firsts, seconds = zip(*((encodable(first), encodable(second)) for first, second in pairs), strict=True)
        given = self._tokenizer(
            list(firsts), list(seconds), padding=True, truncation=True, max_length=self._most, return_tensors="pt"
        )
        with self._torch.inference_mode():
            return _one_each(self._model(**given).logits.float().numpy())


def graph_in(folder: Path) -> Path | None:
    """The ONNX file of a model's folder: ``model.onnx``, or the only one there is.

    Raises:
        RerankerUnavailable: There are several, and none is called ``model.onnx``.
    """
    for place in (folder, folder / "onnx"):
        found = sorted(place.glob("*.onnx"))
        if place / "model.onnx" in found or len(found) == 1:
            return place / "model.onnx" if len(found) > 1 else found[0]
        if found:
            raise _refused(folder, "it holds several .onnx files; call the one to use model.onnx")
    return None


def _tokenizer_in(folder: Path, graph: Path) -> Path:
    for place in (folder, graph.parent):
        if (place / "tokenizer.json").is_file():
            return place / "tokenizer.json"
    raise _refused(folder, "there is no tokenizer.json in that folder")


def _session(folder: Path, graph: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions have no class of their own
        raise _refused(folder, f"{graph.name} is no graph that ONNX Runtime can load") from error


def _check(model: object, pairs: PairModel) -> None:
    """Scores a pair, so that a model of another kind is found when it is loaded and not in a search."""
    try:
        pairs.logits(_PROBE)
    except Exception as error:
        raise _refused(model, f"it does not score pairs of texts ({error})") from error


def _one_each(logits: npt.NDArray[Any]) -> Logits:
    """The logit of each pair; of a model with two classes, how far the second is above the first."""
    if logits.ndim == 2 and logits.shape[1] == 2:
        return np.asarray(logits[:, 1] - logits[:, 0])
    if logits.ndim == 1 or (logits.ndim == 2 and logits.shape[1] == 1):
        return np.asarray(logits.reshape(-1))
    raise ValueError(f"it gives numbers of the shape {logits.shape}, and not one or two for a pair")


def _padded(rows: Sequence[Sequence[int]], padding: int) -> npt.NDArray[np.int64]:
    padded = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _positions(config: Mapping[str, Any]) -> int:
    """How many tokens a model can read; RoBERTa counts its positions from behind the padding token's number."""
    first = int(config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
    return int(config.get("max_position_embeddings") or _POSITIONS) - first


def _refused(model: object, reason: str) -> RerankerUnavailable:
    return RerankerUnavailable(f"the cross-encoder {model}", reason)
