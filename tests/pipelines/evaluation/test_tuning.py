"""The learned weight of the dense leg: what a table of scores teaches, and what is not to be believed."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.evaluation.tuning import learn_weight, tuning_summary, tuning_table

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
QUERIES = [f"q{number}" for number in range(40)]


def test_a_weight_that_is_better_for_most_questions_is_learned() -> None:
    table = np.tile([0.9, 0.8, 0.6, 0.5, 0.4], (40, 1)) + np.random.default_rng(1).normal(0, 0.05, (40, 1))
    tuned = learn_weight("shop", QUERIES, WEIGHTS, 0.5, table)
    assert (tuned.best, tuned.is_better) == (0.0, True)
    assert round(tuned.gain.difference, 3) == 0.3
    assert "for the profile: retrieval: {dense_weight: 0}" in tuning_table(tuned)


def test_a_weight_that_is_better_by_chance_is_not_recommended() -> None:
    table = np.random.default_rng(2).uniform(0, 1, (40, 5))
    tuned = learn_weight("shop", QUERIES, WEIGHTS, 0.5, table)
    assert not tuned.is_better
    assert "keep dense_weight 0.5" in tuning_table(tuned)
    assert tuning_summary(tuned)["is_better"] is False


def test_of_equal_weights_the_nearest_to_the_profiles_own_is_kept() -> None:
    tuned = learn_weight("shop", QUERIES, WEIGHTS, 0.5, np.ones((40, 5)))
    assert (tuned.best, tuned.gain.difference) == (0.5, 0.0)
    assert tuned.scores == dict.fromkeys(WEIGHTS, 1.0)


def test_no_question_is_judged_by_a_weight_that_it_taught() -> None:
    """Each question is right under one weight of its own, so its own fold never teaches that weight."""
    table = np.eye(40)
    weights = tuple(number / 39 for number in range(40))
    tuned = learn_weight("shop", QUERIES, weights, weights[0], table)
    assert tuned.gain.second == 0.0


def test_a_weight_that_two_decimals_would_round_keeps_its_own_line() -> None:
    tuned = learn_weight("shop", QUERIES, (0.5, 0.501), 0.501, np.tile([0.9, 0.4], (40, 1)))
    assert tuning_summary(tuned)["ndcg@10"] == {"0.50": pytest.approx(0.9), "0.501": pytest.approx(0.4)}
    assert "0.501  0.4000  now" in tuning_table(tuned)
