"""Balanced retrieval: the values of a field, such as papers and trials, take turns among the first hits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.embedding import Embedder
from pipelines.components.hit_nodes import payload_to_hit
from pipelines.components.rerankers.base import Stage
from pipelines.components.search_query import SearchQuery
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.filters.combining import all_of
from pipelines.filters.language import compile_filters
from pipelines.filters.values import Fields
from pipelines.profile.sections.rerank import BalanceStage
from pipelines.types import Hit, LegScore


class Balance(Stage):
    """Takes the best hit of each value by turns, as long as it is worth enough beside the best hit of all.

    Documents without the field are a value of their own. A listed value that no candidate has is looked up by the
    question's vector, within the search's filters. What is worth less follows by its score. Hits change places, and
    each place keeps its score.
    """

    _section: BalanceStage = PrivateAttr()
    _fields: Fields = PrivateAttr()
    _store: ChunkStore = PrivateAttr()
    _embedder: Embedder = PrivateAttr()

    def __init__(
        self, section: BalanceStage, name: str, declared: Fields, *, store: ChunkStore, embedder: Embedder
    ) -> None:
        super().__init__(name=name, depth=section.depth)
        self._section = section
        self._fields = declared
        self._store = store
        self._embedder = embedder

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        everything = [*hits, *self._looked_up(query, hits)]
        least = self._section.least * max(map(_worth, everything))
        groups: dict[str, list[Hit]] = {}
        for hit in everything:
            if _worth(hit) >= least:
                groups.setdefault(_values(hit.metadata, self._section.field)[0], []).append(hit)
        turns = [hit for row in zip_longest(*groups.values()) for hit in row if hit is not None]
        order = [*turns, *(hit for hit in everything if _worth(hit) < least)]
        return list(zip(order, (hit.score for hit in everything), strict=True))

    def _looked_up(self, query: QueryBundle, hits: Sequence[Hit]) -> Iterator[Hit]:
        """The best hits of the listed values that no candidate has."""
        present = {value for hit in hits for value in _values(hit.metadata, self._section.field)}
        missing = [value for value in self._section.values if value not in present]
        if not missing or not isinstance(query, SearchQuery):
            return
        known = {hit.chunk_id for hit in hits}
        vector = self._embedder.query_vector(query.query_str) if query.vector is None else query.vector
        for value in missing:
            where = all_of(query.where, compile_filters({self._section.field: value}, self._fields))
            leg = self._store.legs(vector, None, where=self._store.compiled(where), depth=self._section.each)["dense"]
            payloads = self._store.fetch([chunk_id for chunk_id, _ in leg])
            for rank, (chunk_id, cosine) in enumerate(leg, 1):
                if chunk_id in payloads and chunk_id not in known:
                    known.add(chunk_id)  # a chunk may have several of the values
                    scores = {"dense": LegScore(rank, cosine)}
                    yield payload_to_hit(payloads[chunk_id], chunk_id, hits[-1].score, scores)


def _worth(hit: Hit) -> float:
    """Return how well a hit answers by itself: fusion gives the last candidate next to nothing, however close it is."""
    dense = hit.scores.get("dense")
    return max(hit.score, 0.0 if dense is None else dense.score)


def _values(metadata: Mapping[str, Any], field: str) -> list[str]:
    """Return the values of a hit, "" for none; it takes its turns under the first."""
    held = metadata.get(field)
    return [str(value) if value else "" for value in (held if isinstance(held, list | tuple) and held else [held])]
