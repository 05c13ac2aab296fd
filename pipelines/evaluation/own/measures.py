"""Measures of the answers to questions on own documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from pipelines.evaluation.datasets import plain_question
from pipelines.evaluation.evaluate import latency
from pipelines.evaluation.metrics import JudgedAnswer, auroc, calibration_chance, calibration_error
from pipelines.evaluation.own.run import OwnEvaluation, OwnRow
from pipelines.evaluation.thresholds import MOST_LOST, best_threshold

ANSWERABLE = "answerable"
UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of the answers to one kind of question; ``words`` is the mean length of the given answers."""

    kind: str
    asked: int
    right: int
    wrong: int
    missed: int
    declined: int
    markup: int
    cut_off: int
    words: float | None


def tallies(rows: Sequence[OwnRow]) -> list[Tally]:
    """Return a tally of each kind of question, then of all answerable ones, then of the unanswerable ones."""
    answerable = [row for row in rows if row.question.is_answerable]
    kinds = dict.fromkeys(row.question.kind for row in answerable)
    parts = [_tally(kind, [row for row in answerable if row.question.kind == kind]) for kind in kinds]
    unanswerable = [row for row in rows if not row.question.is_answerable]
    return [*parts, _tally(ANSWERABLE, answerable), _tally(UNANSWERABLE, unanswerable)]


def own_metrics(evaluation: OwnEvaluation) -> dict[str, float]:
    """Return the measures, in the order in which they are printed, without what the questions cannot tell.

    Confidence is measured with abstaining off: an answer that is not right counts as wrong, also that to an
    unanswerable question.
    """
    rows = evaluation.rows
    return {
        **_shares(rows),
        **_of_confidence(rows),
        **latency("answer", [row.ms for row in rows]),
        "chunks": evaluation.chunks,
        "ingest_seconds": evaluation.ingest_seconds,
        "chunks_per_second": evaluation.chunks / evaluation.ingest_seconds,
    }


def own_judged(evaluation: OwnEvaluation) -> list[tuple[str, JudgedAnswer]]:
    """Return the answers with abstaining off, for a calibration, as ``calibrate.judged_answers`` does."""
    first: dict[str, str] = {}
    ids = (first.setdefault(plain_question(row.question.question), row.question.id) for row in evaluation.rows)
    return [(name, _judged(row)) for name, row in zip(ids, evaluation.rows, strict=True) if row.signals]


def _tally(kind: str, rows: Sequence[OwnRow]) -> Tally:
    came_to: Mapping[str, int] = Counter(row.outcome for row in rows)
    words = [len(row.answer.split()) for row in rows if not row.abstained]
    return Tally(
        kind=kind,
        asked=len(rows),
        right=came_to["right"],
        wrong=came_to["wrong"],
        missed=came_to["missed"],
        declined=came_to["declined"],
        markup=sum(bool(row.markup) for row in rows),
        cut_off=sum(row.cut_off for row in rows),
        words=fmean(words) if words else None,
    )


def _shares(rows: Sequence[OwnRow]) -> dict[str, float]:
    answerable = [row for row in rows if row.question.is_answerable]
    others = [row for row in rows if not row.question.is_answerable]
    given = [row for row in rows if not row.abstained]
    right = [row for row in rows if row.right_undeterred]
    shares: dict[str, float] = {}
    if answerable:
        shares |= {name: fmean(row.outcome == name for row in answerable) for name in ("right", "wrong", "missed")}
    if others:
        shares["declined"] = fmean(row.abstained for row in others)
    if right:
        shares["right_lost"] = fmean(row.abstained for row in right)
    if given:
        shares["markup_shown"] = fmean(bool(row.markup) for row in given)
        shares["cut_off"] = fmean(row.cut_off for row in given)
        shares["answer_words"] = fmean(len(row.answer.split()) for row in given)
    return shares


def _of_confidence(rows: Sequence[OwnRow]) -> dict[str, float]:
    confidences, right = [row.confidence for row in rows], [row.right_undeterred for row in rows]
    metrics: dict[str, float] = {}
    if len(set(right)) == 2:
        metrics["confidence_auroc"] = auroc(confidences, right)
    if rows:
        metrics["calibration_error"] = calibration_error(confidences, right)
        metrics["calibration_chance"] = calibration_chance(confidences)
    others = [row.confidence for row in rows if not row.question.is_answerable]
    if any(right) and others:
        kept = [row.confidence for row in rows if row.right_undeterred]
        found = best_threshold(kept, others, MOST_LOST)
        metrics |= {"declinable": found.declined, "declinable_below": found.threshold}
    return metrics


def _judged(row: OwnRow) -> JudgedAnswer:
    return JudgedAnswer(
        answerable=row.question.is_answerable,
        abstained=False,
        confidence=row.confidence,
        right=row.right_undeterred,
        f1=0.0,
        words=len(row.undeterred.split()),
        citations=0,
        verbatim=0,
        sound=row.right_undeterred,
        signals=row.signals,
        degraded=row.degraded,
    )
