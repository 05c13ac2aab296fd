"""Entailment: whether a passage says a claim, by a cross-encoder trained on natural language inference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipelines.errors import MissingPackage, Problem, ProfileError

_MOST_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Entailment:
    """How likely a passage entails a claim, and how likely it contradicts it, both in 0..1."""

    entails: float
    contradicts: float


class Entails(Protocol):
    """Judges pairs of a passage and a claim."""

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """The entailment of each pair, in order."""
        ...


class CrossEncoder:
    """A sequence classifier of transformers whose labels name entailment and contradiction.

    Args:
        model: A folder, or a name on Hugging Face's hub.

    Raises:
        MissingPackage: PyTorch or transformers is not installed.
        ProfileError: There is no such model, or its labels are others.
    """

    def __init__(self, model: str) -> None:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingPackage("torch", "huggingface") from None
        local = Path(model).expanduser()
        name = str(local) if local.is_dir() else model
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=local.is_dir())
            self._model = AutoModelForSequenceClassification.from_pretrained(name, local_files_only=local.is_dir())
        except (OSError, ValueError) as error:
            raise _unusable(model, "is neither a folder of a model nor one of the hub that can be had") from error
        self._model.eval()
        self._torch = torch
        labels = {str(label).lower(): index for index, label in self._model.config.id2label.items()}
        self._entails = _index(labels, "entail", model)
        self._contradicts = _index(labels, "contradict", model)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """The entailment of each pair; see `Entails`."""
        passages, claims = zip(*pairs, strict=True)
        encoded = self._tokenizer(
            list(passages),
            list(claims),
            padding=True,
            truncation="only_first",
            max_length=_MOST_TOKENS,
            return_tensors="pt",
        )
        with self._torch.inference_mode():
            shares: Any = self._model(**encoded).logits.softmax(-1)
        return [Entailment(float(row[self._entails]), float(row[self._contradicts])) for row in shares]


def _index(labels: Mapping[str, int], beginning: str, model: str) -> int:
    found = [index for label, index in labels.items() if label.startswith(beginning)]
    if len(found) != 1:
        raise _unusable(model, f"does not tell entailment: its labels are {', '.join(sorted(labels))}")
    return int(found[0])


def _unusable(model: str, why: str) -> ProfileError:
    return ProfileError("of the tenant", (Problem("answer -> nli", f'"{model}" {why}'),))
