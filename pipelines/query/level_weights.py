"""Weights of the levels of the hierarchy: more specific documents may count for more, or for less."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipelines.profile.sections.documents import Hierarchy, MetadataSection

Ranked = Sequence[tuple[str, float]]
WeightOf = Callable[[Mapping[str, Any]], float]
"""The weight of a stored chunk."""


def level_weights(section: MetadataSection) -> WeightOf | None:
    """Return the weight of a chunk by its document's level; None if the profile has no weights."""
    hierarchy = section.hierarchy
    if hierarchy is None or not hierarchy.weights:
        return None
    return lambda payload: _weight(hierarchy, payload["metadata"].get(hierarchy.level))


def _weight(hierarchy: Hierarchy, level: Any) -> float:
    """Return the weight of a level; what an earlier profile stored may be something else than text."""
    return hierarchy.weights.get(level, 1.0) if isinstance(level, str) else 1.0


def weight_leg(fused: Ranked, weights: Mapping[str, float], depth: int) -> list[tuple[str, float]]:
    """``fused`` with each score times its chunk's weight, best first; equal scores in the order of their ids.

    The first ``depth`` are ordered together. Those below keep their order and stay below, so that asking for more hits
    never changes the first ones. A chunk without a weight was deleted during the search; it is left out.
    """
    first = [(chunk_id, score * weights[chunk_id]) for chunk_id, score in fused[:depth] if chunk_id in weights]
    first.sort(key=lambda item: (-item[1], item[0]))
    floor = first[-1][1] if first else 0.0
    return first + [(chunk_id, min(score, floor)) for chunk_id, score in fused[depth:] if chunk_id in weights]
