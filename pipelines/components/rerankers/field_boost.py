"""Weights by the value of a field, or by the section that a chunk stands in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pipelines.components.rerankers.base import Question, weighted
from pipelines.profile.stages import SECTION, FieldBoostStage
from pipelines.types import Hit

_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.)])\s+")


class FieldBoost:
    """Multiplies the score of each hit with the weight of its value; others keep theirs.

    Of several values that have a weight, the largest weight counts. Of the headings that a chunk stands under, the
    lowest that has one counts; letter case, numbering and closing punctuation are no difference between headings.
    """

    def __init__(self, section: FieldBoostStage, name: str, declared: Iterable[str]) -> None:
        self.name = name
        self.depth = section.depth
        by_section = section.field == SECTION and SECTION not in declared
        self._weight = _by_heading(section.weights) if by_section else _by_value(section.field, section.weights)

    def rank(self, question: Question, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        return weighted(hits, self._weight)


def _by_value(field: str, weights: Mapping[str, float]) -> Callable[[Hit], float]:
    def weight(hit: Hit) -> float:
        held: Any = hit.metadata.get(field)
        values = held if isinstance(held, list | tuple) else [held]
        return max((weights[value] for value in values if isinstance(value, str) and value in weights), default=1.0)

    return weight


def _by_heading(weights: Mapping[str, float]) -> Callable[[Hit], float]:
    known = {_plain(heading): weight for heading, weight in weights.items()}

    def weight(hit: Hit) -> float:
        return next((known[key] for key in map(_plain, reversed(hit.headings)) if key in known), 1.0)

    return weight


def _plain(heading: str) -> str:
    words = " ".join(heading.casefold().split())
    return _NUMBERING.sub("", words).rstrip(" .:")
