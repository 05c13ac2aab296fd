"""The passages that an answer may rest on: each sentence of a chunk, and each two that follow each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.components.sentences import sentence_spans
from pipelines.query.terms import Terms
from pipelines.types import Hit, Span

Vector = npt.NDArray[np.float32]
Vectors = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Unit vectors of texts, shape (n, dimensions)."""

_QUESTION = re.compile(r"\?[^\w\s]*\Z")
_HEADING = re.compile(r"#{1,6}\s[^\n]*\Z")
_PAIR_COSTS = 0.03  # of two windows that support equally, one sentence says it more clearly than two
_MOST_CHARACTERS = 1200  # of a sentence that is embedded; tables can be one sentence


@dataclass(frozen=True, slots=True)
class Window:
    """One or two sentences of a chunk, verbatim: their span in the version's text, their terms and their vector."""

    hit: Hit
    text: str
    span: Span
    terms: frozenset[int]
    vector: Vector
    sentences: int


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A claim, or a part of one: its text, its terms and its vector."""

    text: str
    terms: frozenset[int]
    vector: Vector


class Reading:
    """The windows of an answer's sources, made when they are first asked for.

    Args:
        vectors: Unit vectors of texts.
        terms: The terms of a text (stemmed, without stop words), as ids.
    """

    def __init__(self, vectors: Vectors, terms: Terms) -> None:
        self.vectors = vectors
        self.terms = terms
        self._windows: dict[str, tuple[Window, ...]] = {}

    def windows(self, hit: Hit) -> tuple[Window, ...]:
        """Return the windows of a chunk, in the order of its text, each sentence before the pair that it begins.

        A heading and a question say nothing by themselves: they are windows only together with the sentence below.
        """
        if hit.chunk_id not in self._windows:
            self._windows[hit.chunk_id] = tuple(self._made(hit))
        return self._windows[hit.chunk_id]

    def whole(self, hit: Hit) -> Window:
        """Return the whole chunk, for one in which no sentence can be found."""
        (vector,) = self.vectors([hit.content])
        return self._window(hit, 0, len(hit.content), vector)

    def _made(self, hit: Hit) -> list[Window]:
        spans = sentence_spans(hit.content)
        if not spans:
            return []
        single = [self._window(hit, start, end, vector) for (start, end), vector in self._embedded(hit, spans)]
        windows = []
        for one, following in zip(single, [*single[1:], None], strict=True):
            if following is None or not _says_nothing(one.text):
                windows.append(one)
            if following is not None:
                windows.append(self._pair(hit, one, following))
        return [window for window in windows if not _QUESTION.search(window.text)] or windows

    def _embedded(self, hit: Hit, spans: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], Vector]]:
        texts = [hit.content[start:end][:_MOST_CHARACTERS] for start, end in spans]
        return list(zip(spans, self.vectors(texts), strict=True))

    def _window(self, hit: Hit, start: int, end: int, vector: Vector) -> Window:
        text = hit.content[start:end]
        span = Span(hit.span.start + start, hit.span.start + end)
        return Window(hit, text, span, self.terms(text), vector, 1)

    def _pair(self, hit: Hit, one: Window, other: Window) -> Window:
        span = Span(one.span.start, other.span.end)
        text = hit.content[span.start - hit.span.start : span.end - hit.span.start]
        middle = one.vector + other.vector  # embedding the pair would cost as much again as the sentences
        length = float(np.linalg.norm(middle)) or 1.0
        return Window(hit, text, span, one.terms | other.terms, (middle / length).astype(np.float32), 2)


def _says_nothing(sentence: str) -> bool:
    return _HEADING.match(sentence) is not None or _QUESTION.search(sentence) is not None


def best_windows(claim: ClaimPart, hits: Sequence[Hit], reading: Reading) -> tuple[Window, ...]:
    """Return the window of each chunk that supports a claim best, the best first."""
    best = [max(windows, key=lambda one: _fit(claim, one)) for hit in hits if (windows := reading.windows(hit))]
    return tuple(sorted(best, key=lambda one: -_fit(claim, one)))


def strength(claim: ClaimPart, hits: Sequence[Hit], reading: Reading) -> float:
    """Return how strongly the best window supports a claim, in 0..1: the mean of overlap and cosine."""
    return max((_fit(claim, window) for window in best_windows(claim, hits, reading)[:1]), default=0.0)


def overlap(claimed: frozenset[int], stated: frozenset[int]) -> float:
    """Return the share of a claim's terms that its evidence holds."""
    return len(claimed & stated) / len(claimed) if claimed else 0.0


def _fit(claim: ClaimPart, window: Window) -> float:
    cosine = max(float(window.vector @ claim.vector), 0.0)
    return (overlap(claim.terms, window.terms) + cosine) / 2 - _PAIR_COSTS * (window.sentences - 1)
