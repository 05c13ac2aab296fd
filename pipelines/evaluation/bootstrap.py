"""Significance of a difference between two systems: the paired bootstrap over questions.

Questions are drawn with replacement, and both systems are measured on the same draw, which cancels out what makes a
question hard for both (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993; for retrieval: Sakai,
"Evaluating Evaluation Metrics based on the Bootstrap", SIGIR 2006). A draw is a row of counts, how often each question
is in it, which makes every measure a product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
SEED = 13
_CELLS = 2_000_000  # of one block of counts, 16 MB

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""Counts (draws, questions) to the measure of each draw (draws,); not a number where a draw does not define it."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference (second minus first) with its 95 % interval and its two-sided p."""

    first: float
    second: float
    low: float
    high: float
    p: float

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second - self.first


def paired_bootstrap(
    first: Statistic, second: Statistic, groups: Sequence[int], resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """Return the difference between two systems in one measure.

    Bounds are percentiles. p is twice the smaller share of draws on either side of 0, counting the sample itself as a
    draw (Davison and Hinkley 1997, 4.2), so the interval leaves out 0 about when p is under .05.

    Args:
        first: The measure of one system, as a function of counts.
        second: The other's, over the same questions in the same order.
        groups: The group of each question. Every draw keeps the size of each group, so none can be missing.
        resamples: Number of draws.
        seed: The same seed gives the same figures.
    """
    whole = np.ones((1, len(groups)))
    drawn = np.concatenate([second(counts) - first(counts) for counts in _draws(groups, resamples, seed)])
    # Rounded, or equal sums in another order would count as small differences.
    differences = np.round(drawn[np.isfinite(drawn)], 12)
    low, high = np.percentile(differences, [2.5, 97.5]) if len(differences) else (np.nan, np.nan)
    rarer = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    p = min(1.0, 2 * (rarer + 1) / (len(differences) + 1))
    return Interval(float(first(whole)[0]), float(second(whole)[0]), float(low), float(high), p)


def _draws(groups: Sequence[int], resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of counts, (draws, questions)."""
    random = np.random.default_rng(seed)
    members = [np.flatnonzero(np.asarray(groups) == group) for group in sorted(set(groups))]
    at_once = max(1, _CELLS // max(1, len(groups)))
    for start in range(0, resamples, at_once):
        draws = min(at_once, resamples - start)
        counts = np.zeros((draws, len(groups)))
        for places in members:
            size = len(places)
            chosen = random.integers(size, size=(draws, size)) + size * np.arange(draws)[:, None]
            counts[:, places] = np.bincount(chosen.ravel(), minlength=draws * size).reshape(draws, size)
        yield counts


def mean(values: Sequence[float]) -> Statistic:
    """Return the mean of a value that every question has."""
    return ratio(values, [1.0] * len(values))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Statistic:
    """Return a sum over the questions divided by another one."""
    over, under = np.asarray(parts, float), np.asarray(wholes, float)
    return lambda counts: _divided(counts @ over, counts @ under)


def quantile(values: Sequence[float], share: float) -> Statistic:
    """Return the value below which a share (0..1) of the values lies, interpolated as ``metrics.percentile`` does."""
    order = np.argsort(np.asarray(values, float), kind="stable")
    ordered = np.asarray(values, float)[order]
    below, rest = divmod(share * (len(ordered) - 1), 1)

    def measure(counts: Floats) -> Floats:
        drawn = counts[:, order].cumsum(axis=1)
        low = ordered[(drawn <= below).sum(axis=1)]
        high = ordered[(drawn <= min(below + 1, len(ordered) - 1)).sum(axis=1)]
        between: Floats = low + (high - low) * rest
        return between

    return measure


def area(scores: Sequence[float], positive: Sequence[bool]) -> Statistic:
    """Return the chance that a positive scores higher than a negative, ties counting half, as ``metrics.auroc``."""
    is_positive = np.asarray(positive, bool)
    high, low = np.asarray(scores, float)[is_positive, None], np.asarray(scores, float)[None, ~is_positive]
    wins = (high > low) + 0.5 * (high == low)

    def measure(counts: Floats) -> Floats:
        above, beneath = counts[:, is_positive], counts[:, ~is_positive]
        return _divided(((above @ wins) * beneath).sum(axis=1), above.sum(axis=1) * beneath.sum(axis=1))

    return measure


def binned_error(gaps: Sequence[float], bins: Sequence[int | None]) -> Statistic:
    """Return the calibration error whose bins are those of the whole sample; a question without a bin does not
    count.
    """
    given = np.asarray([place is not None for place in bins], float)
    by_bin = np.zeros((len(bins), max((place for place in bins if place is not None), default=0) + 1))
    for question, (gap, place) in enumerate(zip(gaps, bins, strict=True)):
        if place is not None:
            by_bin[question, place] = gap
    return lambda counts: _divided(np.abs(counts @ by_bin).sum(axis=1), counts @ given)


def risk(confidences: Sequence[float], wrong: Sequence[bool], given: Sequence[bool]) -> Statistic:
    """Return the area under the risk-coverage curve of the answers given, as ``metrics.area_under_risk``.

    Of ``tied`` answers behind ``before`` others, the k-th has the risk ``(lost + k * share) / (before + k)``; their sum
    needs the harmonic numbers.
    """
    places = np.flatnonzero(np.asarray(given, bool))
    scores, errors = np.asarray(confidences, float)[places], np.asarray(wrong, float)[places]
    order = np.argsort(-scores, kind="stable")
    _, starts = np.unique(-scores[order], return_index=True)
    harmonic = np.concatenate([[0.0], (1 / np.arange(1, len(given) + 1)).cumsum()])

    def measure(counts: Floats) -> Floats:
        kept = counts[:, places[order]]
        tied, failed = (np.add.reduceat(part, starts, axis=1) for part in (kept, kept * errors[order]))
        covered = tied.cumsum(axis=1)
        before, lost = covered - tied, failed.cumsum(axis=1) - failed
        grown = harmonic[covered.astype(int)] - harmonic[before.astype(int)]
        shares = np.nan_to_num(_divided(failed, tied))
        return _divided((failed + (lost - shares * before) * grown).sum(axis=1), covered[:, -1])

    return measure


def _divided(over: Floats, under: Floats) -> Floats:
    return np.divide(over, under, out=np.full_like(over, np.nan), where=under != 0)


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for multiple tests (Holm 1979), in the order given."""
    adjusted = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, values[index] * (len(values) - place)))
        adjusted[index] = largest
    return adjusted
