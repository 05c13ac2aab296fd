"""Makes one list of the legs' lists.

Convex combination of min-max normalised scores follows Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
Hybrid Retrieval" (ACM TOIS 42(1), 2023); reciprocal rank fusion follows Cormack, Clarke and Buettcher (SIGIR 2009).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from pipelines.profile.sections.retrieval import Retrieval
from pipelines.types import LegScore

Leg = Sequence[tuple[str, float]]
"""Chunk ids and scores in falling order."""
RRF_K = 60
"""The constant of reciprocal rank fusion, as its authors chose it."""


def fuse(legs: Mapping[str, Leg], settings: Retrieval) -> list[tuple[str, float]]:
    """Chunk ids and fused scores in 0..1, best first; equal scores in the order of their ids.

    The first ``settings.candidates`` of each leg are fused together. What a deeper search found beyond them follows
    below, fused the same way, so that asking for more hits never changes the first ones.
    """
    depth = settings.candidates
    first = _fused({name: leg[:depth] for name, leg in legs.items()}, settings)
    if all(len(leg) <= depth for leg in legs.values()):
        return first
    deeper = _fused({name: leg[depth:] for name, leg in legs.items()}, settings)
    known = {chunk_id for chunk_id, _ in first}
    floor = first[-1][1] if first else 1.0
    return first + [(chunk_id, score * floor) for chunk_id, score in deeper if chunk_id not in known]


def continued(legs: Mapping[str, Leg], deeper: Mapping[str, Leg]) -> dict[str, Leg]:
    """Return ``legs``, each followed by what a deeper search found beside it."""
    return {name: [*legs.get(name, ()), *_beside(legs.get(name, ()), leg)] for name, leg in deeper.items()}


def _beside(leg: Leg, deeper: Leg) -> Leg:
    known = {chunk_id for chunk_id, _ in leg}
    return [hit for hit in deeper if hit[0] not in known]


def leg_scores(legs: Mapping[str, Leg], chunk_ids: Iterable[str]) -> dict[str, dict[str, LegScore]]:
    """Return what each leg thought of these chunks: by chunk id, then by the leg's name."""
    scores: dict[str, dict[str, LegScore]] = {chunk_id: {} for chunk_id in chunk_ids}
    for name, leg in legs.items():
        for rank, (chunk_id, score) in enumerate(leg, 1):
            if chunk_id in scores:
                scores[chunk_id][name] = LegScore(rank, score)
    return scores


def _fused(legs: Mapping[str, Leg], settings: Retrieval) -> list[tuple[str, float]]:
    present = {name: leg for name, leg in legs.items() if leg}
    totals = _rrf(present, RRF_K) if settings.fusion == "rrf" else _convex(present, settings.dense_weight)
    return sorted(sorted(totals.items()), key=itemgetter(1), reverse=True)  # stable: equal scores stay in order


def _convex(legs: Mapping[str, Leg], dense_weight: float) -> dict[str, float]:
    """Weighted sum of the min-max scores; a leg that is alone has all the weight."""
    weights = {"dense": dense_weight, "sparse": 1.0 - dense_weight} if len(legs) > 1 else dict.fromkeys(legs, 1.0)
    totals: dict[str, float] = {}
    for name, leg in legs.items():
        weight, highest, lowest = weights[name], leg[0][1], leg[-1][1]
        spread = highest - lowest
        for chunk_id, score in leg:
            # A leg of equal scores, a single hit above all, has nothing to say about order: each is its best.
            share = (score - lowest) / spread if spread else 1.0
            totals[chunk_id] = totals.get(chunk_id, 0.0) + weight * share
    return totals


def _rrf(legs: Mapping[str, Leg], k: int) -> dict[str, float]:
    """Sum of ``1 / (k + rank)``, scaled so that the first of every leg has 1."""
    totals: dict[str, float] = {}
    for leg in legs.values():
        for rank, (chunk_id, _) in enumerate(leg, 1):
            totals[chunk_id] = totals.get(chunk_id, 0.0) + (k + 1) / ((k + rank) * len(legs))
    return totals
