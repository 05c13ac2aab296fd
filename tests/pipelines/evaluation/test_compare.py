"""A comparison measures what an evaluation measures, names what changed, and is honest about chance."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pipelines.errors import InvalidRequest
from pipelines.evaluation.compare import Comparison, Setting, compare
from pipelines.evaluation.evaluate import Evaluation
from pipelines.profile.schema import Profile
from pipelines.profile.sections.retrieval import Retrieval
from tests.pipelines.evaluation.evaluations import evaluation

_RANDOM = Random(7)
MANY = [0.1 + 0.8 * _RANDOM.random() for _ in range(60)]


def held(first: Evaluation, second: Evaluation) -> Comparison:
    return compare(("old.yaml", "new.yaml"), (first, second))


def test_each_measure_is_what_the_evaluations_report() -> None:
    first = evaluation(MANY, seed=1, answers=True, unanswerable=30)
    second = evaluation(MANY[::-1], seed=2, answers=True, unanswerable=30)
    comparison = held(first, second)
    measured = {one.measure: one.interval for one in comparison.differences}
    assert set(measured) == set(first.metrics) - {"chunks", "calibration_chance"}
    for name, interval in measured.items():
        assert interval.first == pytest.approx(first.metrics[name]), name
        assert interval.second == pytest.approx(second.metrics[name]), name
        assert interval.low <= interval.high


def test_the_main_measure_comes_first_and_is_not_corrected() -> None:
    differences = held(evaluation(MANY), evaluation(MANY[::-1], seed=1)).differences
    assert [one.measure for one in differences[:2]] == ["ndcg@10", "recall@10"]
    assert differences[0].adjusted is None
    others = [one for one in differences[1:] if not one.measure.endswith("_ms")]
    assert all(one.adjusted is not None and one.adjusted >= one.interval.p for one in others)


def test_a_clear_win_is_called_one_by_the_profile_that_won() -> None:
    better = [value + 0.1 for value in MANY]
    assert held(evaluation(MANY), evaluation(better)).verdict.startswith("B (new.yaml) is better: ndcg@10 0.")
    assert held(evaluation(better), evaluation(MANY)).verdict.startswith("A (old.yaml) is better: ndcg@10 0.")


def test_a_difference_that_may_be_chance_is_not_called_a_win() -> None:
    random = Random(3)
    noisy = [value + random.uniform(-0.1, 0.1) for value in MANY]
    verdict = held(evaluation(MANY), evaluation(noisy)).verdict
    assert verdict.startswith("Chance could explain the difference between A (old.yaml) and B (new.yaml): ndcg@10")
    assert verdict.endswith(
        "of the 5 other measures of quality, corrected for asking about so many, none differs by more than chance."
    )


def test_rankings_that_are_alike_have_no_difference() -> None:
    verdict = held(evaluation(MANY), evaluation(MANY)).verdict
    assert verdict.startswith("No difference in ndcg@10: it is alike for each of 60 questions")


def test_few_questions_are_never_significant() -> None:
    comparison = held(evaluation([0.1] * 5), evaluation([0.9] * 5))
    assert comparison.verdict.startswith("Too few questions to tell: 5 of the 20 that it takes at least")
    assert not any(one.is_certain for one in comparison.differences)


def test_another_measure_is_named_if_it_stands_after_correction() -> None:
    first = evaluation(MANY)
    worse = [replace(row, metrics={**row.metrics, "mrr@10": row.metrics["mrr@10"] - 0.1}) for row in first.per_query]
    verdict = held(first, replace(first, per_query=tuple(worse))).verdict
    assert verdict.endswith("these differ: mrr@10 (for A).")


def test_times_are_shown_and_never_called_certain_for_the_machine_may_have_been_busy() -> None:
    first = evaluation(MANY)
    first = replace(first, per_query=tuple(replace(row, answer_ms=row.query_ms) for row in first.per_query))
    slower = [
        replace(row, query_ms=(row.query_ms or 0) + 5, answer_ms=(row.answer_ms or 0) + 5) for row in first.per_query
    ]
    comparison = held(first, replace(first, per_query=tuple(slower)))
    times = [one for one in comparison.differences if one.measure.endswith("_ms")]
    assert [round(one.interval.difference, 6) for one in times] == [5.0] * 4
    assert [(one.winner, one.is_certain, one.adjusted) for one in times] == [(0, False, None)] * 4
    assert "_ms" not in comparison.verdict


def test_the_biggest_win_and_the_biggest_loss_come_first_with_both_ranks() -> None:
    comparison = held(evaluation([0.5, 0.5, 1.0, 0.25]), evaluation([1.0, 0.5, 0.0, 0.5]))
    assert [(one.query_id, one.difference, one.first_rank, one.second_rank) for one in comparison.wins] == [
        ("q0", 0.5, 2, 1),
        ("q3", 0.25, 4, 2),
    ]
    assert [(one.query_id, one.difference, one.first_rank, one.second_rank) for one in comparison.losses] == [
        ("q2", -1.0, 1, None)
    ]


def test_without_rankings_the_answers_decide() -> None:
    def answered(seed: int) -> Evaluation:
        whole = evaluation(MANY, seed=seed, answers=True)
        rows = tuple(type(row)(row.query_id, row.text, {}, None, row.answer, row.judged) for row in whole.per_query)
        return Evaluation("pets", "zoo", None, {}, rows, {}, ())

    comparison = held(answered(1), answered(2))
    assert comparison.differences[0].measure == "answer_hit_rate"
    assert {one.difference for one in comparison.changes} == {-1.0, 0.0, 1.0}


def test_without_measures_there_is_no_comparison() -> None:
    with pytest.raises(InvalidRequest, match="pets: no question has a relevant document or a gold answer"):
        held(evaluation([]), evaluation([]))


def test_what_the_profiles_do_not_have_alike_is_listed_and_no_more() -> None:
    first = Profile(tenant="a", title="A")
    second = Profile(tenant="b", title="B", retrieval=Retrieval(dense_weight=0.7))
    whole = evaluation(MANY)
    comparison = compare(("a", "b"), (whole, whole), (first, second))
    assert comparison.settings == (Setting("retrieval -> dense_weight", "0.5", "0.7"),)


def test_two_unanswerable_questions_make_nothing_certain() -> None:
    """Every draw holds both, so the bootstrap alone would be sure."""
    first, second = (evaluation(MANY, seed=1, answers=True, unanswerable=2) for _ in range(2))
    first, second = declining(first, 0.9, False), declining(second, 0.0, True)
    found = {one.measure: one for one in held(first, second).differences}
    for measure in ("declined", "abstention_auroc"):
        assert found[measure].questions == 2
        assert found[measure].interval.p < 0.01
        assert not found[measure].is_certain
    assert found["answer_hit_rate"].questions == 60


def declining(given: Evaluation, confidence: float, abstained: bool) -> Evaluation:
    """The same evaluation with other outcomes of its unanswerable questions."""
    rows = tuple(
        replace(row, judged=replace(row.judged, confidence=confidence, abstained=abstained))
        if row.judged and not row.judged.answerable
        else row
        for row in given.per_query
    )
    return replace(given, per_query=rows)
