"""From a question to hits: the legs, their fusion, the reranker stages, and an absolute score."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import log
from typing import Any

from qdrant_client import models

from pipelines.components.embedding import Embedder
from pipelines.components.rerankers import Question, Stage
from pipelines.components.rerankers.base import Vector
from pipelines.components.rerankers.mmr import Mmr
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.vector_store import ChunkStore
from pipelines.filters.values import given_metadata
from pipelines.profile.schema import Retrieval
from pipelines.profile.stages import MmrStage
from pipelines.query.expansion import Expander
from pipelines.query.fusion import Leg, fuse, leg_scores
from pipelines.query.levels import WeightOf, weighed
from pipelines.query.rerank import following, rerank
from pipelines.types import Hit, LegScore, Mode, Span, Trace

_SPARSE_LEGS_AT_ONCE = 4  # each is short beside the embedding that hides it, and Edge answers one at a time anyway
_COUNTED = 50  # chunks that have a word
_SPARSE_HALF = 12.0
"""BM25 score that counts as half certain where the sparse leg is alone."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is looked for: the question, how many hits, by which legs, and among which chunks.

    ``vector`` is the question where it comes as one; ``diversity`` replaces that of the profile's stage `mmr`, or adds
    such a stage.
    """

    query: str
    top_k: int
    mode: Mode
    where: models.Filter | None
    vector: Vector | None = None
    diversity: float | None = None


class Finder:
    """Runs the legs, the sparse one while the model embeds the question, fuses them, and runs the reranker stages."""

    def __init__(
        self,
        store: ChunkStore,
        embedder: Embedder,
        encoder: Bm25Encoder,
        settings: Retrieval,
        stages: Sequence[Stage] = (),
        *,
        weight_of: WeightOf | None = None,
        expand: Expander | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._encoder = encoder
        self._settings = settings
        self.stages = stages
        self._weight_of = weight_of
        self._expand = expand
        self._beside = ThreadPoolExecutor(_SPARSE_LEGS_AT_ONCE, thread_name_prefix="footnote-sparse")

    @property
    def dimensions(self) -> int:
        """The length of the dense vectors."""
        return self._embedder.dimensions

    def find(self, ask: Ask, trace: Trace | None = None) -> list[Hit]:
        """The best ``top_k`` chunks, best first; ``trace`` is told how they were found."""
        trace, began = trace or Trace(), time.perf_counter()
        trace.legs, vector = self._legs(ask, trace)
        trace.fused, trace.strength = fuse(trace.legs, self._settings), evidence(trace.legs)
        trace.weighed = self._weighed(trace.fused, self._weight_of) if self._weight_of is not None else None
        stages = self._stages_for(ask)
        if not stages:
            hits = self._hits(trace, 0, ask.top_k, trace.strength)
            trace.seconds["retrieve"] = time.perf_counter() - began - trace.seconds.get("embed", 0.0)
            return hits
        fused = time.perf_counter()
        trace.seconds["retrieve"] = fused - began - trace.seconds.get("embed", 0.0)
        hits = self._reranked(stages, Question(ask.query, vector, ask.where), ask.top_k, trace)
        trace.seconds["rerank"] = time.perf_counter() - fused
        return [replace(hit, score=hit.score * trace.strength) for hit in hits]

    def _stages_for(self, ask: Ask) -> Sequence[Stage]:
        """The profile's stages, as far as they can do without a text where there is none; with the asked diversity."""
        stages = self.stages if ask.query else [stage for stage in self.stages if isinstance(stage, Mmr)]
        if ask.diversity is None:
            return stages
        spread = Mmr(MmrStage(type="mmr", diversity=ask.diversity), "mmr", self._store.vectors)
        return [*(stage for stage in stages if not isinstance(stage, Mmr)), spread]

    def rarity(self, word: str, where: models.Filter | None) -> float:
        """The inverse document frequency of a word among the chunks, as BM25 counts it; 0 where none has it.

        Where more chunks have it than are worth counting, it is read off the best one's score, whose term frequency is
        as good as saturated.
        """
        leg = self._store.legs(None, self._encoder.query(word), where=where, depth=_COUNTED)["sparse"]
        if not leg:
            return 0.0
        if len(leg) == _COUNTED:
            return leg[0][1] / self._encoder.most
        return log(1 + (self._store.count() - len(leg) + 0.5) / (len(leg) + 0.5))

    def deeper(self, ask: Ask, depth: int) -> Mapping[str, Leg]:
        """The legs down to ``depth``, every chunk of ``ask.where`` weighed: slower than a search, and exact."""
        dense = None if ask.mode == "sparse" else self._vector(ask, Trace())
        sparse = None if ask.mode == "dense" else self._terms(ask)
        legs = self._store.legs(dense, sparse, where=ask.where, depth=depth, exact=True)
        asked = {"dense": dense, "sparse": sparse}
        return {name: leg for name, leg in legs.items() if asked[name] is not None}

    def _weighed(self, fused: Leg, weight_of: WeightOf) -> Leg:
        payloads = self._store.fetch([chunk_id for chunk_id, _ in fused])
        weights = {chunk_id: weight_of(payload) for chunk_id, payload in payloads.items()}
        return weighed(fused, weights, self._settings.candidates)

    def _reranked(self, stages: Sequence[Stage], question: Question, top_k: int, trace: Trace) -> list[Hit]:
        # What stages read must not depend on how many hits are asked for, and further down the fused list does.
        depth = min(max(stage.depth for stage in stages), self._settings.candidates)
        pool = self._hits(trace, 0, depth)
        ranked = rerank(stages, question, pool, trace)
        wanted = top_k - len(ranked)
        if wanted > 0:
            below = self._hits(trace, depth, depth + wanted)
            ranked = [*ranked, *following(ranked, pool[-1].score if pool else 0.0, below)]  # the trace keeps the first
        return ranked[:top_k]

    def _hits(self, trace: Trace, start: int, end: int, scale: float = 1.0) -> list[Hit]:
        """The candidates from ``start`` to before ``end``, with their scores times ``scale``."""
        chosen = trace.candidates[start:end]
        scores = leg_scores(trace.rankings, [chunk_id for chunk_id, _ in chosen])
        payloads = self._store.fetch(list(scores))
        return [
            to_hit(payloads[chunk_id], chunk_id, min(score, 1.0) * scale, scores[chunk_id])
            for chunk_id, score in chosen
            if chunk_id in payloads
        ]

    def _legs(self, ask: Ask, trace: Trace) -> tuple[Mapping[str, Leg], Vector | None]:
        """The legs that are asked, and the question's dense vector where there is a dense one."""
        if ask.vector is not None:
            return {"dense": self._dense(ask, ask.vector)}, ask.vector
        if ask.mode == "sparse":
            return {"sparse": self._sparse(ask)}, None
        if ask.mode == "dense":
            vector = self._vector(ask, trace)
            return {"dense": self._dense(ask, vector)}, vector
        # The model lets go of Python's global lock, which the embedded store holds while it searches.
        sparse = self._beside.submit(self._sparse, ask)
        vector = self._vector(ask, trace)
        return {"dense": self._dense(ask, vector), "sparse": sparse.result()}, vector

    def _vector(self, ask: Ask, trace: Trace) -> Vector:
        began = time.perf_counter()
        vector: Vector = self._embedder.query_vector(ask.query)
        trace.seconds["embed"] = time.perf_counter() - began
        return vector

    def _dense(self, ask: Ask, vector: Vector) -> Leg:
        return self._store.legs(vector, None, where=ask.where, depth=self._depth(ask))["dense"]

    def _sparse(self, ask: Ask) -> Leg:
        return self._store.legs(None, self._terms(ask), where=ask.where, depth=self._depth(ask))["sparse"]

    def _terms(self, ask: Ask) -> models.SparseVector:
        """The question's terms, and what they stand for where the profile says so."""
        terms = self._encoder.query(ask.query)
        return terms if self._expand is None else self._expand(terms)

    def _depth(self, ask: Ask) -> int:
        return max(self._settings.candidates, ask.top_k)


def evidence(legs: Mapping[str, Leg]) -> float:
    """How good the best hit is on its own, in 0..1: min-max fusion gives every question's first hit the same score.

    The best cosine where there is a dense leg; of BM25 alone, a saturating share, for its scores have no upper bound.
    """
    if legs.get("dense"):
        return min(max(legs["dense"][0][1], 0.0), 1.0)
    if legs.get("sparse"):
        best = legs["sparse"][0][1]
        return best / (best + _SPARSE_HALF)
    return 0.0


def to_hit(payload: Mapping[str, Any], chunk_id: str, score: float, scores: Mapping[str, LegScore]) -> Hit:
    """A stored chunk as a hit."""
    return Hit(
        chunk_id=chunk_id,
        document_id=payload["document_id"],
        version=payload["version"],
        title=payload["title"],
        source=payload["source"],
        content=payload["text"],
        metadata=given_metadata(payload),
        score=score,
        scores=scores,
        span=Span(payload["start"], payload["end"]),
        page=payload["page"],
        page_label=payload["page_label"],
        headings=tuple(payload["headings"]),
        index=payload["index"],
        parents=tuple(Span(start, end) for start, end in payload.get("parents", ())),
    )
