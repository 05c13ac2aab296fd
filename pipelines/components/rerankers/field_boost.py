"""Weights by the value of a field, or by the section that a chunk stands in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.rerankers.base import Stage, weighted
from pipelines.filters.sections import plain_heading
from pipelines.filters.values import Fields
from pipelines.profile.sections.rerank import FieldBoostStage, boosts_sections
from pipelines.types import Hit


class FieldBoost(Stage):
    """Multiplies the score of each hit with the weight of its value; others keep theirs.

    Of several values that have a weight, the largest weight counts. Of the headings that a chunk stands under, the
    lowest that has one counts; letter case, numbering and closing punctuation are no difference between headings.
    """

    _weight: Callable[[Hit], float] = PrivateAttr()

    def __init__(self, section: FieldBoostStage, name: str, declared: Fields) -> None:
        super().__init__(name=name, depth=section.depth)
        field = declared.get(section.field)
        by_section = boosts_sections(section, None if field is None else field.source)
        self._weight = _by_heading(section.weights) if by_section else _by_value(section.field, section.weights)

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        return weighted(hits, self._weight)


def _by_value(field: str, weights: Mapping[str, float]) -> Callable[[Hit], float]:
    def weight(hit: Hit) -> float:
        held: Any = hit.metadata.get(field)
        values = held if isinstance(held, list | tuple) else [held]
        return max((weights[value] for value in values if isinstance(value, str) and value in weights), default=1.0)

    return weight


def _by_heading(weights: Mapping[str, float]) -> Callable[[Hit], float]:
    known = {plain_heading(heading): weight for heading, weight in weights.items()}

    def weight(hit: Hit) -> float:
        return next((known[key] for key in map(plain_heading, reversed(hit.headings)) if key in known), 1.0)

    return weight
