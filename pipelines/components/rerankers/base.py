"""Reranker stages: LlamaIndex postprocessors that order the candidates of a search.

A stage changes the order and says how much each candidate is worth beside its first. The first place keeps its score:
stages change what stands there, and not how strong the evidence is.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from pipelines.components.hit_nodes import HitNode, node_to_hit, rank_node
from pipelines.components.search_query import SearchQuery
from pipelines.errors import FootnoteError
from pipelines.types import Hit, LegScore, StageRun

_LEAST_SHARE = 0.1
"""The share of the best score that a weight is applied to at least: the last candidate of a short list has 0."""
_log = logging.getLogger(__name__)


class Postprocessor(BaseNodePostprocessor):
    """A LlamaIndex postprocessor; `run` is its work without LlamaIndex's spans around it."""

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex serializes it."""
        return cls.__name__

    def run(self, nodes: list[NodeWithScore], query: QueryBundle) -> list[NodeWithScore]:
        """Return the nodes that are left, best first."""
        raise NotImplementedError  # LlamaIndex would put a span around an abstract method

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return self.run(nodes, query_bundle or QueryBundle(""))


class Stage(Postprocessor):
    """Orders the first candidates of a search.

    A stage that fails leaves them as they are; the trace and the log say so.

    Attributes:
        name: Its key in `Hit.scores`: the stage's type, with ``_2`` behind it for a second one.
        depth: How many candidates it reads, from the top.
    """

    name: str
    depth: int

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> Sequence[tuple[Hit, float]]:
        """``hits`` in the stage's order, best first, each with the stage's score.

        A stage may replace a hit, leave one out, or add one. It gets hits by falling ``score``. Its own scores are
        finite. If they are not negative, `Hit.score` becomes the share that each is of the best one.

        Raises:
            FootnoteError: The stage cannot do its work now; the search goes on without it.
        """
        raise NotImplementedError  # not abstract: see `run`

    def run(self, nodes: list[NodeWithScore], query: QueryBundle) -> list[NodeWithScore]:
        """See `Postprocessor`."""
        foreign = {node.node_id: node for node in nodes if not isinstance(node, HitNode)}
        hits = sorted(map(node_to_hit, nodes), key=lambda hit: -hit.score)
        return [rank_node(foreign.get(hit.chunk_id), hit) for hit in self._ranked(query, hits)]

    def _ranked(self, query: QueryBundle, hits: list[Hit]) -> list[Hit]:
        after, failure = hits, None
        try:
            ranked = _require_finite(self.rank(query, hits[: self.depth])) if hits else []
        except Exception as error:  # noqa: BLE001 - an error of one stage stays there
            _log.warning("the reranker stage %s was left out of a search", self.name, exc_info=True)
            failure = _reason(error)
        else:
            after = _place(self.name, ranked, hits, self.depth)
        if isinstance(query, SearchQuery):
            query.trace.stages.append(StageRun(self.name, hits, after, failure))
        return after


def weighted(hits: Sequence[Hit], weight: Callable[[Hit], float]) -> list[tuple[Hit, float]]:
    """``hits``, best first, by their scores times their weights; equal ones in the order given."""
    least = _LEAST_SHARE * hits[0].score if hits else 0.0
    return best_first([(hit, max(hit.score, least) * weight(hit)) for hit in hits])


def best_first(scored: Sequence[tuple[Hit, float]]) -> list[tuple[Hit, float]]:
    """Return hits by falling score; equal ones in the order given."""
    return sorted(scored, key=lambda one: -one[1])


def append_below(above: Sequence[Hit], floor: float, below: Sequence[Hit]) -> list[Hit]:
    """``above`` and then ``below``, scaled down to it.

    ``floor`` is the score that the last hit of ``above`` had when both were one list.
    """
    if not above or not below:
        return [*above, *below]
    ids = {hit.chunk_id for hit in above}
    factor = min(above[-1].score / floor, 1.0) if floor else 0.0
    rest = (hit for hit in below if hit.chunk_id not in ids)
    return [*above, *(rest if factor == 1.0 else (replace(hit, score=hit.score * factor) for hit in rest))]


def _place(name: str, ranked: Sequence[tuple[Hit, float]], hits: Sequence[Hit], depth: int) -> list[Hit]:
    """Return the hits that a stage ranked, with their scores, and below them those that it did not read."""
    if not hits:
        return []
    highest, best = hits[0].score, ranked[0][1] if ranked else 0.0
    placed: list[Hit] = []
    for rank, (hit, score) in enumerate(ranked, 1):
        share = max(score / best, 0.0) if best > 0 else 1.0
        value = min(highest * share, placed[-1].score if placed else highest)
        placed.append(replace(hit, score=value, scores={**hit.scores, name: LegScore(rank, score)}))
    return append_below(placed, hits[:depth][-1].score, hits[depth:])


def _require_finite(ranked: Sequence[tuple[Hit, float]]) -> Sequence[tuple[Hit, float]]:
    if not all(math.isfinite(score) for _, score in ranked):
        raise ValueError("a score is not a finite number")
    return ranked


def _reason(error: Exception) -> str:
    """Return why a stage failed, for users: our own errors' messages; of a bug only its kind."""
    return str(error) if isinstance(error, FootnoteError) else f"it failed ({type(error).__name__}), see the log"
