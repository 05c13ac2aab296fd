"""How stages are run, with stages that do as they are told."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from pipelines.components.rerankers import Question
from pipelines.errors import RerankerUnavailable
from pipelines.query.rerank import following, rerank
from pipelines.types import Hit, LegScore, Note, Span, Trace

QUESTION = Question("?")


def hit(name: str, score: float) -> Hit:
    return Hit(name, name, 1, "", "", name, {}, score, {"fused": LegScore(1, score)}, Span(0, 1))


HITS = [hit(name, score) for name, score in (("a", 0.9), ("b", 0.6), ("c", 0.5), ("d", 0.2), ("e", 0.1))]


@dataclass
class Told:
    """Ranks by a function of the hits, and remembers what it was given."""

    ranking: Callable[[Sequence[Hit]], Sequence[tuple[Hit, float]]]
    depth: int = 50
    name: str = "told"

    def rank(self, question: Question, hits: Sequence[Hit]) -> Sequence[tuple[Hit, float]]:
        self.given = list(hits)
        return self.ranking(hits)


def by(scores: dict[str, float]) -> Callable[[Sequence[Hit]], list[tuple[Hit, float]]]:
    return lambda hits: sorted(((hit, scores[hit.chunk_id]) for hit in hits), key=lambda one: -one[1])


def told(hits: Sequence[Hit]) -> list[tuple[str, float]]:
    return [(hit.chunk_id, round(hit.score, 6)) for hit in hits]


def test_the_first_place_keeps_its_score_and_the_others_have_their_share_of_it() -> None:
    stage = Told(by({"a": 1, "b": 4, "c": 2, "d": 0, "e": 3}))
    ranked = rerank([stage], QUESTION, HITS, Trace())
    assert told(ranked) == [("b", 0.9), ("e", 0.675), ("c", 0.45), ("a", 0.225), ("d", 0.0)]
    assert [one.scores["told"] for one in ranked] == [
        LegScore(rank, score) for rank, score in enumerate([4, 3, 2, 1, 0], 1)
    ]
    assert all("fused" in one.scores for one in ranked)


def test_those_below_the_depth_follow_unchanged_and_no_higher_than_what_stands_above() -> None:
    stage = Told(by({"a": 1, "b": 4}), depth=2)
    ranked = rerank([stage], QUESTION, HITS, Trace())
    assert [one.chunk_id for one in stage.given] == ["a", "b"]
    assert told(ranked) == [("b", 0.9), ("a", 0.225), ("c", 0.1875), ("d", 0.075), ("e", 0.0375)]
    assert "told" not in ranked[2].scores


@pytest.mark.parametrize("scores", [[0, 0, 0, 0, 0], [-1, -2, -3, -4, -5], [1, 1, 1, 1, 1]])
def test_scores_that_tell_no_shares_leave_the_order_to_the_stage(scores: list[float]) -> None:
    stage = Told(lambda hits: list(zip(reversed(hits), scores, strict=True)))
    assert told(rerank([stage], QUESTION, HITS, Trace())) == [(name, 0.9) for name in "edcba"]


def test_an_order_that_its_scores_deny_is_kept_and_the_list_still_falls() -> None:
    stage = Told(lambda hits: list(zip(hits, [2, 1, 3, -1, 1], strict=True)))
    assert told(rerank([stage], QUESTION, HITS, Trace())) == [("a", 0.9), ("b", 0.45), ("c", 0.45), ("d", 0), ("e", 0)]


def test_the_next_stage_reads_what_the_one_before_made() -> None:
    first, second = Told(by({"a": 1, "b": 2, "c": 4}), depth=3), Told(by({"c": 1, "b": 2}), depth=2, name="told_2")
    ranked = rerank([first, second], QUESTION, HITS, Trace())
    assert told(second.given) == [("c", 0.9), ("b", 0.45)]
    assert [one.chunk_id for one in ranked] == ["b", "c", "a", "d", "e"]
    assert (ranked[0].scores["told"].rank, ranked[0].scores["told_2"].rank) == (2, 1)


def test_a_stage_may_leave_hits_out_put_one_in_and_replace_one() -> None:
    wider = replace(HITS[0], content="wider")
    stage = Told(lambda _: [(hit("new", 0.0), 1.0), (wider, 0.5)], depth=3)
    ranked = rerank([stage], QUESTION, HITS, Trace())
    assert [one.chunk_id for one in ranked] == ["new", "a", "d", "e"]
    assert ranked[1].content == "wider"
    everything_out = Told(lambda _: [], depth=3)
    assert told(rerank([everything_out], QUESTION, HITS, Trace())) == [("d", 0.2), ("e", 0.1)]


def test_a_hit_that_came_up_does_not_stand_below_once_more() -> None:
    stage = Told(lambda hits: [(HITS[4], 2.0), *((one, 1.0) for one in hits)], depth=2)
    assert [one.chunk_id for one in rerank([stage], QUESTION, HITS, Trace())] == ["e", "a", "b", "c", "d"]


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
    after = Told(by({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}), name="after")
    with caplog.at_level(logging.WARNING):
        ranked = rerank([Told(ranking), after], QUESTION, HITS, trace)
    assert after.given == HITS
    assert [one.chunk_id for one in ranked] == ["e", "d", "c", "b", "a"]
    assert trace.notes == (Note("sparse", "found nothing"), Note("told", reason))
    assert "told was left out" in caplog.text


def test_the_trace_has_what_each_stage_was_given_and_made_of_it() -> None:
    trace = Trace()
    first, second = Told(by({"a": 1, "b": 2}), depth=2), Told(by({"b": 1}), depth=1, name="second")
    ranked = rerank([first, second], QUESTION, HITS, trace)
    assert [run.name for run in trace.stages] == ["told", "second"]
    assert trace.stages[0].before == HITS
    assert trace.stages[0].after == trace.stages[1].before
    assert trace.stages[1].after == ranked
    assert trace.notes == ()


def test_no_hits_ask_no_stage() -> None:
    trace = Trace()
    assert rerank([Told(_bug)], QUESTION, [], trace) == []
    assert trace.notes == ()


def test_what_follows_is_scaled_down_and_never_up() -> None:
    assert told(following(HITS[:2], 0.6, HITS[2:3])) == [("c", 0.5)]
    assert told(following(HITS[:2], 0.3, HITS[2:3])) == [("c", 0.5)]
    assert told(following(HITS[:2], 1.2, HITS[2:3])) == [("c", 0.25)]
    assert told(following([hit("z", 0.0)], 0.0, [hit("y", 0.0)])) == [("y", 0.0)]
