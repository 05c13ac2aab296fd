"""Intervals of shares, against published figures."""

from __future__ import annotations

import random

import pytest

from pipelines.evaluation.proportions import difference, wilson


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_as_newcombe_published_it(count: int, of: int, low: float, high: float) -> None:
    assert wilson(count, of) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(20, 20)[1] == 1.0


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)],
)
def test_newcombes_interval_is_as_he_published_it(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    larger, below, above = difference(one, other)
    assert larger == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert (below, above) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_equal_shares_rarely_differ_significantly() -> None:
    chance = random.Random(7)
    reported = 0
    for _ in range(400):
        counts = [(sum(chance.random() < 0.7 for _ in range(60)), 60) for _ in range(2)]
        _, low, high = difference(counts[0], counts[1])
        reported += low > 0 or high < 0
    assert reported / 400 < 0.09
