"""The run of an evaluation on own documents: ingest the files as they are, ask, and judge what the user sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter

from pipelines.evaluation.engines import EvaluatedEngine, foreign_profile, without_abstention
from pipelines.evaluation.indexing import Report, index, report_nothing
from pipelines.evaluation.metrics import shown_text
from pipelines.evaluation.own.dataset import OwnDocuments, OwnQuestion
from pipelines.evaluation.own.judge import Outcome, code_of, is_cut_off, is_right, outcome
from pipelines.evaluation.own.markup import markup_shown
from pipelines.profile.loader import LoadedProfile
from pipelines.types import Answer, IngestResult

OpenOn = Callable[[LoadedProfile], AbstractContextManager[EvaluatedEngine]]
"""Opens an engine with a profile; each time over the same data folder."""

_WARMING_UP = "What does the first question of an engine load?"


@dataclass(frozen=True, slots=True)
class OwnRow:
    """The outcome of one question.

    Attributes:
        question: What was asked.
        answer: The text that the user sees, without citation numbers.
        outcome: What it is worth. An answer to an unanswerable question is wrong.
        markup: The kinds of source markup that the answer shows.
        cut_off: Whether it ends in a lead-in whose list, table or code is missing.
        cited: The documents that it cites.
        confidence: Of the answer, in 0..1.
        signals: What the confidence was computed from.
        undeterred: The answer with abstaining off.
        right_undeterred: Whether that one is right.
        ms: How long the answer took.
        degraded: Whether the profile's language model was to write it, and could not.
    """

    question: OwnQuestion
    answer: str
    outcome: Outcome
    markup: tuple[str, ...]
    cut_off: bool
    cited: tuple[str, ...]
    confidence: float
    signals: Mapping[str, float]
    undeterred: str
    right_undeterred: bool
    ms: float
    degraded: bool = False

    @property
    def abstained(self) -> bool:
        """Whether no answer was given."""
        return self.outcome in ("missed", "declined")


@dataclass(frozen=True, slots=True)
class OwnEvaluation:
    """The answers of a profile to the questions of a corpus, or of several together."""

    dataset: str
    tenant: str
    abstain_below: float
    rows: tuple[OwnRow, ...]
    chunks: int
    ingest_seconds: float
    failed: tuple[IngestResult, ...] = field(default=())


def evaluate_own(
    open_on: OpenOn, loaded: LoadedProfile, documents: OwnDocuments, progress: Report | None = None
) -> OwnEvaluation:
    """Measure a profile on own documents.

    Each question is asked with the profile's own threshold. What it abstains from is asked again with abstaining off:
    only so is it known whether the threshold cost a right answer.

    Args:
        open_on: Opens an engine over a data folder that is empty at first.
        loaded: The profile.
        documents: What to ingest and to ask.
        progress: Called with the stage, how much of it is done, and the total where it is known.

    Raises:
        Conflict: The data folder holds documents already.
        InvalidRequest: No file could be ingested.
    """
    report = progress or report_nothing
    profile = foreign_profile(loaded)
    with open_on(profile) as engine:
        size, failed = index(engine, documents.name, documents.files, report)
        rows = _ask_all(engine, documents.questions, report)
    if any(row.abstained for row in rows):
        with open_on(without_abstention(profile)) as engine:
            rows = [_record_errors(engine, row) if row.abstained else row for row in rows]
    return OwnEvaluation(
        dataset=documents.name,
        tenant=loaded.profile.tenant,
        abstain_below=loaded.profile.answer.abstain_below,
        rows=tuple(rows),
        chunks=int(size["chunks"]),
        ingest_seconds=size["ingest_seconds"],
        failed=failed,
    )


def together(name: str, evaluations: Sequence[OwnEvaluation]) -> OwnEvaluation:
    """Several evaluations under one profile as one; the ids of the questions begin with their corpus."""
    first = evaluations[0]
    return OwnEvaluation(
        dataset=name,
        tenant=first.tenant,
        abstain_below=first.abstain_below,
        rows=tuple(_named(one.dataset, row) for one in evaluations for row in one.rows),
        chunks=sum(one.chunks for one in evaluations),
        ingest_seconds=sum(one.ingest_seconds for one in evaluations),
        failed=tuple(result for one in evaluations for result in one.failed),
    )


def _named(corpus: str, row: OwnRow) -> OwnRow:
    return replace(row, question=row.question.model_copy(update={"id": f"{corpus}/{row.question.id}"}))


def _ask_all(engine: EvaluatedEngine, questions: Sequence[OwnQuestion], report: Report) -> list[OwnRow]:
    engine.answer(_WARMING_UP)
    content, blocks = lru_cache(maxsize=64)(engine.content), lru_cache(maxsize=64)(engine.blocks)
    rows = []
    for done, question in enumerate(questions, 1):
        started = perf_counter()
        answer = engine.answer(question.question)
        ms = (perf_counter() - started) * 1000
        code = list(code_of(answer, blocks, content))
        rows.append(_row(question, answer, code, ms))
        report("answer", done, len(questions))
    return rows


def _row(question: OwnQuestion, answer: Answer, code: Sequence[str], ms: float) -> OwnRow:
    text = shown_text(answer)
    return OwnRow(
        question=question,
        answer=text,
        outcome=outcome(question, answer),
        markup=() if answer.abstained else markup_shown(text, code),
        cut_off=is_cut_off(answer),
        cited=tuple(dict.fromkeys(citation.document_id for citation in answer.citations)),
        confidence=answer.confidence,
        signals=answer.signals,
        undeterred=text,
        right_undeterred=is_right(question, answer),
        ms=ms,
        degraded=answer.degraded,
    )


def _record_errors(engine: EvaluatedEngine, row: OwnRow) -> OwnRow:
    answer = engine.answer(row.question.question)
    return replace(row, undeterred=shown_text(answer), right_undeterred=is_right(row.question, answer))
