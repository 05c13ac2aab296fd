"""A cross-encoder: reads a question and a text together, and scores how well the text answers.

Nogueira and Cho, "Passage re-ranking with BERT" (arXiv:1901.04085, 2019).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipelines.components.models.pairs import Logits, PairModel, UnusableModel, load_pair_model
from pipelines.errors import RerankerUnavailable
from pipelines.profile.values import Device

Scores = npt.NDArray[np.float32]
MAX_LENGTH = 256
_PROBE = (("is it there?", "it is"),)


class CrossEncoder:
    """Scores texts for a question. Thread-safe; loads its model on first use.

    Args:
        model: A name that Footnote knows or that was added, a folder, or a hub's name; see `load_pair_model`.
        max_length: The most tokens that are read of a question and a text together; None: all that the model can
            read. The longer of both is cut.
        device: What computes.
    """

    def __init__(self, model: str, max_length: int | None = MAX_LENGTH, device: Device = "auto") -> None:
        self.model, self._device = model, device
        self._max_length = max_length
        self._loading = threading.Lock()
        self._loaded: PairModel | None = None

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """Return the logit of each text, in order: higher is better, about -11..11 for MS MARCO models.

        Of a model with two classes, how far the second is above the first.

        Raises:
            MissingPackage: PyTorch is needed and not installed, or the package of a known model is not.
            RerankerUnavailable: The model cannot be had, or does not score pairs.
        """
        loaded = self.load()
        if not texts:
            return np.empty(0, np.float32)
        return _one_each(loaded.logits([(question, text) for text in texts]))

    def load(self) -> PairModel:
        """Load the model if necessary and return it; raises as `scores` does."""
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self.model, self._max_length, self._device)
            return self._loaded


def load_cross_encoder(name: str, max_length: int | None = MAX_LENGTH, device: Device = "auto") -> CrossEncoder:
    """Load a cross-encoder by name, from ``FOOTNOTE_MODELS`` or an installed package; see `CrossEncoder`."""
    return CrossEncoder(name, max_length, device)


def _load(model: str, max_length: int | None, device: Device) -> PairModel:
    """Load the model and score one pair, so that an unsuitable model fails here and not in a search."""
    try:
        loaded = load_pair_model(model, max_length, device)
    except UnusableModel as error:
        raise _refused(model, f"{error}") from error
    try:
        _one_each(loaded.logits(_PROBE))
    except Exception as error:
        raise _refused(model, f"it does not score pairs of texts ({error})") from error
    return loaded


def _one_each(logits: Logits) -> Scores:
    if logits.ndim == 2 and logits.shape[1] == 2:
        return np.asarray(logits[:, 1] - logits[:, 0], np.float32)
    if logits.ndim == 1 or (logits.ndim == 2 and logits.shape[1] == 1):
        return np.asarray(logits.reshape(-1), np.float32)
    raise ValueError(f"it gives numbers of the shape {logits.shape}, and not one or two for a pair")


def _refused(model: str, reason: str) -> RerankerUnavailable:
    return RerankerUnavailable(f"the cross-encoder {model}", reason)
