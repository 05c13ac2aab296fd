"""Weights of the levels of the hierarchy: what is more specific may count for more, or for less."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipelines.profile.schema import MetadataSection

Ranked = Sequence[tuple[str, float]]
WeightOf = Callable[[Mapping[str, Any]], float]
"""The weight of a stored chunk."""


def level_weights(section: MetadataSection) -> WeightOf | None:
    """The weight of a chunk by its document's level; None where the profile gives none."""
    hierarchy = section.hierarchy
    if hierarchy is None or not hierarchy.weights:
        return None
    return lambda payload: hierarchy.weights.get(payload["metadata"].get(hierarchy.level), 1.0)


def weighed(fused: Ranked, weights: Mapping[str, float], depth: int) -> list[tuple[str, float]]:
    """``fused`` with each score times its chunk's weight, best first; equal scores in the order of their ids.

    The first ``depth`` are put in order together. What lies deeper keeps its order and stays below them, so that asking
    for more hits never changes the first ones. A chunk that has no weight is gone meanwhile, and is left out.
    """
    first = [(chunk_id, score * weights[chunk_id]) for chunk_id, score in fused[:depth] if chunk_id in weights]
    first.sort(key=lambda item: (-item[1], item[0]))
    floor = first[-1][1] if first else 0.0
    return first + [(chunk_id, min(score, floor)) for chunk_id, score in fused[depth:] if chunk_id in weights]
