"""Figures of the answers that were given with each prompt, from SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.answers import AnswerLog
from pipelines.catalogue.database import Database
from pipelines.catalogue.tables import AnswerRow, FeedbackRow

Among = tuple[sa.ColumnElement[bool], ...]
Thumbs = dict[tuple[str | None, str | None, bool | None], int]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of the answers with one variant and one wording of its prompt, which is known by its fingerprint.

    ``confidence`` is their mean, ``median_ms`` the median of what they took, in milliseconds. The three verdicts are
    counted in claims that the model wrote, the thumbs in users.
    """

    variant: str | None
    prompt: str
    answers: int
    abstained: int
    degraded: int
    confidence: float
    supported: int
    partial: int
    unsupported: int
    helpful: int
    not_helpful: int
    median_ms: float


class Trials(Database):
    """Reads the trials of one tenant; raises StoreUnavailable as the catalogue's methods do.

    Args:
        answers: The answers.
    """

    def __init__(self, answers: AnswerLog) -> None:
        super().__init__(answers.engine, answers.tenant)
        self._answers = answers

    def list(self, scope: str | None) -> list[Trial]:
        """Return the trials of one scope's answers, or of everybody's where that is None."""
        self._answers.flush()
        seen: Among = (
            AnswerRow.tenant == self._tenant,
            AnswerRow.created_at >= self._answers.since,
            AnswerRow.prompt.is_not(None),
        )
        if scope is not None:
            seen = (*seen, AnswerRow.scope == scope)
        with self._session() as session:
            thumbs = _thumbs(session, seen)
            return [_trial(session, seen, group, thumbs) for group in _groups(session, seen)]


def _groups(session: Session, seen: Among) -> list[Any]:
    query = sa.select(
        AnswerRow.variant,
        AnswerRow.prompt,
        sa.func.count(),
        sa.func.count(sa.case((AnswerRow.abstained, 1))),
        sa.func.count(sa.case((AnswerRow.degraded, 1))),
        sa.func.avg(AnswerRow.confidence),
        *(_claims(verdict) for verdict in (AnswerRow.supported, AnswerRow.partial, AnswerRow.unsupported)),
    )
    return list(session.execute(query.where(*seen).group_by(AnswerRow.variant, AnswerRow.prompt)))


def _claims(verdict: Any) -> Any:
    """Return how many claims of the model's got a verdict; extracts in place of its answer are verbatim, and say
    nothing.
    """
    return sa.func.sum(sa.case((AnswerRow.llm_generated, verdict), else_=0))


def _thumbs(session: Session, seen: Among) -> Thumbs:
    """Return how many thumbs point up, and how many down, by variant and prompt."""
    joined = sa.and_(FeedbackRow.tenant == AnswerRow.tenant, FeedbackRow.answer_id == AnswerRow.answer_id)
    key = (AnswerRow.variant, AnswerRow.prompt, FeedbackRow.helpful)
    query = sa.select(*key, sa.func.count()).join_from(AnswerRow, FeedbackRow, joined)
    found = session.execute(query.where(*seen, FeedbackRow.helpful.is_not(None)).group_by(*key))
    return {(variant, prompt, helpful): count for variant, prompt, helpful, count in found}


def _trial(session: Session, seen: Among, group: Any, thumbs: Thumbs) -> Trial:
    variant, prompt, answers, abstained, degraded, confidence, *verdicts = group
    supported, partial, unsupported = map(int, verdicts)
    up, down = (thumbs.get((variant, prompt, way), 0) for way in (True, False))
    same = (AnswerRow.variant.is_not_distinct_from(variant), AnswerRow.prompt == prompt)
    median = _median(session, (*seen, *same), answers)
    return Trial(
        variant=variant,
        prompt=prompt,
        answers=answers,
        abstained=abstained,
        degraded=degraded,
        confidence=confidence,
        supported=supported,
        partial=partial,
        unsupported=unsupported,
        helpful=up,
        not_helpful=down,
        median_ms=median,
    )


def _median(session: Session, among: Among, count: int) -> float:
    """Return the one in the middle, or the mean of the two that are."""
    query = sa.select(AnswerRow.took_ms).where(*among).order_by(AnswerRow.took_ms)
    middle = session.scalars(query.offset((count - 1) // 2).limit(2 - count % 2)).all()
    return sum(middle) / len(middle) if middle else 0.0
