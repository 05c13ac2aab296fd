"""Late interaction: the question's words against each candidate's, by the embedding model's own vectors of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.embedding import Embedder, TokenEmbedder
from pipelines.components.embedding.base import Vectors
from pipelines.components.rerankers.base import Stage, best_first
from pipelines.components.store.chunk_nodes import indexed_text
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.errors import TokensMissing
from pipelines.profile.sections.rerank import LateInteractionStage
from pipelines.types import Hit

Alike = Callable[[Vectors, Sequence[str]], Mapping[str, float]]
"""How much the chunks of some ids are like the tokens of a question; those without words are left out."""


class LateInteraction(Stage):
    """Adds to each fused score ``weight`` times the min-max share of the candidate's MaxSim.

    MaxSim is the sum over the question's tokens of the best product with one of the chunk's (Khattab and Zaharia,
    "ColBERT", SIGIR 2020). A chunk without words has the share 0.
    """

    _weight: float = PrivateAttr()
    _embedder: Embedder = PrivateAttr()
    _alike: Alike | None = PrivateAttr()

    def __init__(self, section: LateInteractionStage, name: str, embedder: Embedder, store: ChunkStore) -> None:
        super().__init__(name=name, depth=section.depth)
        self._weight = section.weight
        self._embedder = embedder
        self._alike = _how(section, embedder, store)

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`.

        Raises:
            TokensMissing: The chunks were stored without the vectors of their words.
        """
        if self._alike is None or not isinstance(self._embedder, TokenEmbedder):
            raise TokensMissing
        found = self._alike(self._embedder.question(query.query_str), [hit.chunk_id for hit in hits])
        lowest = min(found.values(), default=0.0)
        spread = max(found.values(), default=0.0) - lowest or 1.0
        shares = {chunk_id: (score - lowest) / spread for chunk_id, score in found.items()}
        scale = _fusion_scale(hits)
        return best_first([(hit, scale * hit.score + self._weight * shares.get(hit.chunk_id, 0.0)) for hit in hits])


def _fusion_scale(hits: Sequence[Hit]) -> float:
    """Return the factor that undoes the scaling of scores by the strength of the evidence; 1 for nodes of others."""
    best = max((min(_candidate_score(hit), 1.0) for hit in hits), default=0.0)
    return best / hits[0].score if best > 0 and hits[0].score > 0 else 1.0


def _candidate_score(hit: Hit) -> float:
    """Return the score of a hit before the first stage."""
    score = hit.scores.get("level") or hit.scores.get("fused")
    return 0.0 if score is None else score.score


def _how(section: LateInteractionStage, embedder: Embedder, store: ChunkStore) -> Alike | None:
    if section.store:
        return store.alike if store.holds_tokens else None
    return _Encoding(embedder, store).alike if isinstance(embedder, TokenEmbedder) else None


class _Encoding:
    """Encodes the candidates again for each question; stored vectors are a hundred times as fast."""

    def __init__(self, embedder: TokenEmbedder, store: ChunkStore) -> None:
        self._embedder, self._store = embedder, store

    def alike(self, question: Vectors, chunk_ids: Sequence[str]) -> dict[str, float]:
        payloads = self._store.fetch(chunk_ids)
        tokens = self._embedder.embedded([indexed_text(payload) for payload in payloads.values()]).tokens
        return {
            chunk_id: float(np.einsum("ik,jk->ij", question, words).max(axis=1).sum())
            for chunk_id, words in zip(payloads, tokens, strict=True)
            if len(words)
        }
