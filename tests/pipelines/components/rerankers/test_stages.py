"""How stages run, with stages whose ranking a test gives."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.hit_nodes import hits_to_nodes, nodes_to_hits
from pipelines.components.rerankers import Stage
from pipelines.components.rerankers.base import append_below
from pipelines.components.rerankers.top_k import TopK
from pipelines.components.search_query import Remainder, SearchQuery
from pipelines.errors import RerankerUnavailable
from pipelines.types import Hit, LegScore, Note, Span, Trace

Ranking = Callable[[Sequence[Hit]], Sequence[tuple[Hit, float]]]


def hit(name: str, score: float) -> Hit:
    return Hit(name, name, 1, "", "", name, {}, score, {"fused": LegScore(1, score)}, Span(0, 1))


HITS = [hit(name, score) for name, score in (("a", 0.9), ("b", 0.6), ("c", 0.5), ("d", 0.2), ("e", 0.1))]


class Given(Stage):
    """Ranks by a function of the hits, and remembers which it got."""

    _ranking: Ranking = PrivateAttr()
    _hits: list[Hit] = PrivateAttr(default_factory=list)

    def __init__(self, ranking: Ranking, depth: int = 50, name: str = "given") -> None:
        super().__init__(name=name, depth=depth)
        self._ranking = ranking

    @property
    def hits(self) -> list[Hit]:
        return self._hits

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> Sequence[tuple[Hit, float]]:
        self._hits = list(hits)
        return self._ranking(hits)


def rerank(stages: Sequence[Stage], hits: Sequence[Hit], trace: Trace | None = None) -> list[Hit]:
    """The hits after the stages; the trace of the search goes into ``trace``."""
    query = SearchQuery(query_str="?", top_k=5)
    query.trace = trace or query.trace
    nodes = hits_to_nodes(hits)
    for stage in stages:
        nodes = stage.postprocess_nodes(nodes, query)
    return nodes_to_hits(nodes)


def by(scores: dict[str, float]) -> Callable[[Sequence[Hit]], list[tuple[Hit, float]]]:
    return lambda hits: sorted(((hit, scores[hit.chunk_id]) for hit in hits), key=lambda one: -one[1])


def pairs(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    return [(hit.chunk_id, round(hit.score, 6)) for hit in hits]


def test_the_first_place_keeps_its_score_and_the_others_have_their_share_of_it() -> None:
    stage = Given(by({"a": 1, "b": 4, "c": 2, "d": 0, "e": 3}))
    ranked = rerank([stage], HITS)
    assert pairs(ranked) == [("b", 0.9), ("e", 0.675), ("c", 0.45), ("a", 0.225), ("d", 0.0)]
    assert [one.scores["given"] for one in ranked] == [
        LegScore(rank, score) for rank, score in enumerate([4, 3, 2, 1, 0], 1)
    ]
    assert all("fused" in one.scores for one in ranked)


def test_those_below_the_depth_follow_unchanged_and_no_higher_than_what_stands_above() -> None:
    stage = Given(by({"a": 1, "b": 4}), depth=2)
    ranked = rerank([stage], HITS)
    assert [one.chunk_id for one in stage.hits] == ["a", "b"]
    assert pairs(ranked) == [("b", 0.9), ("a", 0.225), ("c", 0.1875), ("d", 0.075), ("e", 0.0375)]
    assert "given" not in ranked[2].scores


@pytest.mark.parametrize("scores", [[0, 0, 0, 0, 0], [-1, -2, -3, -4, -5], [1, 1, 1, 1, 1]])
def test_scores_without_shares_leave_the_order_to_the_stage(scores: list[float]) -> None:
    stage = Given(lambda hits: list(zip(reversed(hits), scores, strict=True)))
    assert pairs(rerank([stage], HITS)) == [(name, 0.9) for name in "edcba"]


def test_an_order_that_its_scores_deny_is_kept_and_the_list_still_falls() -> None:
    stage = Given(lambda hits: list(zip(hits, [2, 1, 3, -1, 1], strict=True)))
    assert pairs(rerank([stage], HITS)) == [("a", 0.9), ("b", 0.45), ("c", 0.45), ("d", 0), ("e", 0)]


def test_the_next_stage_reads_what_the_one_before_made() -> None:
    first, second = Given(by({"a": 1, "b": 2, "c": 4}), depth=3), Given(by({"c": 1, "b": 2}), depth=2, name="given_2")
    ranked = rerank([first, second], HITS)
    assert pairs(second.hits) == [("c", 0.9), ("b", 0.45)]
    assert [one.chunk_id for one in ranked] == ["b", "c", "a", "d", "e"]
    assert (ranked[0].scores["given"].rank, ranked[0].scores["given_2"].rank) == (2, 1)


def test_a_stage_may_leave_hits_out_put_one_in_and_replace_one() -> None:
    wider = replace(HITS[0], content="wider")
    stage = Given(lambda _: [(hit("new", 0.0), 1.0), (wider, 0.5)], depth=3)
    ranked = rerank([stage], HITS)
    assert [one.chunk_id for one in ranked] == ["new", "a", "d", "e"]
    assert ranked[1].content == "wider"
    everything_out = Given(lambda _: [], depth=3)
    assert pairs(rerank([everything_out], HITS)) == [("d", 0.2), ("e", 0.1)]


def test_a_hit_that_came_up_does_not_stand_below_once_more() -> None:
    stage = Given(lambda hits: [(HITS[4], 2.0), *((one, 1.0) for one in hits)], depth=2)
    assert [one.chunk_id for one in rerank([stage], HITS)] == ["e", "a", "b", "c", "d"]


def _cannot(_: Sequence[Hit]) -> list[tuple[Hit, float]]:
    raise RerankerUnavailable("the cross-encoder", "it is away")


def _bug(_: Sequence[Hit]) -> list[tuple[Hit, float]]:
    raise KeyError("/some/secret/place")


@pytest.mark.parametrize(
    ("ranking", "reason"),
    [
        (_cannot, "the cross-encoder is not available: it is away"),
        (_bug, "it failed (KeyError), see the log"),
        (lambda hits: [(one, float("nan")) for one in hits], "it failed (ValueError), see the log"),
    ],
)
def test_a_stage_that_fails_is_left_out_and_named(
    ranking: Callable[..., list[tuple[Hit, float]]], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    trace = Trace(legs={"dense": [("a", 0.9)], "sparse": []})
    after = Given(by({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}), name="after")
    with caplog.at_level(logging.WARNING):
        ranked = rerank([Given(ranking), after], HITS, trace)
    assert after.hits == HITS
    assert [one.chunk_id for one in ranked] == ["e", "d", "c", "b", "a"]
    assert trace.notes == (Note("sparse", "found nothing"), Note("given", reason))
    assert "given was left out" in caplog.text


def test_the_trace_has_what_each_stage_was_given_and_made_of_it() -> None:
    trace = Trace()
    first, second = Given(by({"a": 1, "b": 2}), depth=2), Given(by({"b": 1}), depth=1, name="second")
    ranked = rerank([first, second], HITS, trace)
    assert [run.name for run in trace.stages] == ["given", "second"]
    assert trace.stages[0].before == HITS
    assert trace.stages[0].after == trace.stages[1].before
    assert trace.stages[1].after == ranked
    assert trace.notes == ()


def test_no_hits_ask_no_stage() -> None:
    trace = Trace()
    assert rerank([Given(_bug)], [], trace) == []
    assert trace.notes == ()


def test_following_scores_are_scaled_down_and_never_up() -> None:
    assert pairs(append_below(HITS[:2], 0.6, HITS[2:3])[2:]) == [("c", 0.5)]
    assert pairs(append_below(HITS[:2], 0.3, HITS[2:3])[2:]) == [("c", 0.5)]
    assert pairs(append_below(HITS[:2], 1.2, HITS[2:3])[2:]) == [("c", 0.25)]
    assert pairs(append_below([hit("z", 0.0)], 0.0, [hit("y", 0.0)])) == [("z", 0.0), ("y", 0.0)]


def test_a_stage_works_in_any_query_engine_and_on_nodes_in_any_order() -> None:
    stage = Given(by({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}))
    nodes = stage.postprocess_nodes(list(reversed(hits_to_nodes(HITS))), query_str="?")
    assert [node.node_id for node in nodes] == ["e", "d", "c", "b", "a"]
    assert stage.hits == HITS
    assert stage.postprocess_nodes([]) == []
    assert stage.class_name() == "Given"


def test_the_search_ends_with_as_many_hits_as_were_asked_for() -> None:
    nodes = hits_to_nodes(HITS)
    assert TopK(top_k=2).postprocess_nodes(nodes) == nodes[:2]
    assert TopK(top_k=2).postprocess_nodes(nodes, SearchQuery(query_str="?", top_k=3)) == nodes[:3]


def test_missing_hits_come_from_below_the_pool_scaled_down_to_it() -> None:
    below = [replace(hit(name, 0.4), content=name) for name in "abxyz"]
    query = SearchQuery(query_str="?", top_k=4)
    query.remainder = Remainder(1.0, lambda count: below[: count + 1])
    found = nodes_to_hits(TopK(top_k=9).postprocess_nodes(hits_to_nodes(HITS[:2]), query))
    assert pairs(found) == [("a", 0.9), ("b", 0.6), ("x", 0.24)]
