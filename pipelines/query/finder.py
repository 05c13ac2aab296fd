"""From a question to candidates: the legs, their fusion, and an absolute score."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import log

from llama_index.core.schema import NodeWithScore
from qdrant_client import models

from pipelines.components.embedding import Embedder
from pipelines.components.hit_nodes import hits_to_nodes, payload_to_hit
from pipelines.components.rerankers import Stage
from pipelines.components.rerankers.base import Postprocessor
from pipelines.components.rerankers.mmr import Mmr
from pipelines.components.rerankers.top_k import TopK
from pipelines.components.search_query import Remainder, SearchQuery, Vector
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.components.store.edge.filters import Where
from pipelines.profile.sections.rerank import MmrStage
from pipelines.profile.sections.retrieval import Retrieval
from pipelines.query.expansion import Expander, with_terms
from pipelines.query.fusion import Leg, continued, fuse, leg_scores
from pipelines.query.instrumentation import as_span
from pipelines.query.level_weights import WeightOf, weight_leg
from pipelines.query.makers import MAKERS, asks_who_made
from pipelines.types import Hit, Mode, Trace

_COUNTED = 50  # chunks that have a word
_SPARSE_HALF = 12.0
"""BM25 score that counts as half certain where the sparse leg is alone."""
_MAKERS_WEIGHT = 0.5  # of a term that is said of makers, where the question's own count 1


class Finder:
    """Runs the legs of one index and fuses them."""

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
        explain: Callable[[str], str] = str,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._encoder = encoder
        self._settings = settings
        self._stages = stages
        self._weight_of = weight_of
        self._expand = expand
        self._explain = explain

    @property
    def dimensions(self) -> int:
        """The length of the dense vectors."""
        return self._embedder.dimensions

    def candidates(self, query: SearchQuery) -> list[NodeWithScore]:
        """Return the chunks that the postprocessors read, best first; ``query.top_k`` if there are no stages."""
        trace, began = query.trace, time.perf_counter()
        trace.legs = self._legs(query, self._store.compiled(query.where), self._depths(query))
        trace.fused, trace.strength = fuse(trace.legs, self._settings), evidence(trace.legs)
        trace.weighed = self._weighed(trace.fused, self._weight_of) if self._weight_of is not None else None
        stages = self._stages_for(query)
        hits = self._hits(trace, 0, self._pool(stages) if stages else query.top_k)
        if stages and hits:
            query.remainder = self._remainder(trace, self._pool(stages), hits[-1].score)
        trace.seconds["retrieve"] = time.perf_counter() - began - trace.seconds.get("embed", 0.0)
        return hits_to_nodes(hits)

    def _stages_for(self, query: SearchQuery) -> list[Stage]:
        """Return the profile's stages with the diversity of the query; those that need a text only if it has one."""
        stages = [stage for stage in self._stages if query.query_str or isinstance(stage, Mmr)]
        if query.diversity is None:
            return stages
        spread = Mmr(MmrStage(type="mmr", diversity=query.diversity), "mmr", self._store.vectors)
        return [*(stage for stage in stages if not isinstance(stage, Mmr)), spread]

    def postprocessors(self, query: SearchQuery | None = None) -> list[Postprocessor]:
        """Return the stages, and the cut to ``top_k``, for a query or for any query; none if its candidates are its
        hits.
        """
        if query is None:
            return [*self._stages, TopK(top_k=self._settings.top_k)]
        stages = self._stages_for(query)
        return [*stages, TopK(top_k=query.top_k)] if stages else []

    def _pool(self, stages: Sequence[Stage]) -> int:
        """Return how many candidates the stages read: it must not depend on how many hits are asked for."""
        return min(max(stage.depth for stage in stages), self._settings.candidates)

    def _remainder(self, trace: Trace, start: int, floor: float) -> Remainder:
        return Remainder(floor, lambda count: self._hits(trace, start, start + count))

    def rarity(self, word: str, where: models.Filter | None, *, scoped: bool = False) -> float:
        """Return the inverse document frequency of a word among the chunks, as BM25 counts it; 0 where none has it.

        A word that no chunk has, such as a brand, is as rare as what it stands for. Where more chunks have it than are
        worth counting, it is read off the best one's score, whose term frequency is as good as saturated. That score
        knows all chunks; of those of a scope (``scoped``) it is at most as rare as if these alone had it.
        """
        leg = self._chunks_with(word, where)
        if not leg and (meant := self._explain(word)) != word:
            leg = self._chunks_with(meant, where)
        if not leg:
            return 0.0
        if len(leg) < _COUNTED:
            return _inverse_frequency(len(leg), self._store.count(where))
        among_all = leg[0][1] / self._encoder.most
        return min(among_all, _inverse_frequency(len(leg), self._store.count(where))) if scoped else among_all

    def _chunks_with(self, words: str, where: models.Filter | None) -> Leg:
        """Return the chunks that have one of some words, and their BM25 scores, as many as are worth counting."""
        return self._store.legs(None, self._encoder.query(words), where=where, depth=_COUNTED)["sparse"]

    def deeper(self, query: SearchQuery, depth: int) -> Mapping[str, Leg]:
        """Return the legs down to ``depth``, with every chunk of ``query.where`` scored: slower than a search, and
        exact.
        """
        return self._legs(query, query.where, [depth], exact=True)

    def _weighed(self, fused: Leg, weight_of: WeightOf) -> Leg:
        payloads = self._store.fetch([chunk_id for chunk_id, _ in fused])
        weights = {chunk_id: weight_of(payload) for chunk_id, payload in payloads.items()}
        return weight_leg(fused, weights, self._settings.candidates)

    def _hits(self, trace: Trace, start: int, end: int) -> list[Hit]:
        """Return the candidates from ``start`` to before ``end``, their scores scaled by the strength of the
        evidence.
        """
        chosen = trace.candidates[start:end]
        scores = leg_scores(trace.rankings, [chunk_id for chunk_id, _ in chosen])
        payloads = as_span(self._store.fetch)(list(scores))
        return [
            payload_to_hit(payloads[chunk_id], chunk_id, min(score, 1.0) * trace.strength, scores[chunk_id])
            for chunk_id, score in chosen
            if chunk_id in payloads
        ]

    def _legs(
        self, query: SearchQuery, where: Where, depths: Sequence[int], *, exact: bool = False
    ) -> Mapping[str, Leg]:
        """Return the legs that a query asks for, by one call of the store for each of the ``depths``.

        A thread for the sparse leg beside the embedding takes more processor time than that leg.
        """
        mode: Mode = "dense" if query.vector is not None else query.mode
        dense = None if mode == "sparse" else as_span(self._vector)(query)
        sparse = None if mode == "dense" else self._terms(query)
        legs: Mapping[str, Leg] = {}
        for depth in depths:
            legs = continued(legs, as_span(self._store.legs)(dense, sparse, where=where, depth=depth, exact=exact))
        return legs if mode == "hybrid" else {mode: legs[mode]}

    def _vector(self, query: SearchQuery) -> Vector:
        if query.vector is not None:
            return query.vector
        began = time.perf_counter()
        vector: Vector = self._embedder.query_vector(self._explain(query.query_str))
        query.trace.seconds["embed"] = time.perf_counter() - began
        return vector

    def _terms(self, query: SearchQuery) -> models.SparseVector:
        """Return the question's terms, what is said of makers where it asks for one, and what the profile adds."""
        terms = self._encoder.query(query.query_str)
        if asks_who_made(query.query_str):
            terms = with_terms(terms, dict.fromkeys(self._encoder.query(MAKERS).indices, _MAKERS_WEIGHT))
        return terms if self._expand is None else self._expand(terms)

    def _depths(self, query: SearchQuery) -> list[int]:
        """Return how deep the legs go: first as deep as for fewer hits, so that these stay the first ones.

        Which of equal scores a leg takes in depends on its depth, and so does what a walk through the graph finds.
        """
        candidates = self._settings.candidates
        return [candidates] if query.top_k <= candidates else [candidates, query.top_k]


def _inverse_frequency(having: int, total: int) -> float:
    return log(1 + (total - having + 0.5) / (having + 0.5))


def evidence(legs: Mapping[str, Leg]) -> float:
    """Return how good the best hit is on its own, in 0..1: min-max fusion gives every question's first hit the same
    score.

    The best cosine where there is a dense leg; of BM25 alone, a saturating share, for its scores have no upper bound.
    """
    if legs.get("dense"):
        return min(max(legs["dense"][0][1], 0.0), 1.0)
    if legs.get("sparse"):
        best = legs["sparse"][0][1]
        return best / (best + _SPARSE_HALF)
    return 0.0
