"""Entailment: whether a passage supports a claim, by a cross-encoder for natural language inference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pipelines.components.models.pairs import UnusableModel, load_pair_model
from pipelines.errors import Problem, ProfileError
from pipelines.profile.values import Device


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


class EntailmentModel:
    """A classifier of pairs whose labels name entailment and contradiction.

    Args:
        model: A name, a folder, or one on Hugging Face's hub; see `pipelines.components.models.pairs.load_pair_model`.
        device: What computes.

    Raises:
        MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
        ProfileError: There is no such model, or its labels are others.
    """

    def __init__(self, model: str, device: Device = "auto") -> None:
        try:
            self._model = load_pair_model(model, device=device)
        except UnusableModel as error:
            raise _unusable(model, str(error)) from error
        self._entails = _index(self._model.labels, "entail", model)
        self._contradicts = _index(self._model.labels, "contradict", model)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """The entailment of each pair; see `Entails`."""
        shares = _softmax(self._model.logits(pairs))
        return [Entailment(float(row[self._entails]), float(row[self._contradicts])) for row in shares]


def _softmax(logits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    grown = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shares: npt.NDArray[np.float64] = grown / grown.sum(axis=1, keepdims=True)
    return shares


def _index(labels: Mapping[int, str], beginning: str, model: str) -> int:
    found = [index for index, label in labels.items() if label.lower().startswith(beginning)]
    if len(found) != 1:
        named = ", ".join(sorted(label.lower() for label in labels.values()))
        raise _unusable(model, f"it does not tell entailment: its labels are {named or 'not named'}")
    return found[0]


def _unusable(model: str, why: str) -> ProfileError:
    return ProfileError("of the tenant", (Problem("answer -> nli", f'"{model}" cannot be used: {why}'),))
