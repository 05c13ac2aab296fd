"""The bootstrap gives what can be worked out by hand, and its measures are those of an evaluation on every draw."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.evaluation import bootstrap
from pipelines.evaluation.bootstrap import Interval, holm, mean, paired_bootstrap, quantile, ratio
from pipelines.evaluation.metrics import area_under_risk, auroc, calibration_bins, calibration_error, percentile


def of_means(first: list[float], second: list[float], **settings: int) -> Interval:
    return paired_bootstrap(mean(first), mean(second), [0] * len(first), **settings)


def test_a_shift_that_every_question_has_is_certain() -> None:
    interval = of_means([0.1, 0.2, 0.7, 0.4], [0.4, 0.5, 1.0, 0.7])
    assert interval.difference == pytest.approx(0.3)
    assert (interval.low, interval.high) == (pytest.approx(0.3), pytest.approx(0.3))
    assert interval.p == pytest.approx(2 / 10_001)


def test_systems_that_are_alike_differ_by_nothing() -> None:
    values = [0.1, 0.2, 0.3, 0.7]
    assert of_means(values, values) == Interval(pytest.approx(0.325), pytest.approx(0.325), 0.0, 0.0, 1.0)


def test_two_questions_are_drawn_as_the_four_ways_to_draw_them() -> None:
    # Differences 0 and 1: their mean is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4.
    interval = of_means([0.0, 0.0], [0.0, 1.0])
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert interval.p == pytest.approx(0.5, abs=0.02)


def test_the_interval_of_a_mean_is_as_wide_as_its_standard_error_says() -> None:
    random = np.random.default_rng(1)
    first, second = random.normal(0, 1, 400), random.normal(0.05, 1, 400)
    interval = of_means(list(first), list(second))
    error = np.std(second - first) / sqrt(400)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * error, rel=0.04)
    assert (interval.high + interval.low) / 2 == pytest.approx(interval.difference, abs=0.1 * error)


def test_p_approaches_the_normal_distribution_with_many_questions() -> None:
    values = np.random.default_rng(2).normal(0, 1, 900)
    values += 2.0 * np.std(values) / 30 - values.mean()  # a mean two standard errors from 0
    assert of_means([0.0] * 900, list(values)).p == pytest.approx(0.0455, abs=0.01)


def test_the_same_seed_gives_the_same_figures_and_the_sides_mirror_each_other() -> None:
    random = np.random.default_rng(3)
    first, second = list(random.random(50)), list(random.random(50))
    once, mirrored = of_means(first, second), of_means(second, first)
    assert once == of_means(first, second)
    assert (mirrored.low, mirrored.high, mirrored.p) == (
        pytest.approx(-once.high),
        pytest.approx(-once.low),
        pytest.approx(once.p),
    )
    assert of_means(first, second, seed=4) != once


def test_pairing_takes_out_what_makes_a_question_hard_for_both() -> None:
    random = np.random.default_rng(5)
    hardness = random.random(100)
    first, second = hardness, hardness + random.normal(0.01, 0.01, 100)
    assert of_means(list(first), list(second)).low > 0


def test_each_group_keeps_its_size_in_every_draw() -> None:
    groups = [1, 0, 1, 1, 0]
    drawn: list[np.ndarray] = []

    def spy(counts: bootstrap.Floats) -> bootstrap.Floats:
        drawn.append(counts)
        return counts @ np.ones(5)

    paired_bootstrap(spy, spy, groups, resamples=100)
    counts = np.concatenate([block for block in drawn if len(block) > 1])
    assert (counts[:, [1, 4]].sum(axis=1) == 2).all()
    assert (counts[:, [0, 2, 3]].sum(axis=1) == 3).all()


def test_many_questions_are_drawn_in_blocks() -> None:
    values = [float(number % 7) for number in range(3000)]
    interval = of_means(values, [value + 1 for value in values], resamples=2000)
    assert interval.low == interval.high == pytest.approx(1.0)
    assert interval.p == pytest.approx(2 / 2001)


VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=12)


def draw(values: list[float], random: np.random.Generator) -> tuple[np.ndarray, list[int]]:
    chosen = sorted(random.integers(len(values), size=len(values)).tolist())
    return np.bincount(chosen, minlength=len(values)).astype(float)[None, :], chosen


@settings(max_examples=100)
@given(VALUES, st.floats(0, 1), st.integers(0, 10))
def test_a_quantile_of_a_draw_is_that_of_the_values_drawn(values: list[float], share: float, seed: int) -> None:
    counts, chosen = draw(values, np.random.default_rng(seed))
    expected = percentile([values[index] for index in chosen], share)
    assert quantile(values, share)(counts)[0] == pytest.approx(expected)


@settings(max_examples=100)
@given(VALUES, VALUES, st.integers(0, 10))
def test_the_area_of_a_draw_is_the_auroc_of_the_values_drawn(high: list[float], low: list[float], seed: int) -> None:
    random = np.random.default_rng(seed)
    (above, chosen_high), (beneath, chosen_low) = draw(high, random), draw(low, random)
    scores = [high[index] for index in chosen_high] + [low[index] for index in chosen_low]
    positive = [True] * len(chosen_high) + [False] * len(chosen_low)
    measure = bootstrap.area(high + low, [True] * len(high) + [False] * len(low))
    assert measure(np.concatenate([above, beneath], axis=1))[0] == pytest.approx(auroc(scores, positive))


@settings(max_examples=100)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_the_calibration_error_of_the_whole_sample_is_the_reported_one(answers: list[tuple[float, bool]]) -> None:
    confidences, right = [list(side) for side in zip(*answers, strict=True)]
    gaps = [confidence - correct for confidence, correct in answers]
    measure = bootstrap.binned_error(gaps, calibration_bins(confidences))
    assert measure(np.ones((1, len(answers))))[0] == pytest.approx(calibration_error(confidences, right))


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from([0.1, 0.4, 0.5, 0.9]), st.booleans()), min_size=1, max_size=40))
def test_the_risk_of_the_whole_sample_is_the_reported_one(answers: list[tuple[float, bool]]) -> None:
    confidences, right = [list(side) for side in zip(*answers, strict=True)]
    wrong = [not one for one in right]
    measure = bootstrap.risk([*confidences, 0.7], [*wrong, True], [True] * len(answers) + [False])
    assert measure(np.ones((1, len(answers) + 1)))[0] == pytest.approx(area_under_risk(confidences, right))


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.4, 0.5, 0.9]), st.booleans(), st.integers(0, 3)), min_size=1, max_size=20
    )
)
def test_the_risk_of_a_draw_is_that_of_what_was_drawn(answers: list[tuple[float, bool, int]]) -> None:
    drawn = [(confidence, right) for confidence, right, count in answers for _ in range(count)]
    unused = [(0.7, True, 0)] * len(drawn)  # a draw has no more answers than the sample
    confidences, right, counts = [list(side) for side in zip(*answers, *unused, strict=True)]
    measure = bootstrap.risk(confidences, [not one for one in right], [True] * len(confidences))
    (found,) = measure(np.array([counts], float))
    expected = area_under_risk(*(list(side) for side in zip(*drawn, strict=True))) if drawn else np.nan
    assert found == pytest.approx(expected, nan_ok=True)


def test_a_question_without_a_bin_does_not_count_towards_the_calibration_error() -> None:
    measure = bootstrap.binned_error([0.5, 9.0, -0.25], [0, None, 1])
    assert measure(np.ones((1, 3)))[0] == pytest.approx((0.5 + 0.25) / 2)


def test_a_draw_that_does_not_define_a_ratio_is_left_out() -> None:
    interval = paired_bootstrap(ratio([1, 0], [1, 0]), ratio([1, 0], [2, 0]), [0, 0])
    assert (interval.first, interval.second, interval.low, interval.high) == (1.0, 0.5, -0.5, -0.5)


def test_holm_corrects_step_by_step_and_never_above_1() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
