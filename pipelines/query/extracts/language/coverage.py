"""How many of a question's terms texts hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipelines.query.terms import Terms

Shares = npt.NDArray[np.float64]


class Coverage:
    """The share of a question's terms that texts hold; a term counts the more, the fewer of ``among`` hold it.

    The weight of a term is ``log(1 + n / (1 + n_t))``, an inverse document frequency over the passages of one search.
    """

    def __init__(self, question: str, among: Sequence[str], terms: Terms) -> None:
        self._terms = terms
        self._asked = terms(question)
        self._known: dict[str, frozenset[int]] = {}
        held = [self._held(text) for text in among]
        self._weights = {
            term: float(np.log1p(len(among) / (1 + sum(term in some for some in held)))) for term in self._asked
        }
        self._total = sum(self._weights.values()) or 1.0

    def of(self, texts: Sequence[str]) -> Shares:
        """Return the share of each text, in 0..1."""
        return np.array([self._share(text) for text in texts], np.float64)

    def _share(self, text: str) -> float:
        return sum(self._weights[term] for term in self._held(text)) / self._total

    def _held(self, text: str) -> frozenset[int]:
        """Return the question's terms that a text holds; passages are looked at more than once."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._terms(text) & self._asked
        return known
