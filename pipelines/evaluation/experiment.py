"""Compares prompt variants by the figures of their answers, with the significance of differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.catalogue.trials import Trial
from pipelines.evaluation.proportions import difference, wilson
from pipelines.types import Contrast, Experiment, Share, VariantReport

_LEVEL = 0.95


def reported(name: str, weight: float, counted: Trial | None) -> VariantReport:
    """Return the report of one variant; without answers if there are none."""
    if counted is None:
        return VariantReport(name, weight, 0, 0, 0, None, 0, None, None, _share(0, 0), None)
    claims = counted.supported + counted.partial + counted.unsupported
    return VariantReport(
        name=name,
        weight=weight,
        answers=counted.answers,
        abstained=counted.abstained,
        degraded=counted.degraded,
        confidence=counted.confidence,
        claims=claims,
        supported=counted.supported / claims if claims else None,
        unsupported=counted.unsupported / claims if claims else None,
        helpful=_share(counted.helpful, counted.helpful + counted.not_helpful),
        median_ms=counted.median_ms,
    )


def compared(variants: Sequence[VariantReport], left_out: int, keep_days: float) -> Experiment:
    """Return all variants, each compared with the first.

    Several comparisons share the 5 % of being wrong among them (Bonferroni), so that a variant does not win by being
    one of many.
    """
    contrasts = tuple(_contrast(one, variants[0], len(variants) - 1) for one in variants[1:])
    verdict = tuple(_verdict(variants, contrasts, keep_days))
    return Experiment(tuple(variants), contrasts, left_out, keep_days, verdict)


def _share(count: int, of: int) -> Share:
    return Share(count, of, *wilson(count, of, _LEVEL))


def _contrast(one: VariantReport, baseline: VariantReport, comparisons: int) -> Contrast:
    mine, its = one.helpful, baseline.helpful
    if not (mine.of and its.of):
        return Contrast(one.name, baseline.name, None, None, None, tells_apart=False)
    level = 1 - (1 - _LEVEL) / comparisons
    larger, low, high = difference((mine.count, mine.of), (its.count, its.of), level)
    return Contrast(one.name, baseline.name, larger, low, high, tells_apart=low > 0 or high < 0)


def _verdict(variants: Sequence[VariantReport], contrasts: Sequence[Contrast], keep_days: float) -> Iterator[str]:
    if not variants:
        yield "The profile has one prompt for everybody; answer -> variants names several."
        return
    if not keep_days:
        yield "Nothing is counted: feedback -> keep_days is 0."
        return
    if len(variants) == 1:
        yield "There is nothing to compare: the profile has one variant."
    yield from map(_describe, contrasts)
    idle = [one.name for one in variants if one.weight and not one.answers]
    if idle and any(one.answers for one in variants):
        yield (
            f"No answer was made with {', '.join(idle)} yet. A client that asks for many people with one key must "
            "name the user or the conversation with each question; otherwise all are one user, who gets one variant."
        )


def _describe(contrast: Contrast) -> str:
    pair = f"{contrast.variant} against {contrast.baseline}"
    if contrast.difference is None or contrast.low is None or contrast.high is None:
        return f"{pair}: no comparison until users have rated answers of both."
    points = f"{_points(contrast.difference)} points ({_points(contrast.low)} to {_points(contrast.high)})"
    if not contrast.tells_apart:
        return f"{pair}: helpful {points}, which may be chance."
    how = "more" if contrast.difference > 0 else "less"
    return f"{pair}: helpful {how} often, by {points}."


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"
