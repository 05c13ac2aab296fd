"""What users say of answers, in SQL; comments go with the documents that an answer was made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import log2
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.answers import AnswerLog
from pipelines.catalogue.comments import erase_lost_comments
from pipelines.catalogue.cursors import read_cursor, written_cursor
from pipelines.catalogue.database import Database, is_storable
from pipelines.catalogue.purges import hold_off_purges
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import AnswerRow, FeedbackRow, FeedbackSourceRow
from pipelines.errors import AnswerNotFound, FeedbackNotFound, InvalidRequest, Problem
from pipelines.types import CitationMark, Feedback, FeedbackPage, FeedbackTotals, JudgedCitation, Span, Unlabelled

_MOST_UNLABELLED = 5000  # answers, the latest
_JOINED = sa.and_(FeedbackRow.tenant == AnswerRow.tenant, FeedbackRow.answer_id == AnswerRow.answer_id)


class Opinions(Database):
    """Feedback on one tenant's answers; every method raises StoreUnavailable as the catalogue's do.

    Methods take the scope of who asks: of answers that were given to another one nothing is known there, and without a
    scope (None) everything is.

    Args:
        answers: The answers.
    """

    def __init__(self, answers: AnswerLog) -> None:
        super().__init__(answers.engine, answers.tenant)
        self._answers = answers

    def give(
        self,
        scope: str | None,
        caller: str,
        answer_id: str,
        *,
        helpful: bool | None,
        comment: str | None,
        marks: Sequence[CitationMark],
    ) -> Feedback:
        """Record a caller's feedback on an answer, replacing the same caller's earlier one.

        Raises:
            AnswerNotFound: No such answer is remembered.
            InvalidRequest: The answer has no citation of a number that is marked.
        """
        self._answers.flush()
        values = {
            "helpful": helpful,
            "comment": comment,
            "citations": [[mark.number, mark.correct, mark.comment] for mark in marks],
            "wrong": sum(not mark.correct for mark in marks),
            "erased": False,
            "updated_at": now(),
        }
        with self._session() as session, session.begin():
            hold_off_purges(session, self._tenant)
            answer = self._answer(session, scope, answer_id)
            _require_cited(answer, marks)
            key = {"tenant": self._tenant, "answer_id": answer_id, "caller": caller}
            insertion = self._insert(FeedbackRow).values(**key, **values, created_at=values["updated_at"])
            session.execute(insertion.on_conflict_do_update(index_elements=list(key), set_=values))
            if comment or any(mark.comment for mark in marks):
                self._watch(session, answer)
            row = session.get_one(FeedbackRow, (self._tenant, answer_id, caller))
            return _feedback(row, answer)

    def withdraw(self, scope: str | None, caller: str, answer_id: str) -> None:
        """Withdraw a caller's feedback on an answer.

        Raises:
            AnswerNotFound: No such answer is remembered.
            FeedbackNotFound: The caller gave none.
        """
        self._answers.flush()
        with self._session() as session, session.begin():
            self._answer(session, scope, answer_id)
            row = session.get(FeedbackRow, (self._tenant, answer_id, caller))
            if row is None:
                raise FeedbackNotFound(answer_id)
            session.delete(row)

    def list(
        self, scope: str | None, limit: int, cursor: str | None = None, helpful: bool | None = None
    ) -> FeedbackPage:
        """Return the feedback behind ``cursor``, the newest first; ``helpful``: only thumbs up, or only thumbs down.

        Raises:
            InvalidRequest: ``cursor`` is not a cursor issued by this API.
        """
        query = sa.select(FeedbackRow, AnswerRow).join(AnswerRow, _JOINED).where(*self._seen(scope))
        if helpful is not None:
            query = query.where(FeedbackRow.helpful == helpful)
        if cursor is not None:
            query = query.where(_behind(cursor))
        order = (FeedbackRow.updated_at.desc(), FeedbackRow.answer_id.desc(), FeedbackRow.caller.desc())
        with self._session() as session:
            rows = session.execute(query.order_by(*order).limit(limit + 1)).all()
        last = rows[limit - 1][0] if len(rows) > limit else None
        further = None if last is None else written_cursor(last.updated_at, f"{last.answer_id} {last.caller}")
        return FeedbackPage(tuple(_feedback(row, answer) for row, answer in rows[:limit]), further)

    def unlabelled(self, scope: str | None, limit: int) -> Sequence[Unlabelled]:
        """Return the questions of which nobody judged an answer, those first whose judgement would teach most."""
        self._answers.flush()
        judged = AnswerRow.answer_id.in_(sa.select(FeedbackRow.answer_id).where(FeedbackRow.tenant == self._tenant))
        latest = (
            sa.select(AnswerRow, judged)
            .where(*self._seen(scope), AnswerRow.follow_up.is_(False))
            .order_by(AnswerRow.created_at.desc())
        )
        asked: dict[tuple[str, str], list[AnswerRow]] = {}
        known: set[tuple[str, str]] = set()
        with self._session() as session:
            for row, is_judged in session.execute(latest.limit(_MOST_UNLABELLED)):
                question = (" ".join(row.question.casefold().split()), json.dumps(row.asked, sort_keys=True))
                asked.setdefault(question, []).append(row)
                if is_judged:
                    known.add(question)
        waiting = (rows for question, rows in asked.items() if question not in known and _rests_on_documents(rows[0]))
        return sorted(map(_unlabelled, waiting), key=lambda one: -one.worth)[:limit]

    def totals(self, scope: str | None) -> FeedbackTotals:
        """Return how many answers are remembered, and the feedback on them."""
        self._answers.flush()
        thumbs = [sa.func.count(sa.case((FeedbackRow.helpful == which, 1))) for which in (True, False)]
        query = sa.select(
            sa.func.count(AnswerRow.answer_id.distinct()), *thumbs, sa.func.coalesce(sa.func.sum(FeedbackRow.wrong), 0)
        )
        with self._session() as session:
            joined = query.select_from(AnswerRow).outerjoin(FeedbackRow, _JOINED)
            counts = session.execute(joined.where(*self._seen(scope))).one()
        return FeedbackTotals(*map(int, counts))

    def erase(self, document_id: str) -> None:
        """Erase the comments on answers made of versions of a document that are not kept any more."""
        with self._session() as session, session.begin():
            erase_lost_comments(session, self._tenant, [document_id])

    def _watch(self, session: Session, answer: AnswerRow) -> None:
        """Erase comments on an answer together with its sources and the earlier turns of its conversation."""
        made = {(document_id, version) for document_id, version in answer.sources}
        if answer.conversation_id is not None:
            named = (AnswerRow.tenant == self._tenant, AnswerRow.conversation_id == answer.conversation_id)
            others = session.scalars(sa.select(AnswerRow.sources).where(*named, AnswerRow.scope == answer.scope))
            made |= {(document_id, version) for sources in others for document_id, version in sources}
        key = {"tenant": self._tenant, "answer_id": answer.answer_id}
        rows = [{**key, "document_id": document_id, "version": version} for document_id, version in sorted(made)]
        if rows:
            session.execute(self._insert(FeedbackSourceRow).on_conflict_do_nothing(), rows)
            erase_lost_comments(session, self._tenant, sorted({document_id for document_id, _ in made}))

    def _answer(self, session: Session, scope: str | None, answer_id: str) -> AnswerRow:
        named = sa.select(AnswerRow).where(*self._seen(scope), AnswerRow.answer_id == answer_id)
        found = session.scalars(named).first() if is_storable(answer_id) else None
        if found is None:
            raise AnswerNotFound(answer_id.encode(errors="backslashreplace").decode())
        return found

    def _seen(self, scope: str | None) -> tuple[sa.ColumnElement[bool], ...]:
        alive = (AnswerRow.tenant == self._tenant, AnswerRow.created_at >= self._answers.since)
        return alive if scope is None else (*alive, AnswerRow.scope == scope)


def _behind(cursor: str) -> sa.ColumnElement[bool]:
    moment, name = read_cursor(cursor)
    answer_id, _, caller = name.partition(" ")
    when, which, who = FeedbackRow.updated_at, FeedbackRow.answer_id, FeedbackRow.caller
    same = sa.or_(which < answer_id, sa.and_(which == answer_id, who < caller))
    return sa.or_(when < moment, sa.and_(when == moment, same))


def _require_cited(answer: AnswerRow, marks: Iterable[CitationMark]) -> None:
    known = [number for number, *_ in answer.citations]
    known_numbers = f"it has {known[0]} to {known[-1]}" if known else "it cites nothing"
    wrong = [
        Problem(f"citations -> {place} -> number", f"the answer has no citation {mark.number}, {known_numbers}")
        for place, mark in enumerate(marks)
        if mark.number not in known
    ]
    if wrong:
        raise InvalidRequest(*wrong)


def _rests_on_documents(answer: AnswerRow) -> bool:
    """Return whether an answer quotes documents or says that they do not answer; a greeting's does neither."""
    return answer.abstained or bool(answer.sources)


def _unlabelled(answers: Sequence[AnswerRow]) -> Unlabelled:
    latest = answers[0]
    uncertain = 1 - abs(2 * latest.confidence - 1)
    return Unlabelled(
        question=latest.question,
        answer_id=latest.answer_id,
        count=len(answers),
        confidence=latest.confidence,
        abstained=latest.abstained,
        worth=uncertain * (1 + log2(len(answers))),
        filters=latest.asked.get("filters"),
        scope=latest.asked.get("scope"),
        answered_at=latest.created_at,
    )


def _feedback(row: FeedbackRow, answer: AnswerRow) -> Feedback:
    marks = {number: (correct, comment) for number, correct, comment in row.citations}
    held = json.loads(answer.scope) if answer.scope else None
    return Feedback(
        answer_id=row.answer_id,
        user=row.caller or None,
        helpful=row.helpful,
        comment=row.comment,
        citations=tuple(_judged(cited, marks) for cited in answer.citations),
        erased=row.erased,
        created_at=row.created_at,
        updated_at=row.updated_at,
        question=answer.question,
        follow_up=answer.follow_up,
        filters=answer.asked.get("filters"),
        scope=answer.asked.get("scope") or held,
        conversation_id=answer.conversation_id,
        abstained=answer.abstained,
        reason=answer.reason,
        confidence=answer.confidence,
        model=answer.model,
        variant=answer.variant,
        snapshot=answer.snapshot,
        asked_by=answer.caller or None,
        answered_at=answer.created_at,
    )


def _judged(cited: Sequence[Any], marks: dict[int, tuple[bool, str | None]]) -> JudgedCitation:
    number, document_id, version, chunk_id, start, end = cited
    correct, comment = marks.get(number, (None, None))
    return JudgedCitation(number, document_id, version, chunk_id, Span(start, end), correct, comment)
