"""A threshold costs right answers and declines unanswerable questions."""

from __future__ import annotations

import pytest

from pipelines.evaluation.thresholds import best_threshold


def test_the_threshold_stays_within_its_allowed_loss() -> None:
    right = [0.1, *(0.5 + n / 100 for n in range(39))]
    found = best_threshold(right, [0.05, 0.3, 0.505, 0.9])
    assert found.threshold == pytest.approx(0.51)
    assert found.lost == pytest.approx(0.05)
    assert found.declined == 0.75


def test_of_few_right_answers_none_may_be_lost() -> None:
    assert best_threshold([0.4, 0.6], [0.3, 0.4]).threshold == 0.4
    assert best_threshold([0.4, 0.6], [0.3, 0.4]).declined == 0.5


def test_equal_confidences_are_kept_together() -> None:
    found = best_threshold([0.5] * 40, [0.5, 0.4])
    assert (found.lost, found.declined) == (0.0, 0.5)


def test_everything_may_be_declined_where_everything_may_be_lost() -> None:
    assert best_threshold([0.2, 0.8], [0.9, 0.7], most_lost=1.0).declined == 0.5
