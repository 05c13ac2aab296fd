"""Fits a calibration to answers that were judged, and says how good it is on answers that it has not seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.components.logistic import fit_logistic
from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.evaluate import Evaluation
from pipelines.evaluation.figures import figure
from pipelines.evaluation.metrics import JudgedAnswer, area_under_risk, auroc, calibration_error
from pipelines.profile.calibration import SIGNALS, Calibration, FittedOn

_FOLDS = 5
_LEAST = 10  # answers of each kind: fewer tell nothing of four weights

Judged = Mapping[str, Sequence[tuple[str, JudgedAnswer]]]
"""By the data set's name: the id of each question, and its answer."""


@dataclass(frozen=True, slots=True)
class Worth:
    """How good a calibration is on a data set; ``abstention_auroc`` is None where every question can be answered."""

    dataset: str
    seen: str
    abstention_auroc: float | None
    calibration_error: float
    aurc: float


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration fitted to all answers, and the worth of others that were fitted without those they are held to."""

    calibration: Calibration
    worth: tuple[Worth, ...]


def judged_answers(evaluations: Iterable[Evaluation]) -> dict[str, list[tuple[str, JudgedAnswer]]]:
    """The answers of evaluations, without those that nothing was found for: they are sure to be none."""
    found: dict[str, list[tuple[str, JudgedAnswer]]] = {}
    for evaluation in evaluations:
        rows = [(row.query_id, row.judged) for row in evaluation.per_query if row.judged and row.judged.signals]
        found.setdefault(evaluation.dataset, []).extend(rows)
    return found


def calibrate(judged: Judged, shipped: Calibration) -> Calibrated:
    """A calibration fitted to all of these answers.

    Each data set counts alike, and so does each question of it. A signal that is the same in all of them keeps the
    weight it has in ``shipped``: without a language model nothing is learnt of its verdicts. The worth is told twice:
    cross-validated over five parts of the questions, and where there are several data sets, of each under a calibration
    fitted to the others.

    Raises:
        InvalidRequest: Too few answers are right, or too few are wrong.
        MissingPackage: scikit-learn is not installed.
    """
    everything = [answer for answers in judged.values() for _, answer in answers]
    _require_both(everything)
    calibration = _fitted(_by_set(judged), shipped)
    sizes = tuple(
        FittedOn(dataset=name, questions=len(answers), right=sum(answer.sound for _, answer in answers))
        for name, answers in judged.items()
    )
    held_out = _out_of_fold(judged, shipped)
    worth = [_worth(name, "other questions", answers, held_out[name]) for name, answers in judged.items() if answers]
    for name, answers in judged.items():
        others = _by_set({other: rows for other, rows in judged.items() if other != name})
        if answers and _has_both([answer for rows in others for answer in rows]):
            elsewhere = _fitted(others, shipped)
            confidences = [elsewhere.confidence(answer.signals) for _, answer in answers]
            worth.append(_worth(name, "the other data sets", answers, confidences))
    return Calibrated(calibration.model_copy(update={"fitted_on": sizes}), tuple(worth))


def calibration_summary(calibrated: Calibrated) -> dict[str, Any]:
    """The calibration and its worth as plain data."""
    worth = [
        {
            "dataset": one.dataset,
            "fitted_on": one.seen,
            "abstention_auroc": one.abstention_auroc,
            "calibration_error": one.calibration_error,
            "aurc": one.aurc,
        }
        for one in calibrated.worth
    ]
    return {"calibration": calibrated.calibration.model_dump(mode="json"), "worth": worth}


def calibration_table(calibrated: Calibrated) -> str:
    """The weights and their worth, for a terminal."""
    calibration = calibrated.calibration
    width = max(map(len, SIGNALS))
    lines = [f"{one.dataset}: {one.questions} answers, {one.right} of them right" for one in calibration.fitted_on]
    lines += [f"  {'intercept':<{width}}  {calibration.intercept:>8.3f}"]
    lines += [f"  {name:<{width}}  {weight:>8.3f}" for name, weight in calibration.weights.items()]
    for one in calibrated.worth:
        area = "" if one.abstention_auroc is None else f"abstention_auroc {one.abstention_auroc:.4f}, "
        error, risk = figure("calibration_error", one.calibration_error), figure("aurc", one.aurc)
        lines.append(f"{one.dataset}, fitted on {one.seen}: {area}calibration_error {error}, aurc {risk}")
    return "\n".join(lines)


def _by_set(judged: Judged) -> list[list[JudgedAnswer]]:
    return [[answer for _, answer in rows] for rows in judged.values() if rows]


def _fitted(sets: Sequence[Sequence[JudgedAnswer]], shipped: Calibration) -> Calibration:
    answers = [answer for rows in sets for answer in rows]
    names = [name for name in SIGNALS if len({answer.signals[name] for answer in answers}) > 1]
    rows = [[answer.signals[name] for name in names] for answer in answers]
    counts = [len(answers) / len(sets) / len(rows) for rows in sets for _ in rows]
    intercept, weights = fit_logistic(rows, [answer.sound for answer in answers], counts)
    known = {**shipped.weights, **dict(zip(names, weights, strict=True))}
    return Calibration(intercept=round(intercept, 4), weights={name: round(known[name], 4) for name in SIGNALS})


def _out_of_fold(judged: Judged, shipped: Calibration) -> dict[str, list[float]]:
    """The confidence of each answer under a calibration fitted to the four parts of the questions it is not in."""
    parts: list[Callable[[JudgedAnswer], float]] = []
    for part in range(_FOLDS):
        rest = _by_set({name: [row for row in rows if _part(row[0]) != part] for name, rows in judged.items()})
        enough = _has_both([answer for rows in rest for answer in rows])
        fitted = _fitted(rest if enough else _by_set(judged), shipped)
        parts.append(lambda answer, fitted=fitted: fitted.confidence(answer.signals))  # type: ignore[misc]
    return {name: [parts[_part(query)](answer) for query, answer in answers] for name, answers in judged.items()}


def _part(query_id: str) -> int:
    return hashlib.sha256(query_id.encode()).digest()[0] % _FOLDS


def _worth(dataset: str, seen: str, answers: Sequence[tuple[str, JudgedAnswer]], confidences: Sequence[float]) -> Worth:
    sound = [answer.sound for _, answer in answers]
    answerable = [answer.answerable for _, answer in answers]
    return Worth(
        dataset,
        seen,
        auroc(confidences, answerable) if len(set(answerable)) == 2 else None,
        calibration_error(confidences, sound),
        area_under_risk(confidences, sound),
    )


def _has_both(answers: Sequence[JudgedAnswer]) -> bool:
    return min(_kinds(answers)) >= _LEAST


def _kinds(answers: Sequence[JudgedAnswer]) -> tuple[int, int]:
    right = sum(answer.sound for answer in answers)
    return right, len(answers) - right


def _require_both(answers: Sequence[JudgedAnswer]) -> None:
    if not _has_both(answers):
        right, wrong = _kinds(answers)
        said = (
            f"{right} answers are right and {wrong} wrong, and at least {_LEAST} of each are needed; add questions "
            "with answers to queries.jsonl, and some that the documents do not answer to unanswerable.jsonl"
        )
        raise InvalidRequest(Problem("datasets", said))
