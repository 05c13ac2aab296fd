"""Reranker stages, by type."""

from __future__ import annotations

from collections import Counter

from pipelines.components.embedding import Embedder
from pipelines.components.rerankers.base import Question, Stage
from pipelines.components.rerankers.cross_encoder import CrossEncoder
from pipelines.components.rerankers.field_boost import FieldBoost
from pipelines.components.rerankers.late_interaction import LateInteraction
from pipelines.components.rerankers.mmr import Mmr
from pipelines.components.rerankers.recency import Recency
from pipelines.components.vector_store import ChunkStore
from pipelines.profile.schema import Profile
from pipelines.profile.stages import (
    CrossEncoderStage,
    FieldBoostStage,
    LateInteractionStage,
    MmrStage,
    RecencyStage,
    RerankStage,
)

__all__ = ["Question", "Stage", "build_rerankers"]


def build_rerankers(profile: Profile, store: ChunkStore, embedder: Embedder) -> tuple[Stage, ...]:
    """The stages that the profile asks for, in its order.

    ``store`` holds the chunks that they will rank, embedded by ``embedder``.

    Raises:
        MissingPackage: An optional package that one needs is not installed.
        RerankerUnavailable: The model that one names cannot be had.
    """
    seen: Counter[str] = Counter()
    stages = []
    for section in profile.rerank:
        seen[section.type] += 1
        name = section.type if seen[section.type] == 1 else f"{section.type}_{seen[section.type]}"
        stages.append(_build(section, name, profile, store, embedder))
    return tuple(stages)


def _build(section: RerankStage, name: str, profile: Profile, store: ChunkStore, embedder: Embedder) -> Stage:
    match section:
        case MmrStage():
            return Mmr(section, name, store.vectors)
        case RecencyStage():
            return Recency(section, name)
        case CrossEncoderStage():
            return CrossEncoder(section, name)
        case FieldBoostStage():
            return FieldBoost(section, name, profile.metadata.fields)
        case LateInteractionStage():
            return LateInteraction(section, name, embedder, store)
    raise NotImplementedError(section.type)  # `pipelines.profile.planned` keeps such profiles from being opened
