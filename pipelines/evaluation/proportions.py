"""Confidence intervals of a proportion and of the difference between two.

E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
Statistical Association 22 (1927). R. G. Newcombe, "Interval estimation for the difference between independent
proportions: comparison of eleven methods", Statistics in Medicine 17 (1998), method 10: made of two Wilson intervals.
"""

from __future__ import annotations

from math import hypot, sqrt
from statistics import NormalDist


def wilson(count: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion, in 0..1; (0, 1) for no observations.

    Args:
        count: Number of successes.
        of: Number of observations.
        level: Confidence level, in 0..1.
    """
    if of == 0:
        return 0.0, 1.0
    z, share = _z(level), count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    # For none or all, the interval ends exactly at 0 or 1, which rounding would miss.
    return (0.0 if count == 0 else middle - reach), (1.0 if count == of else middle + reach)


def difference(one: tuple[int, int], other: tuple[int, int], level: float = 0.95) -> tuple[float, float, float]:
    """Return the difference of two proportions (one minus other), in -1..1, with Newcombe's interval.

    Args:
        one: Successes and observations.
        other: The same of the other; both need at least one observation.
        level: Confidence level, in 0..1.
    """
    shares = one[0] / one[1], other[0] / other[1]
    (low, high), (other_low, other_high) = wilson(*one, level), wilson(*other, level)
    larger = shares[0] - shares[1]
    below = hypot(shares[0] - low, other_high - shares[1])
    above = hypot(high - shares[0], shares[1] - other_low)
    return larger, larger - below, larger + above


def _z(level: float) -> float:
    return NormalDist().inv_cdf(0.5 + level / 2)
