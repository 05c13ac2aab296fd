import pytest
from candidates import QUESTION, candidate, order, scores

from pipelines.components.rerankers.recency import Recency
from pipelines.profile.sections.rerank import RecencyStage
from pipelines.types import Hit


def recency(half_life_days: float = 100) -> Recency:
    return Recency(RecencyStage(type="recency", field="published", half_life_days=half_life_days), "recency")


def dated(name: str, score: float, published: object) -> Hit:
    return candidate(name, score, {"published": published})


def test_the_weight_halves_with_each_half_life_since_the_newest_hit() -> None:
    hits = [dated("a", 1.0, "2024-01-01"), dated("b", 0.9, "2024-04-10"), dated("c", 0.8, "2024-07-19T00:00:00Z")]
    ranked = recency().rank(QUESTION, hits)
    assert order(ranked) == ["c", "b", "a"]
    assert scores(ranked) == pytest.approx([0.8, 0.45, 0.25])


def test_a_hit_without_a_valid_date_keeps_its_score() -> None:
    hits = [dated("a", 1.0, "2023-01-01"), candidate("b", 0.6), dated("c", 0.5, "soon"), dated("d", 0.4, 20240101)]
    hits.append(dated("e", 0.3, "2024-01-01"))
    ranked = recency().rank(QUESTION, hits)
    assert order(ranked) == ["b", "c", "d", "e", "a"]
    assert scores(ranked)[:4] == [0.6, 0.5, 0.4, 0.3]


def test_without_any_date_nothing_moves() -> None:
    assert order(recency().rank(QUESTION, [candidate("b", 0.5), candidate("a", 0.5)])) == ["b", "a"]


def test_times_of_several_zones_are_compared_as_moments() -> None:
    hits = [dated("a", 0.5, "2024-05-01T12:00:00+02:00"), dated("b", 0.5, "2024-05-01T11:00:00")]
    assert order(recency().rank(QUESTION, hits)) == ["b", "a"]


@pytest.mark.parametrize("half_life", [1e-300, 1e300])
def test_half_lives_of_any_length_can_be_reckoned_with(half_life: float) -> None:
    hits = [dated("a", 1.0, "0001-01-01T00:00:00+14:00"), dated("b", 0.9, "9999-12-31T23:59:59-14:00")]
    assert order(recency(half_life).rank(QUESTION, hits)) == (["b", "a"] if half_life < 1 else ["a", "b"])


def test_no_hits_stay_no_hits() -> None:
    assert recency().rank(QUESTION, []) == []
