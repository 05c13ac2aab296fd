from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.profile.sections.retrieval import Retrieval
from pipelines.query.fusion import continued, fuse, leg_scores
from pipelines.types import LegScore

CONVEX = Retrieval(fusion="convex", dense_weight=0.5, candidates=10)
RRF = Retrieval(fusion="rrf", candidates=10)


def test_convex_fusion_adds_the_min_max_shares_of_the_legs() -> None:
    legs = {"dense": [("a", 0.9), ("b", 0.5), ("c", 0.1)], "sparse": [("b", 8.0), ("c", 6.0), ("d", 4.0)]}
    assert fuse(legs, CONVEX) == [("b", 0.75), ("a", 0.5), ("c", 0.25), ("d", 0.0)]


def test_a_single_hit_counts_as_the_best_of_its_leg_and_not_as_a_raw_score() -> None:
    assert dict(fuse({"dense": [("a", 0.9), ("b", 0.1)], "sparse": [("b", 37.0)]}, CONVEX)) == {"a": 0.5, "b": 0.5}


def test_a_leg_that_is_alone_has_all_the_weight() -> None:
    legs = {"dense": [("a", 0.9), ("b", 0.4)], "sparse": []}
    assert fuse(legs, CONVEX) == [("a", 1.0), ("b", 0.0)]
    assert fuse(legs, RRF)[0] == ("a", 1.0)


def test_rrf_looks_at_ranks_alone() -> None:
    legs = {"dense": [("a", 0.9), ("b", 0.1)], "sparse": [("a", 1.0), ("c", 0.5)]}
    fused = dict(fuse(legs, RRF))
    assert fused["a"] == pytest.approx(1.0)
    assert fused["b"] == fused["c"] == pytest.approx(61 / 62 / 2)


def test_no_leg_gives_no_hit() -> None:
    assert fuse({"dense": [], "sparse": []}, CONVEX) == []


def test_every_leg_keeps_its_rank_and_score() -> None:
    legs = {"dense": [("a", 0.9), ("b", 0.1)], "sparse": [("b", 3.0)]}
    assert leg_scores(legs, ["b"])["b"] == {"dense": LegScore(2, 0.1), "sparse": LegScore(1, 3.0)}


_LEG = st.lists(
    st.tuples(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), st.floats(-1, 30)),
    max_size=26,
    unique_by=lambda hit: hit[0],
).map(lambda leg: sorted(leg, key=lambda hit: (-hit[1], hit[0])))


@given(_LEG, _LEG, st.sampled_from(["convex", "rrf"]), st.integers(1, 12))
def test_asking_deeper_never_changes_the_first_hits(
    dense: list[tuple[str, float]], sparse: list[tuple[str, float]], fusion: str, candidates: int
) -> None:
    settings = Retrieval.model_validate({"fusion": fusion, "candidates": candidates})
    shallow = fuse({"dense": dense[:candidates], "sparse": sparse[:candidates]}, settings)
    deep = fuse({"dense": dense, "sparse": sparse}, settings)
    assert deep[: len(shallow)] == shallow
    assert {chunk for chunk, _ in deep} == {chunk for chunk, _ in dense + sparse}
    assert all(left[1] >= right[1] for left, right in pairwise(deep))
    assert all(0.0 <= score <= 1.0 + 1e-9 for _, score in deep)


def test_a_leg_is_followed_by_what_a_deeper_search_found_beside_it() -> None:
    deeper = {"dense": [("b", 1.0), ("a", 1.0), ("c", 0.5)], "sparse": []}
    assert continued({"dense": [("a", 1.0)], "sparse": []}, deeper) == {
        "dense": [("a", 1.0), ("b", 1.0), ("c", 0.5)],
        "sparse": [],
    }
