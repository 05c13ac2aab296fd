"""Gain and cost of a threshold on the confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nextafter
from statistics import fmean

MOST_LOST = 0.05
"""Share of the right answers that a threshold may lose."""


@dataclass(frozen=True, slots=True)
class ThresholdEffect:
    """Shares of the unanswerable questions (``declined``) and of the right answers (``lost``) below ``threshold``."""

    threshold: float
    declined: float
    lost: float


def best_threshold(
    right: Sequence[float], unanswerable: Sequence[float], most_lost: float = MOST_LOST
) -> ThresholdEffect:
    """Return the highest threshold that loses at most ``most_lost`` of the right answers, and its effect.

    Args:
        right: The confidences of the right answers; at least one.
        unanswerable: The confidences of answers to unanswerable questions; at least one.
        most_lost: A share, in 0..1.
    """
    ordered = sorted(right)
    may_go = int(most_lost * len(ordered) + 1e-9)
    threshold = ordered[may_go] if may_go < len(ordered) else nextafter(ordered[-1], 2.0)
    lost = fmean(confidence < threshold for confidence in right)
    return ThresholdEffect(threshold, fmean(confidence < threshold for confidence in unanswerable), lost)
