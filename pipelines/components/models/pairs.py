"""Cross-encoders: classifiers of text pairs, on ONNX Runtime and on PyTorch."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from pipelines.components.models.devices import Chosen, device_of_graph, torch_device
from pipelines.components.models.exported import NAME, exported_model, models_folder
from pipelines.components.models.exports import export_known
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.model_source import most_tokens
from pipelines.components.models.sessions import Workers, shared_session
from pipelines.components.models.tokenizer import encodable, load_tokenizer
from pipelines.errors import DeviceMissing, MissingPackage
from pipelines.profile.values import Device

Pairs = Sequence[tuple[str, str]]
Logits = npt.NDArray[np.floating[Any]]
_AT_ONCE = 8
_LONGEST_REASON = 300
_POSITIONS = 512  # if the configuration names no limit
_INTEGERS: Mapping[str, type[np.integer[Any]]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}

_LOADED: WeakValueDictionary[tuple[str, int | None, Device], PairModel] = WeakValueDictionary()
_LOADING = threading.Lock()


class UnusableModel(Exception):
    """A folder or name holds no usable pair model; the text says why."""


class PairModel(Protocol):
    """A classifier of text pairs."""

    @property
    def labels(self) -> Mapping[int, str]:
        """The names of the classes in the model's configuration."""
        ...

    def logits(self, pairs: Pairs) -> Logits:
        """Return the logits, shape ``(len(pairs), classes)``."""
        ...


def load_pair_model(model: str, most: int | None = None, device: Device = "auto") -> PairModel:
    """Load a model from a folder, else by a known or added name, else from the hub.

    A folder runs on ONNX Runtime where it holds an ``.onnx`` file and on PyTorch where not. A known model that was not
    added runs from its package, and a tuned one is added. Another name is one of the Hugging Face hub, which PyTorch's
    way downloads. All that use a model at a time share it.

    Args:
        model: The name or the folder.
        most: The most tokens that are read of a pair, if that is less than the model can read.
        device: What computes.

    Raises:
        DeviceMissing: It cannot run on ``device``.
        MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
        UnusableModel: There is no such model.
    """
    place, load = _found(model, device)
    with _LOADING:
        loaded = _LOADED.get((place, most, device))
        if loaded is None:
            loaded = _LOADED[place, most, device] = load(place, most, device)
        return loaded


def pair_device(model: str, device: Device) -> Chosen:
    """Return where a model runs, without loading it.

    Raises:
        DeviceMissing, MissingPackage, UnusableModel: See `load_pair_model`.
    """
    place, load = _found(model, device)
    graph = graph_in(Path(place)) if load is OnnxPairs else None
    return torch_device(device) if graph is None else device_of_graph(device, graph)


def _found(model: str, device: Device) -> tuple[str, Callable[[str, int | None, Device], PairModel]]:
    """Return the place of a model, and its loader."""
    folder = Path(model).expanduser()
    if folder.is_dir():
        return str(folder), OnnxPairs if graph_in(folder) else _local
    if not NAME.fullmatch(model):
        raise UnusableModel("there is no such folder")
    named = _named_folder(model, device)
    return (model, TorchPairs) if named is None else (str(named), OnnxPairs)


def _local(folder: str, most: int | None, device: Device) -> PairModel:
    return TorchPairs(folder, most, device, local=True)


def _named_folder(model: str, device: Device) -> Path | None:
    """Return the folder of an added model, or of a known model's package; a tuned one is converted first.

    Of two precisions it is the one in 8 bits, which is faster on a processor and cannot run on a GPU.
    """
    for precision in ("none", "int8") if device == "cuda" else ("int8", "none"):
        found = exported_model(model, precision, models_folder())
        if found is None:
            continue
        if found.kind == "embedding":
            raise UnusableModel("it is an embedding model")
        return found.folder
    if model not in KNOWN:
        return None
    known = KNOWN[model]
    return export_known(known, known.weights(), "int8", models_folder()).folder if known.learned else known.weights()


class OnnxPairs:
    """A cross-encoder in ONNX, with its ``tokenizer.json`` and ``config.json`` beside it or one folder up.

    Pairs run one by one, side by side on the processors: without padding that is quicker than in batches.

    Raises:
        UnusableModel: A file is missing, or is no graph.
    """

    def __init__(self, place: str, most: int | None = None, device: Device = "auto") -> None:
        folder = Path(place)
        graph = graph_in(folder)
        if graph is None:
            raise UnusableModel("there is no .onnx file in that folder")
        with _readable():
            config = _config(folder)
            limit = most_tokens(folder, _positions(config))
            self._tokenizer = load_tokenizer(_tokenizer_in(folder, graph), min(limit, most or limit))
            self.labels = _labels(config)
        self._session = _session(graph, device)
        self._types = {given.name: _INTEGERS.get(given.type, np.int64) for given in self._session.get_inputs()}
        self._workers = Workers()

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        made = dict(self._workers.spread(self._run, pairs))
        return np.stack([made[index] for index in range(len(pairs))])

    def _run(self, pair: tuple[str, str]) -> Logits:
        first, second = pair
        encoding = self._tokenizer.encode(encodable(first), encodable(second))
        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.array([given[name]], kind) for name, kind in self._types.items()}
        logits: Logits = self._session.run(None, feed)[0][0]
        return logits


class TorchPairs:
    """A sequence classifier of the transformers library: a folder's, or a hub's, which is downloaded.

    Pairs of similar length go together, so that little of a batch is padding.

    Raises:
        MissingPackage: PyTorch is not installed.
        UnusableModel: There is no such model.
    """

    def __init__(self, model: str, most: int | None = None, device: Device = "auto", *, local: bool = False) -> None:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingPackage("torch", "huggingface") from None
        self._torch, self._device = torch, torch_device(device)
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=local)
            self._model, loaded = AutoModelForSequenceClassification.from_pretrained(
                model, local_files_only=local, output_loading_info=True
            )
        except (OSError, ValueError) as error:
            reason = "neither a folder nor the Hugging Face hub gives it; name a folder, or see to the network"
            raise UnusableModel("it is not a transformers model" if local else reason) from error
        except Exception as error:  # safetensors and tokenizers raise errors of no common class
            raise _unreadable(error) from error
        if loaded["missing_keys"]:  # a plain encoder would get a random head
            raise UnusableModel(f"it has no trained head that scores pairs ({sorted(loaded['missing_keys'])[0]})")
        self._model.to(self._device).eval()
        config = self._model.config.to_dict()
        limit = min(int(self._tokenizer.model_max_length), _positions(config))
        self._most = min(limit, most or limit)
        self.labels = _labels(config)

    def logits(self, pairs: Pairs) -> Logits:
        """See `PairModel`."""
        order = sorted(range(len(pairs)), key=lambda index: sum(map(len, pairs[index])))
        made: dict[int, Logits] = {}
        for start in range(0, len(order), _AT_ONCE):
            batch = order[start : start + _AT_ONCE]
            made.update(zip(batch, self._batch([pairs[index] for index in batch]), strict=True))
        return np.stack([made[index] for index in range(len(pairs))])

    def _batch(self, pairs: Pairs) -> Logits:
        firsts, seconds = zip(*((encodable(first), encodable(second)) for first, second in pairs), strict=True)
        given = self._tokenizer(
            list(firsts), list(seconds), padding=True, truncation=True, max_length=self._most, return_tensors="pt"
        )
        with self._torch.inference_mode():
            logits: Logits = self._model(**given.to(self._device)).logits.float().cpu().numpy()
        return logits


@contextmanager
def _readable() -> Iterator[None]:
    """Report files beside a graph that cannot be read."""
    try:
        yield
    except UnusableModel:
        raise
    except Exception as error:  # tokenizers raises errors of no class
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> UnusableModel:
    return UnusableModel(f"its files are damaged ({type(error).__name__}: {error})"[:_LONGEST_REASON])


def graph_in(folder: Path) -> Path | None:
    """Find the ONNX file of a model's folder: ``model.onnx``, or the only one.

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


def _session(graph: Path, device: Device) -> Any:
    try:
        return shared_session(graph, device)
    except DeviceMissing:
        raise
    except Exception as error:  # ONNX Runtime's exceptions share no class
        raise UnusableModel(f"{graph.name} is not a graph that ONNX Runtime can load") from error


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _labels(config: Mapping[str, Any]) -> dict[int, str]:
    return {int(index): str(label) for index, label in (config.get("id2label") or {}).items()}


def _positions(config: Mapping[str, Any]) -> int:
    """Return most tokens that a model reads; RoBERTa's positions start behind the padding token's id."""
    first = int(config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
    return int(config.get("max_position_embeddings") or _POSITIONS) - first
