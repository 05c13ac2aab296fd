from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest
from candidates import QUESTION, candidate, order, scores

from pipelines.components.rerankers.mmr import Mmr
from pipelines.profile.sections.rerank import MmrStage

VECTORS = {"a": [1.0, 0.0], "a2": [2.0, 0.0], "near": [0.8, 0.6], "b": [0.0, 1.0], "not a": [-1.0, 0.0]}


def mmr(diversity: float, vectors: Mapping[str, Sequence[float]] = VECTORS) -> Mmr:
    return Mmr(
        MmrStage(type="mmr", diversity=diversity),
        "mmr",
        lambda ids: {name: vectors[name] for name in ids if name in vectors},
    )


HITS = [candidate("a", 1.0), candidate("a2", 0.95), candidate("near", 0.9), candidate("b", 0.4)]


def test_near_duplicates_of_higher_hits_move_down() -> None:
    ranked = mmr(0.5).rank(QUESTION, HITS)
    assert order(ranked) == ["a", "b", "near", "a2"]
    # 0.5 * relevance + 0.5 * (1 - largest cosine to those above)
    assert scores(ranked) == pytest.approx([1.0, 0.7, 0.55, 0.475])


def test_without_diversity_the_order_stays_and_with_nothing_else_only_novelty_counts() -> None:
    assert order(mmr(0).rank(QUESTION, HITS)) == ["a", "a2", "near", "b"]
    assert order(mmr(1).rank(QUESTION, HITS)) == ["a", "b", "near", "a2"]


def test_relevance_is_a_share_of_the_best_so_that_the_scale_of_scores_is_all_one() -> None:
    weak = [candidate(hit.chunk_id, hit.score / 100) for hit in HITS]
    assert scores(mmr(0.5).rank(QUESTION, weak)) == pytest.approx(scores(mmr(0.5).rank(QUESTION, HITS)))


def test_opposite_chunks_are_as_diverse_as_unrelated_ones() -> None:
    hits = [candidate("a", 1.0), candidate("b", 0.5), candidate("not a", 0.4)]
    assert order(mmr(0.5).rank(QUESTION, hits)) == ["a", "b", "not a"]


def test_the_scores_never_rise_and_lie_in_0_to_1() -> None:
    random = np.random.default_rng(7)
    vectors = {str(number): random.normal(size=8).tolist() for number in range(40)}
    hits = [candidate(name, 1 - index / 40) for index, name in enumerate(vectors)]
    for diversity in (0.0, 0.2, 0.7, 1.0):
        ranked = scores(mmr(diversity, vectors).rank(QUESTION, hits))
        assert all(above >= below for above, below in pairwise(ranked))
        assert 0 <= min(ranked) <= max(ranked) <= 1
        assert len(ranked) == len(hits)


def test_a_chunk_deleted_meanwhile_resembles_no_other() -> None:
    ranked = mmr(0.5).rank(QUESTION, [candidate("a", 1.0), candidate("gone", 0.9), candidate("a2", 0.95)])
    assert order(ranked) == ["a", "gone", "a2"]


def test_equal_hits_stay_as_they_stood_even_without_vectors_and_scores() -> None:
    hits = [candidate(name, 0.0) for name in ("z", "y", "x")]
    assert order(mmr(0.3).rank(QUESTION, hits)) == ["z", "y", "x"]


def test_no_hits_stay_no_hits() -> None:
    assert mmr(0.3).rank(QUESTION, []) == []
