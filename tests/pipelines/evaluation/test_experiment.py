"""What is said of prompt variants."""

from __future__ import annotations

import pytest

from pipelines.catalogue.trials import Trial
from pipelines.evaluation.experiment import compared, reported
from pipelines.types import Experiment


def trial(variant: str, helpful: int = 0, not_helpful: int = 0) -> Trial:
    return Trial(variant, "f" * 16, 50, 5, 1, 0.6, 70, 10, 20, helpful, not_helpful, 1200.0)


def experiment(*thumbs: tuple[int, int] | None) -> Experiment:
    reports = [
        reported(name, 1.0, None if one is None else trial(name, *one))
        for name, one in zip("abcdef", thumbs, strict=False)
    ]
    return compared(reports, 3, 90.0)


def test_the_figures_of_a_variant_are_shares() -> None:
    (one,) = experiment((6, 2)).variants
    assert (one.answers, one.abstained, one.degraded, one.confidence, one.median_ms) == (50, 5, 1, 0.6, 1200.0)
    assert (one.claims, one.supported, one.unsupported) == (100, 0.7, 0.2)
    assert (one.helpful.count, one.helpful.of, one.helpful.share) == (6, 8, 0.75)
    assert one.helpful.low < 0.75 < one.helpful.high


def test_a_variant_without_answers_has_no_shares() -> None:
    (one,) = experiment(None).variants
    assert (one.answers, one.confidence, one.supported, one.helpful.share, one.median_ms) == (0, None, None, None, None)


def test_a_small_difference_is_called_chance_and_a_large_one_is_not() -> None:
    small = experiment((30, 20), (34, 16))
    assert not small.contrasts[0].tells_apart
    assert small.verdict == ("b against a: helpful +8.0 points (-10.6 to +25.8), which may be chance.",)
    large = experiment((30, 70), (70, 30))
    assert large.contrasts[0].tells_apart
    assert large.verdict[0].startswith("b against a: helpful more often, by +40.0 points (")
    assert experiment((70, 30), (30, 70)).verdict[0].startswith("b against a: helpful less often, by -40.0 points (")


def test_of_several_variants_each_must_differ_more() -> None:
    alone, among = (experiment((25, 25), *[(35, 15)] * count).contrasts[0] for count in (1, 5))
    assert alone.difference == among.difference == pytest.approx(0.2)
    assert (alone.tells_apart, among.tells_apart) == (True, False)


def test_without_feedback_there_is_no_verdict() -> None:
    assert experiment((3, 2), (0, 0)).verdict == ("b against a: no comparison until users have rated answers of both.",)
    assert "No answer was made with b yet" in experiment((3, 2), None).verdict[1]
    assert compared([reported("a", 1.0, None)], 0, 0.0).verdict == ("Nothing is counted: feedback -> keep_days is 0.",)
    assert experiment((3, 2)).verdict == ("There is nothing to compare: the profile has one variant.",)
    assert compared([], 0, 90.0).verdict[0].startswith("The profile has one prompt for everybody")
