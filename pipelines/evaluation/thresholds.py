"""What a threshold on the confidence gains and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nextafter
from statistics import fmean

MOST_LOST = 0.05
"""The share of the right answers that a threshold may cost."""


@dataclass(frozen=True, slots=True)
class Declining:
    """Answers below ``threshold`` are declined: shares of the unanswerable questions, and of the right answers."""

    threshold: float
    declined: float
    lost: float


def declining(right: Sequence[float], unanswerable: Sequence[float], most_lost: float = MOST_LOST) -> Declining:
    """The highest threshold that costs no more than ``most_lost`` of the right answers, and what it declines.

    Args:
        right: The confidences of the right answers; at least one.
        unanswerable: Those of the answers to questions that the documents do not answer; at least one.
        most_lost: A share, in 0..1.
    """
    ordered = sorted(right)
    may_go = int(most_lost * len(ordered) + 1e-9)
    threshold = ordered[may_go] if may_go < len(ordered) else nextafter(ordered[-1], 2.0)
    lost = fmean(confidence < threshold for confidence in right)
    return Declining(threshold, fmean(confidence < threshold for confidence in unanswerable), lost)
