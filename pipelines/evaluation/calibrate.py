"""Fits a calibration to judged answers, and measures it on answers that it has not seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from statistics import fmean
from typing import Any

from pipelines.components.logistic import fit_logistic, require_scikit_learn
from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.datasets import plain_question
from pipelines.evaluation.evaluate import Evaluation
from pipelines.evaluation.figures import figure
from pipelines.evaluation.metrics import JudgedAnswer, area_under_risk, auroc, calibration_error
from pipelines.evaluation.thresholds import best_threshold
from pipelines.profile.calibration import Calibration, FittedOn
from pipelines.types.markup import bold, join, paragraph, table

_FOLDS = 5
_OTHER_QUESTIONS = "other questions"
_OTHER_SETS = "the other data sets"
_NO_SCALE = "no scale for the profile: right answers do not have the higher confidence"
_LEAST = 10  # answers of each kind: fewer tell nothing of four weights

Answered = list[tuple[str, JudgedAnswer]]
"""The questions of a data set: judged answers, each with what questions that must not be parted have in common."""
Judged = Mapping[str, Answered]
"""Answers by the name of their data set."""


@dataclass(frozen=True, slots=True)
class CalibrationQuality:
    """How good a calibration is on a data set; None where the set cannot show it.

    Attributes:
        dataset: The data set.
        fitted_on: What the calibration was fitted on.
        abstention_auroc: AUROC of answerable against unanswerable questions.
        confidence_auroc: AUROC of right against wrong answers.
        calibration_error: Expected calibration error.
        aurc: The area under the risk-coverage curve.
        declinable: Share of the unanswerable questions below the threshold that loses 5 % of the right answers.
        declinable_below: That threshold.
    """

    dataset: str
    fitted_on: str
    abstention_auroc: float | None
    confidence_auroc: float | None
    calibration_error: float
    aurc: float
    declinable: float | None
    declinable_below: float | None


@dataclass(frozen=True, slots=True, repr=False)
class FittedCalibration:
    """A calibration fitted to all answers, and the quality of calibrations on answers held out from their fit.

    ``scale`` is the intercept and slope that were fitted to the shipped calibration's logit, where only these were.
    ``left_out_error`` is the mean calibration error of the data sets, each under a calibration fitted to the others;
    None for a single data set.
    """

    calibration: Calibration
    worth: tuple[CalibrationQuality, ...]
    left_out_error: float | None
    scale: tuple[float, float] | None = None

    @property
    def is_usable(self) -> bool:
        """Whether right answers have the higher confidence: a slope that is not positive turns it upside down."""
        return self.scale is None or self.scale[1] > 0

    def __repr__(self) -> str:
        sets = ", ".join(f"{one.dataset}: {one.right} of {one.questions} right" for one in self.calibration.fitted_on)
        return f"FittedCalibration({sets})"

    def _repr_html_(self) -> str:
        """The weights, and what the confidence is worth on questions that it was not fitted on, for Jupyter."""
        weights = {"intercept": self.calibration.intercept, **self.calibration.weights}
        worth = ((one.dataset, one.fitted_on, ", ".join(_measures(one))) for one in self.worth)
        return join(
            [
                paragraph(bold(repr(self))),
                table(("signal", "weight"), ((name, f"{weight:.3f}") for name, weight in weights.items())),
                table(("on", "fitted on", "worth"), worth),
            ]
        )


def require_packages() -> None:
    """Check for what a fit needs, before answers to fit are collected.

    Raises:
        MissingPackage: scikit-learn is not installed.
    """
    require_scikit_learn()


def judged_answers(evaluation: Evaluation) -> Answered:
    """The judged answers of an evaluation, without questions that found nothing: those always abstain.

    Each has the id of the first question that asks the same: one that is asked again would otherwise be fitted to in
    one fold, and measured in another.
    """
    first: dict[str, str] = {}
    same = {row.query_id: first.setdefault(plain_question(row.text), row.query_id) for row in evaluation.per_query}
    return [(same[row.query_id], row.judged) for row in evaluation.per_query if row.judged and row.judged.signals]


def calibrate(judged: Judged, shipped: Calibration, *, scale: bool = False) -> FittedCalibration:
    """Fit a calibration to all of these answers; with ``scale``, only the intercept and scale of the shipped one.

    Two numbers can be fitted to some dozens of answers, such as those to golden questions; all weights take hundreds.

    Each data set has the same weight, and each question within it. A signal without variation keeps its weight in
    ``shipped``: without a language model, nothing is learnt about verdicts. Quality is measured twice: by
    cross-validation over five folds, and, for several data sets, on each under a calibration fitted to the others.

    Raises:
        InvalidRequest: Too few answers are right, or too few are wrong.
        MissingPackage: scikit-learn is not installed.
    """
    everything = [answer for answers in judged.values() for _, answer in answers]
    fitting = _SCALE if scale else _WEIGHTS
    _require_both(everything, fitting)
    calibration = fitting.fit(_by_set(judged), shipped)
    sizes = tuple(
        FittedOn(dataset=name, questions=len(answers), right=sum(answer.sound for _, answer in answers))
        for name, answers in judged.items()
    )
    cross_validated = _out_of_fold(judged, shipped, fitting)
    filled = {name: answers for name, answers in judged.items() if answers}
    worth = [_worth(name, _OTHER_QUESTIONS, answers, cross_validated[name]) for name, answers in filled.items()]
    left_out = list(_left_out(filled, shipped, fitting))
    return FittedCalibration(
        calibration.model_copy(update={"fitted_on": sizes}),
        (*worth, *left_out),
        fmean(one.calibration_error for one in left_out) if left_out else None,
        _scale(_by_set(judged), shipped) if scale else None,
    )


def _left_out(judged: Judged, shipped: Calibration, fitting: _Fitting) -> Iterator[CalibrationQuality]:
    """The quality on each data set of a calibration fitted to the others, if those suffice for a fit."""
    for name, answers in judged.items():
        others = _by_set({other: rows for other, rows in judged.items() if other != name})
        if _has_both([answer for rows in others for answer in rows], fitting.least):
            elsewhere = fitting.fit(others, shipped)
            confidences = [elsewhere.confidence(answer.signals) for _, answer in answers]
            yield _worth(name, _OTHER_SETS, answers, confidences)


def calibration_summary(calibrated: FittedCalibration) -> dict[str, Any]:
    """The calibration and its quality as plain data."""
    return {
        "calibration": calibrated.calibration.model_dump(mode="json"),
        "worth": [asdict(one) for one in calibrated.worth],
        "left_out_error": calibrated.left_out_error,
        "scale": calibrated.scale,
    }


def calibration_table(calibrated: FittedCalibration) -> str:
    """The weights and their quality, for a terminal."""
    calibration = calibrated.calibration
    width = max(map(len, ("intercept", *calibration.weights)))
    lines = [f"{one.dataset}: {one.questions} answers, {one.right} of them right" for one in calibration.fitted_on]
    lines += [f"  {'intercept':<{width}}  {calibration.intercept:>8.3f}"]
    lines += [f"  {name:<{width}}  {weight:>8.3f}" for name, weight in calibration.weights.items()]
    lines += [f"{one.dataset}, fitted on {one.fitted_on}: {', '.join(_measures(one))}" for one in calibrated.worth]
    if calibrated.scale is not None:
        lines.append(_scale_line(*calibrated.scale) if calibrated.is_usable else _NO_SCALE)
    if calibrated.left_out_error is not None:
        error = figure("calibration_error", calibrated.left_out_error)
        lines.append(f"each data set left out in turn: calibration_error {error} on average")
    return "\n".join(lines)


def _scale_line(intercept: float, slope: float) -> str:
    return f"for the profile: answer: {{scale: {{intercept: {intercept}, slope: {slope}}}}}"


def _measures(worth: CalibrationQuality) -> Iterator[str]:
    for name, value in asdict(worth).items():
        if isinstance(value, float):
            yield f"{name} {figure(name, value)}"


def _by_set(judged: Judged) -> list[list[JudgedAnswer]]:
    return [[answer for _, answer in rows] for rows in judged.values() if rows]


def _fitted(sets: Sequence[Sequence[JudgedAnswer]], shipped: Calibration) -> Calibration:
    """Fit a calibration to the signals that are present and vary."""
    answers = [answer for rows in sets for answer in rows]
    known = dict.fromkeys(name for answer in answers for name in answer.signals)
    names = [name for name in known if len({answer.signals.get(name, 0.0) for answer in answers}) > 1]
    rows = [[answer.signals.get(name, 0.0) for name in names] for answer in answers]
    counts = [len(answers) / len(sets) / len(rows) for rows in sets for _ in rows]
    intercept, fitted = fit_logistic(rows, [answer.sound for answer in answers], counts)
    weights = {**shipped.weights, **dict(zip(names, fitted, strict=True))}
    rounded = {name: round(weight, 4) for name, weight in weights.items()}
    return Calibration(intercept=round(intercept, 4), weights=rounded)


def _scaled(sets: Sequence[Sequence[JudgedAnswer]], shipped: Calibration) -> Calibration:
    """The shipped calibration with the intercept and slope that fit best."""
    return shipped.scaled(*_scale(sets, shipped))


def _scale(sets: Sequence[Sequence[JudgedAnswer]], shipped: Calibration) -> tuple[float, float]:
    """The intercept and slope that fit best (Platt scaling)."""
    answers = [answer for rows in sets for answer in rows]
    counts = [len(answers) / len(sets) / len(rows) for rows in sets for _ in rows]
    scores = [[shipped.score(answer.signals)] for answer in answers]
    intercept, [slope] = fit_logistic(scores, [answer.sound for answer in answers], counts)
    return round(intercept, 2), round(slope, 2)


@dataclass(frozen=True, slots=True)
class _Fitting:
    """A way to fit, and how many right and how many wrong answers it takes."""

    fit: Callable[[Sequence[Sequence[JudgedAnswer]], Calibration], Calibration]
    least: int


_WEIGHTS = _Fitting(_fitted, _LEAST)
_SCALE = _Fitting(_scaled, 5)


def _out_of_fold(judged: Judged, shipped: Calibration, fitting: _Fitting) -> dict[str, list[float]]:
    """The confidence of each answer under a calibration fitted to the other four folds.

    Where these have answers of one kind alone, nothing can be fitted to them, and the shipped calibration stands.
    """
    folds = {name: _folds(answers) for name, answers in judged.items()}
    parts: list[Callable[[JudgedAnswer], float]] = []
    for part in range(_FOLDS):
        rest = _by_set({name: [row for row in rows if folds[name][row[0]] != part] for name, rows in judged.items()})
        fittable = _has_both([answer for rows in rest for answer in rows], 1)
        fitted = fitting.fit(rest, shipped) if fittable else shipped
        parts.append(lambda answer, fitted=fitted: fitted.confidence(answer.signals))  # type: ignore[misc]
    return {name: [parts[folds[name][query]](answer) for query, answer in answers] for name, answers in judged.items()}


def _folds(answers: Answered) -> dict[str, int]:
    """Return the fold of each question: right and wrong ones are dealt out evenly, for few may be of one kind."""
    kinds: dict[str, bool] = {}
    for query, answer in answers:
        kinds.setdefault(query, answer.sound)
    dealt = sorted(kinds, key=lambda query: (kinds[query], hashlib.sha256(query.encode()).digest()))
    return {query: place % _FOLDS for place, query in enumerate(dealt)}


def _worth(dataset: str, fitted_on: str, answers: Answered, confidences: Sequence[float]) -> CalibrationQuality:
    sound = [answer.sound for _, answer in answers]
    answerable = [answer.answerable for _, answer in answers]
    right = list(compress(confidences, sound))
    others = list(compress(confidences, (not known for known in answerable)))
    found = best_threshold(right, others) if right and others else None
    return CalibrationQuality(
        dataset=dataset,
        fitted_on=fitted_on,
        abstention_auroc=auroc(confidences, answerable) if len(set(answerable)) == 2 else None,
        confidence_auroc=auroc(confidences, sound) if len(set(sound)) == 2 else None,
        calibration_error=calibration_error(confidences, sound),
        aurc=area_under_risk(confidences, sound),
        declinable=found.declined if found else None,
        declinable_below=found.threshold if found else None,
    )


def _has_both(answers: Sequence[JudgedAnswer], least: int) -> bool:
    return min(_kinds(answers)) >= least


def _kinds(answers: Sequence[JudgedAnswer]) -> tuple[int, int]:
    right = sum(answer.sound for answer in answers)
    return right, len(answers) - right


def _require_both(answers: Sequence[JudgedAnswer], fitting: _Fitting) -> None:
    if not _has_both(answers, fitting.least):
        right, wrong = _kinds(answers)
        problem = (
            f"{right} answers are right and {wrong} wrong, and at least {fitting.least} of each are needed; add "
            'questions with "answers" (documents alone do not tell), and some that the documents do not answer'
        )
        if fitting is _WEIGHTS and _has_both(answers, _SCALE.least):
            problem += "; or fit the scale alone (--scale), for which these suffice"
        raise InvalidRequest(Problem("datasets", problem))
