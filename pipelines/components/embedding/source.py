"""Reads a folder that holds a BERT sentence encoder, as sentence-transformers keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.errors import EmbeddingUnavailable

Pooling = Literal["mean", "cls"]
_FILES = ("model.safetensors", "config.json", "tokenizer.json")
_TYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8"}
_MODULES = {"Transformer", "Pooling", "Normalize"}
_POOLINGS: Mapping[str, Pooling] = {
    "mean": "mean",
    "pooling_mode_mean_tokens": "mean",
    "cls": "cls",
    "pooling_mode_cls_token": "cls",
}
_WORDS = "embeddings.word_embeddings.weight"


@dataclass(frozen=True, slots=True)
class Source:
    """An encoder's configuration and weights, how it pools, and the most tokens that it reads of a text."""

    config: Mapping[str, Any]
    weights: Mapping[str, npt.NDArray[Any]]
    pooling: Pooling
    most_tokens: int
    first_position: int

    @property
    def dimensions(self) -> int:
        """Length of its vectors."""
        return int(self.config["hidden_size"])


def read_source(folder: Path) -> Source:
    """The encoder in ``folder``; its weights are mapped, not loaded.

    Raises:
        EmbeddingUnavailable: A file is missing, or the model is of a kind that cannot be exported.
    """
    check_files(folder)
    config = _read_json(folder / "config.json")
    kind = config.get("model_type")
    absolute = config.get("position_embedding_type", "absolute") == "absolute"
    if kind not in ("bert", "roberta", "xlm-roberta") or config.get("hidden_act") != "gelu" or not absolute:
        raise _refused(folder, "only BERT and RoBERTa models with GELU and absolute positions can be exported")
    first_position = 0 if kind == "bert" else config.get("pad_token_id", 1) + 1
    return Source(
        config=config,
        weights=_without_prefix(read_safetensors(folder / "model.safetensors")),
        pooling=_pooling(folder),
        most_tokens=most_tokens(folder, config["max_position_embeddings"] - first_position),
        first_position=first_position,
    )


def check_files(folder: Path) -> None:
    """Sees that ``folder`` holds a model.

    Raises:
        EmbeddingUnavailable: A file is missing.
    """
    for file in _FILES:
        if not (folder / file).is_file():
            raise EmbeddingUnavailable(f"the embedding model {folder}", f"there is no {file} in that folder")


def read_safetensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The tensors of a safetensors file, by name; all but those of 16-bit brain floats are mapped, not loaded."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    header_size = int.from_bytes(raw[:8].tobytes(), "little")
    header = json.loads(raw[8 : 8 + header_size].tobytes())
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = (8 + header_size + offset for offset in entry["data_offsets"])
            tensor = raw[start:end].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])
            tensors[name] = _widened(tensor) if entry["dtype"] == "BF16" else tensor
    return tensors


def _widened(bits: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Brain floats, which numpy does not know: the upper half of the same float of 32 bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _without_prefix(weights: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Drops what a model with a head puts before the encoder's names: ``bert.``, ``roberta.``."""
    prefix = next((name.removesuffix(_WORDS) for name in weights if name.endswith(_WORDS)), "")
    return {name.removeprefix(prefix): weight for name, weight in weights.items()}


def _pooling(folder: Path) -> Pooling:
    """How the folder says that tokens become one vector; a folder that does not say so means the mean."""
    if not (folder / "modules.json").is_file():
        return "mean"
    modules: Any = _read_json(folder / "modules.json")
    paths = {module["type"].rsplit(".", 1)[-1]: module["path"] for module in modules}
    if unknown := sorted(paths.keys() - _MODULES):
        raise _refused(folder, f"its module {unknown[0]} cannot be exported")
    said = _read_json(folder / paths["Pooling"] / "config.json") if "Pooling" in paths else {}
    modes = [said["pooling_mode"]] if "pooling_mode" in said else [mode for mode in said if _is_on(said, mode)]
    if not modes:
        return "mean"
    if len(modes) > 1 or modes[0] not in _POOLINGS:
        raise _refused(folder, f"its pooling ({', '.join(modes)}) cannot be exported")
    return _POOLINGS[modes[0]]


def _is_on(said: Mapping[str, Any], mode: str) -> bool:
    return mode.startswith("pooling_mode_") and said[mode] is True


def most_tokens(folder: Path, positions: int) -> int:
    """How much of a text is read: sentence-transformers' limit, else the tokenizer's, within the positions."""
    stated: list[int] = []
    for file, key in (("sentence_bert_config.json", "max_seq_length"), ("tokenizer_config.json", "model_max_length")):
        if (folder / file).is_file():
            stated += [limit for limit in [_read_json(folder / file).get(key)] if limit]
    return min(int(stated[0]), positions) if stated else positions


def _refused(folder: Path, reason: str) -> EmbeddingUnavailable:
    return EmbeddingUnavailable(f"the ONNX export of {folder.name}", f"{reason}; use backend: torch")


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
