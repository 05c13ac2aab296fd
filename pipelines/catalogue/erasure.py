"""Takes out of a tenant's tables what they say of a document that is purged, in the transaction that purges it.

Answers and turns that were made of the document lose their words, questions included. Questions that were only counted
have no such link: they go where they repeat the document, see `Mentions`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.comments import erase_comments, erase_lost_comments
from pipelines.catalogue.job_files import PURGED, storable
from pipelines.catalogue.job_progress import WAITING
from pipelines.catalogue.mentions import Mentions
from pipelines.catalogue.tables import (
    AnswerRow,
    DocumentRow,
    DocumentUseRow,
    EmbeddingRow,
    ExtractRow,
    JobFileRow,
    QueryUseRow,
    TurnRow,
    UnansweredRow,
    VersionRow,
)
from pipelines.catalogue.turns import ERASED_QUESTION, TurnKey, erase_lost, erase_turns, lost_turns
from pipelines.catalogue.usage import counted_question

_ROWS_AT_ONCE = 1000


class Erasure:
    """What the tables say of one document; made before its rows go, for it remembers their names and texts.

    The caller commits.
    """

    def __init__(self, session: Session, tenant: str, document_id: str) -> None:
        self._session = session
        self._tenant = tenant
        self._document_id = document_id
        self._sources = self._known("source") | {document_id}
        self._mentions = Mentions(self._sources | self._known("title"), self._texts())

    def run(self) -> dict[str, int]:
        """Erase everything and count the rows, by what they were; the versions and chunks are the caller's."""
        answers, asked = self._erase_answers()
        turns, questions = self._erase_turns()
        return {
            "answers": len(answers),
            "turns": turns,
            "comments": self._erase_comments(answers),
            "questions": self._erase_questions(asked | questions),
            "uses": self._delete(DocumentUseRow),
            "embeddings": self._delete(EmbeddingRow),
            "extracts": self._delete(ExtractRow),
            "job_files": self._erase_job_files(),
        }

    def _known(self, column: str) -> set[str]:
        """Return the values that a column has in the rows of the document and of its versions."""
        found: set[str] = set()
        for table in (DocumentRow, VersionRow):
            mine = (table.tenant == self._tenant, table.document_id == self._document_id)
            found.update(self._session.scalars(sa.select(getattr(table, column)).where(*mine)))
        return found

    def _texts(self) -> Iterator[str]:
        mine = (VersionRow.tenant == self._tenant, VersionRow.document_id == self._document_id)
        return iter(self._session.scalars(sa.select(VersionRow.text).where(*mine)))

    def _erase_answers(self) -> tuple[set[str], set[str]]:
        """Erase the answers made of the document, or asked about it by name; return their ids and questions."""
        columns = (AnswerRow.answer_id, AnswerRow.question, AnswerRow.sources, AnswerRow.citations)
        ids, questions = set(), set()
        for answer_id, question, sources, citations in self._rows(AnswerRow, *columns):
            if self._has_source(sources) or self._mentions.found_in(question):
                ids.add(answer_id)
                questions.add(question)
                self._update_answer(answer_id, sources, citations)
        return ids, questions

    def _has_source(self, sources: Iterable[Any]) -> bool:
        return any(document_id == self._document_id for document_id, _ in sources)

    def _update_answer(self, answer_id: str, sources: Iterable[Any], citations: Iterable[Any]) -> None:
        values = {
            "question": ERASED_QUESTION,
            "asked": {},
            "sources": [source for source in sources if source[0] != self._document_id],
            "citations": [citation for citation in citations if citation[1] != self._document_id],
        }
        mine = (AnswerRow.tenant == self._tenant, AnswerRow.answer_id == answer_id)
        self._session.execute(sa.update(AnswerRow).where(*mine).values(values))

    def _erase_turns(self) -> tuple[int, set[str]]:
        """Erase the turns made of the document, or asked about it by name; return how many, and their questions."""
        lost = lost_turns(self._session, self._tenant, [self._document_id])
        columns = (TurnRow.owner, TurnRow.conversation_id, TurnRow.number, TurnRow.question, TurnRow.rewritten_question)
        questions: dict[TurnKey, str] = {}
        for owner, conversation_id, number, *texts in self._rows(TurnRow, *columns):
            key = (self._tenant, owner, conversation_id, number)
            if key in lost or self._mentions.found_in(*texts):
                questions[key] = texts[0]
        erase_turns(self._session, questions, question=ERASED_QUESTION)
        erase_lost(self._session, self._tenant, [self._document_id])
        return len(questions), set(questions.values())

    def _erase_comments(self, answers: Collection[str]) -> int:
        lost = erase_lost_comments(self._session, self._tenant, [self._document_id])
        return lost + erase_comments(self._session, self._tenant, answers)

    def _erase_questions(self, asked: Iterable[str]) -> int:
        """Take counted questions out: those that were asked of the document, and those that repeat it."""
        keys = {counted_question(question)[1] for question in asked}
        return sum(self._erase_counted(table, keys) for table in (QueryUseRow, UnansweredRow))

    def _erase_counted(self, table: type[QueryUseRow] | type[UnansweredRow], keys: set[bytes]) -> int:
        rows = self._rows(table, table.key, table.query)
        going = {key for key, query in rows if bytes(key) in keys or self._mentions.found_in(query)}
        return sum(self._delete(table, table.key == key) for key in going)

    def _erase_job_files(self) -> int:
        """Forget what jobs know of the document; an offer that waits fails, for it came before the purge."""
        paths = {storable(source) for source in self._sources}
        erased = self._erase_job_file(JobFileRow.path.in_(paths), JobFileRow.offered.is_(sa.null()))
        for job_id, number in self._offers(paths):
            erased += self._erase_job_file(JobFileRow.job_id == job_id, JobFileRow.number == number)
        return erased

    def _erase_job_file(self, *which: sa.ColumnElement[bool]) -> int:
        waiting = sa.case((JobFileRow.state == WAITING, "failed"), else_=JobFileRow.state)
        values: Mapping[str, Any] = {"path": PURGED, "state": waiting, "reason": None}
        mine = sa.update(JobFileRow).where(JobFileRow.tenant == self._tenant, *which)
        return _count(self._session.execute(mine.values(**values, offered=sa.null(), content=sa.null())))

    def _offers(self, paths: Collection[str]) -> list[tuple[str, int]]:
        """Find the offers that wait: those with its id, and those without an id that have one of its paths."""
        # As text: PostgreSQL parses no JSON with characters that it cannot store, which an offer may hold.
        written = sa.cast(JobFileRow.offered, sa.Text).contains(json.dumps(self._document_id), autoescape=True)
        some = sa.or_(JobFileRow.path.in_(paths), written)
        columns = (JobFileRow.job_id, JobFileRow.number, JobFileRow.path, JobFileRow.offered)
        query = sa.select(*columns).where(JobFileRow.tenant == self._tenant, JobFileRow.offered.is_not(sa.null()), some)
        found = []
        for job_id, number, path, offered in self._session.execute(query):
            named = offered["document_id"]
            if named == self._document_id or (named is None and path in paths):
                found.append((job_id, number))
        return found

    def _rows(self, table: Any, *columns: Any) -> Iterator[Any]:
        query = sa.select(*columns).where(table.tenant == self._tenant)
        return iter(self._session.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)).all())

    def _delete(self, table: Any, *among: Any) -> int:
        """Take rows out: those of ``among``, by default those of the document."""
        which = among or (table.document_id == self._document_id,)
        return _count(self._session.execute(sa.delete(table).where(table.tenant == self._tenant, *which)))


def _count(result: Any) -> int:
    return int(result.rowcount)
