"""Reads the folder of a BERT: a sentence encoder or a pair classifier, from safetensors or ONNX."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.components.models.known_models import Kind, Pooling
from pipelines.components.models.weights import read_weights
from pipelines.errors import EmbeddingUnavailable

_WEIGHTS = ("model.safetensors", "model.onnx")
_MODULES = {"Transformer", "Pooling", "Normalize"}
_POOLINGS: Mapping[str, Pooling] = {
    "mean": "mean",
    "pooling_mode_mean_tokens": "mean",
    "cls": "cls",
    "pooling_mode_cls_token": "cls",
}
_OF_QUESTIONS, _OF_TEXTS = ("query",), ("document", "passage", "corpus")
"""The names of prefixes, as sentence-transformers looks for them."""
_HEADS = (("pooler.dense", "classifier"), ("classifier.dense", "classifier.out_proj"))
"""The two layers of a pair classifier, as BERT and RoBERTa name them."""


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model's configuration and weights.

    Attributes:
        pooling: How tokens become a text's vector.
        most_tokens: The most tokens that it reads of a text.
        first_position: Its first row of positions that is used.
        head: The layers that classify a pair; empty for an encoder.
        scales: The step of the numbers of weights that were kept in 8 bits; see `Weights`.
        query_prefix: What is put before a question, and not before a text.
        text_prefix: What is put before a text, and not before a question.
    """

    config: Mapping[str, Any]
    weights: Mapping[str, npt.NDArray[Any]]
    pooling: Pooling
    most_tokens: int
    first_position: int
    head: tuple[str, ...] = ()
    scales: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    query_prefix: str = ""
    text_prefix: str = ""

    @property
    def dimensions(self) -> int:
        """Length of its vectors."""
        return int(self.config["hidden_size"])

    @property
    def classes(self) -> int:
        """Number of outputs for a pair; 0 for an encoder."""
        return len(self.weights[f"{self.head[-1]}.bias"]) if self.head else 0

    @property
    def labels(self) -> dict[int, str]:
        """Names of its classes."""
        return {int(index): str(label) for index, label in (self.config.get("id2label") or {}).items()}

    @property
    def kind(self) -> Kind:
        """The purpose of the model; a class named entailment makes it an entailment model."""
        if not self.head:
            return "embedding"
        return "nli" if any(label.lower().startswith("entail") for label in self.labels.values()) else "cross_encoder"


def read_source(folder: Path, shape: Mapping[str, Any] | None = None) -> ModelSource:
    """Read the model in ``folder``; safetensors weights are memory-mapped.

    Args:
        folder: Where its weights, its ``tokenizer.json`` and its ``config.json`` are.
        shape: Stands for ``config.json`` where that is known to be missing.

    Raises:
        EmbeddingUnavailable: A file is missing, or the model is of a kind that cannot be exported.
        MissingPackage: Its weights are an ONNX graph and the package ``onnx`` is not installed.
    """
    weights_file = find_weights(folder, shape is None)
    config = shape or _read_json(folder / "config.json")
    kind = config.get("model_type")
    absolute = config.get("position_embedding_type", "absolute") == "absolute"
    if kind not in ("bert", "roberta", "xlm-roberta") or config.get("hidden_act") != "gelu" or not absolute:
        raise _refused(folder, "only BERT and RoBERTa models with GELU and absolute positions can be exported")
    found = read_weights(weights_file)
    first_position = 0 if kind == "bert" else config.get("pad_token_id", 1) + 1
    return ModelSource(
        config=config,
        weights=found.tensors,
        pooling=_pooling(folder),
        most_tokens=most_tokens(folder, config["max_position_embeddings"] - first_position),
        first_position=first_position,
        head=next((head for head in _HEADS if all(f"{layer}.weight" in found.tensors for layer in head)), ()),
        scales=found.scales,
        query_prefix=_prefix(folder, _OF_QUESTIONS),
        text_prefix=_prefix(folder, _OF_TEXTS),
    )


def find_weights(folder: Path, with_config: bool = True) -> Path:
    """Find the weights file in ``folder``, and check the model's other files.

    Raises:
        EmbeddingUnavailable: A file is missing.
    """
    weights = next((folder / file for file in _WEIGHTS if (folder / file).is_file()), None)
    if weights is None:
        raise EmbeddingUnavailable(f"the model {folder}", f"there is no {' or '.join(_WEIGHTS)} in that folder")
    for file in ("config.json", "tokenizer.json") if with_config else ("tokenizer.json",):
        if not (folder / file).is_file():
            raise EmbeddingUnavailable(f"the model {folder}", f"there is no {file} in that folder")
    return weights


def _pooling(folder: Path) -> Pooling:
    """Return the pooling that the folder declares; the mean if it declares none."""
    if not (folder / "modules.json").is_file():
        return "mean"
    modules: Any = _read_json(folder / "modules.json")
    paths = {module["type"].rsplit(".", 1)[-1]: module["path"] for module in modules}
    if unknown := sorted(paths.keys() - _MODULES):
        raise _refused(folder, f"its module {unknown[0]} cannot be exported")
    pooling = _read_json(folder / paths["Pooling"] / "config.json") if "Pooling" in paths else {}
    modes = (
        [pooling["pooling_mode"]] if "pooling_mode" in pooling else [mode for mode in pooling if _is_on(pooling, mode)]
    )
    if not modes:
        return "mean"
    if len(modes) > 1 or modes[0] not in _POOLINGS:
        raise _refused(folder, f"its pooling ({', '.join(modes)}) cannot be exported")
    return _POOLINGS[modes[0]]


def _is_on(pooling: Mapping[str, Any], mode: str) -> bool:
    return mode.startswith("pooling_mode_") and pooling[mode] is True


def _prefix(folder: Path, names: Sequence[str]) -> str:
    """Return the first prefix of these names that the folder declares for sentence-transformers."""
    file = folder / "config_sentence_transformers.json"
    prompts = _read_json(file).get("prompts") or {} if file.is_file() else {}
    return str(next((prompts[name] for name in names if name in prompts), "") or "")


def most_tokens(folder: Path, positions: int) -> int:
    """Return most tokens of a text: sentence-transformers' limit, else the tokenizer's, within the model's
    positions.
    """
    stated: list[int] = []
    for file, key in (("sentence_bert_config.json", "max_seq_length"), ("tokenizer_config.json", "model_max_length")):
        if (folder / file).is_file():
            stated += [limit for limit in [_read_json(folder / file).get(key)] if limit]
    return min(int(stated[0]), positions) if stated else positions


def _refused(folder: Path, reason: str) -> EmbeddingUnavailable:
    return EmbeddingUnavailable(f"the ONNX export of {folder.name}", f"{reason}; use backend: torch")


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
