"""The measures of two evaluations as functions of resampling counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipelines.evaluation import bootstrap
from pipelines.evaluation.bootstrap import Statistic
from pipelines.evaluation.evaluate import QueryRow
from pipelines.evaluation.metrics import JudgedAnswer, calibration_bins

Pair = tuple[QueryRow, QueryRow]
Answers = Sequence[JudgedAnswer]
Measures = Mapping[str, tuple[Callable[[Answers], int], Callable[[Answers], Statistic]]]
"""By name: how many questions it rests on, and the measure."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A measure of both systems over the questions for which both have it; ``groups`` has a number for each.

    Counting every question once gives what ``evaluate`` reports. ``questions`` is how many of them the measure rests
    on: the others are drawn with them, and change nothing.
    """

    measure: str
    first: Statistic
    second: Statistic
    groups: tuple[int, ...]
    questions: int


def samples(pairs: Sequence[Pair]) -> Iterator[Sample]:
    """Yield each measure for which there is something in both."""
    yield from _rankings(pairs)
    yield from _times("query", [(a.query_ms, b.query_ms) for a, b in pairs])
    yield from _answers([(a.judged, b.judged) for a, b in pairs if a.judged and b.judged])
    yield from _times("answer", [(a.answer_ms, b.answer_ms) for a, b in pairs])


def _rankings(pairs: Sequence[Pair]) -> Iterator[Sample]:
    ranked = [(a.metrics, b.metrics) for a, b in pairs if a.metrics and b.metrics]
    for name in ranked[0][0] if ranked else ():
        first, second = ([row[name] for row in side] for side in zip(*ranked, strict=True))
        yield Sample(name, bootstrap.mean(first), bootstrap.mean(second), (0,) * len(ranked), len(ranked))


def _times(what: str, times: Sequence[tuple[float | None, float | None]]) -> Iterator[Sample]:
    timed = [(a, b) for a, b in times if a is not None and b is not None]
    if not timed:
        return
    first, second = zip(*timed, strict=True)
    for name, share in ((f"{what}_p50_ms", 0.50), (f"{what}_p95_ms", 0.95)):
        groups = (0,) * len(timed)
        yield Sample(name, bootstrap.quantile(first, share), bootstrap.quantile(second, share), groups, len(timed))


def _answers(judged: Sequence[tuple[JudgedAnswer, JudgedAnswer]]) -> Iterator[Sample]:
    """The measures of the answers, as ``answer_metrics`` defines them."""
    if answerable := [pair for pair in judged if pair[0].answerable]:
        yield from _measured(answerable, _OF_ANSWERABLE)
        yield from _measured(judged, _OF_ALL)
    elif judged:
        yield from _measured(judged, {"declined": _OF_ALL["declined"]})


def _measured(judged: Sequence[tuple[JudgedAnswer, JudgedAnswer]], measures: Measures) -> Iterator[Sample]:
    first, second = (list(side) for side in zip(*judged, strict=True))
    groups = tuple(int(answer.answerable) for answer in first)
    for name, (count, measure) in measures.items():
        if questions := min(count(first), count(second)):
            yield Sample(name, measure(first), measure(second), groups, questions)


def _words(answers: Answers) -> Statistic:
    given = [float(not answer.abstained) for answer in answers]
    return bootstrap.ratio([answer.words * one for answer, one in zip(answers, given, strict=True)], given)


def _precision(answers: Answers) -> Statistic:
    return bootstrap.ratio([answer.verbatim for answer in answers], [answer.citations for answer in answers])


def _declined(answers: Answers) -> Statistic:
    unanswerable = [float(not answer.answerable) for answer in answers]
    declined = [one * answer.abstained for answer, one in zip(answers, unanswerable, strict=True)]
    return bootstrap.ratio(declined, unanswerable)


def _abstention(answers: Answers) -> Statistic:
    return bootstrap.area([answer.confidence for answer in answers], [answer.answerable for answer in answers])


def _calibration(answers: Answers) -> Statistic:
    places = iter(calibration_bins([answer.confidence for answer in answers if not answer.abstained]))
    bins = [None if answer.abstained else next(places) for answer in answers]
    return bootstrap.binned_error([answer.confidence - answer.sound for answer in answers], bins)


def _risk(answers: Answers) -> Statistic:
    given = [not answer.abstained for answer in answers]
    return bootstrap.risk([answer.confidence for answer in answers], [not answer.sound for answer in answers], given)


def _given(answers: Answers) -> int:
    return sum(not answer.abstained for answer in answers)


def _cited(answers: Answers) -> int:
    return sum(answer.citations > 0 for answer in answers)


def _unanswerable(answers: Answers) -> int:
    return sum(not answer.answerable for answer in answers)


def _of_either_kind(answers: Answers) -> int:
    """The number of answerable questions or of the others, whichever is smaller."""
    return min(_unanswerable(answers), len(answers) - _unanswerable(answers))


_OF_ANSWERABLE: Measures = {
    "answer_hit_rate": (len, lambda answers: bootstrap.mean([answer.right for answer in answers])),
    "token_f1": (len, lambda answers: bootstrap.mean([answer.f1 for answer in answers])),
    "answer_words": (_given, _words),
}
_OF_ALL: Measures = {
    "citation_precision": (_cited, _precision),
    "declined": (_unanswerable, _declined),
    "abstention_auroc": (_of_either_kind, _abstention),
    "calibration_error": (_given, _calibration),
    "aurc": (_given, _risk),
}
