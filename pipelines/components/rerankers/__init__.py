"""Reranker stages, by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor

from pipelines.components.embedding import Embedder
from pipelines.components.llm import Llm
from pipelines.components.own import build_installed
from pipelines.components.rerankers.balance import Balance
from pipelines.components.rerankers.base import Stage
from pipelines.components.rerankers.cross_encoder import CrossEncoderRanking
from pipelines.components.rerankers.field_boost import FieldBoost
from pipelines.components.rerankers.late_interaction import LateInteraction
from pipelines.components.rerankers.llm import LlmRanker
from pipelines.components.rerankers.mmr import Mmr
from pipelines.components.rerankers.own import OwnStage
from pipelines.components.rerankers.parent import Parent, TextsOf
from pipelines.components.rerankers.recency import Recency
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.profile.schema import Profile

__all__ = ["Stage", "StageResources", "build_rerankers"]


@dataclass(frozen=True, slots=True)
class StageResources:
    """What stages work with.

    Attributes:
        store: Holds the chunks that they rank.
        embedder: The model that embedded them.
        texts_of: Reads the stored texts that they were cut from.
        llm: The profile's language model, if it has one.
        own: Stages of the caller's own, which run after the profile's.
    """

    store: ChunkStore
    embedder: Embedder
    texts_of: TextsOf
    llm: Llm | None = None
    own: tuple[Stage, ...] = ()


def build_rerankers(profile: Profile, means: StageResources) -> tuple[Stage, ...]:
    """Return the stages that the profile asks for, in its order, and then the caller's own.

    Raises:
        MissingPackage: An optional package that one needs is not installed.
        RerankerUnavailable: The model that one names cannot be had.
    """
    seen: Counter[str] = Counter()
    stages = []
    for section in profile.rerank:
        seen[section.type] += 1
        name = section.type if seen[section.type] == 1 else f"{section.type}_{seen[section.type]}"
        stages.append(_BUILDERS.get(section.type, _installed)(section, name, profile, means))
    return (*stages, *means.own)


def _required(llm: Llm | None) -> Llm:
    assert llm is not None  # a profile with this stage and without a language model cannot be used
    return llm


def _installed(section: Any, name: str, profile: Profile, means: StageResources) -> Stage:
    postprocessor = build_installed("reranker", section.type, section, BaseNodePostprocessor)
    assert postprocessor is not None  # a profile names no others
    return OwnStage(name, postprocessor, section.depth)


_Builder = Callable[[Any, str, Profile, StageResources], Stage]
_BUILDERS: Mapping[str, _Builder] = {
    "mmr": lambda section, name, _, means: Mmr(section, name, means.store.vectors),
    "recency": lambda section, name, *_: Recency(section, name),
    "cross_encoder": lambda section, name, *_: CrossEncoderRanking(section, name),
    "field_boost": lambda section, name, profile, _: FieldBoost(section, name, profile.metadata.fields),
    "llm": lambda section, name, _, means: LlmRanker(section, name, _required(means.llm)),
    "parent": lambda section, name, profile, means: Parent(section, name, profile, means.texts_of),
    "balance": lambda section, name, profile, means: Balance(
        section, name, profile.metadata.fields, store=means.store, embedder=means.embedder
    ),
    "late_interaction": lambda section, name, _, means: LateInteraction(section, name, means.embedder, means.store),
}
