"""Answers that were given, remembered without their text, so that feedback on them finds what it is about.

Giving an answer only adds to a dictionary; a thread of its own writes. Where other processes share the database, one of
them may give feedback on the answer, so it is written before it is returned.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.purges import find_purged
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import AnswerRow
from pipelines.catalogue.write_behind import WriteBehind
from pipelines.errors import Unavailable
from pipelines.types import Answer
from pipelines.types.footnote_numbers import versions_of

_MOST_WAITING = 10_000
_MOST_ASKED_CHARS = 10_000
_EXPIRE_EVERY_S = 3600.0
_log = logging.getLogger(__name__)


class AnswerLog(WriteBehind):
    """Remembers the answers of one tenant for a time; remembering never fails.

    Args:
        engine: The database.
        tenant: Whose answers they are.
        keep: For how long; not at all where that is no time.
        shared: Whether other processes write to the database too.
    """

    def __init__(self, engine: sa.Engine, tenant: str, keep: timedelta, *, shared: bool) -> None:
        super().__init__(engine, tenant, "answers")
        self._keep = keep
        self._shared = shared
        self._waiting: dict[str, dict[str, Any]] = {}
        self._expire_at = 0.0

    @property
    def kept(self) -> bool:
        """Whether answers are remembered at all."""
        return self._keep > timedelta()

    @property
    def since(self) -> datetime:
        """Answers from before are forgotten."""
        return now() - self._keep

    def record(
        self, scope: str, caller: str, answer: Answer, asked: Mapping[str, Any] | None = None, prompt: str | None = None
    ) -> None:
        """Remember an answer.

        Args:
            scope: That of who asked; "": the whole tenant.
            caller: Who asked; "": unknown.
            answer: What was answered.
            asked: Filters and scope that the question came with.
            prompt: The fingerprint of the prompt, where a language model was to write.
        """
        if not self.kept:
            return
        with self._lock:
            if len(self._waiting) < _MOST_WAITING:
                self._waiting[answer.answer_id] = self._row(scope, caller, answer, asked or {}, prompt)
        if self._shared:
            self._try()
        self._write_later()

    def expire(self) -> None:
        """Forget the answers whose time is over, with the feedback on them."""
        with self._session() as session, session.begin():
            old = (AnswerRow.tenant == self._tenant, AnswerRow.created_at < self.since)
            session.execute(sa.delete(AnswerRow).where(*old))

    def _try(self) -> None:
        try:
            self.flush()
        except Unavailable as error:
            _log.warning("%s: an answer could not be stored yet: %s", self._tenant, error.message)

    def _take(self) -> dict[str, dict[str, Any]]:
        waiting, self._waiting = self._waiting, {}
        return waiting

    def _put_back(self, waiting: Mapping[str, dict[str, Any]]) -> None:
        self._waiting = {**waiting, **self._waiting}

    def _write(self, waiting: Mapping[str, dict[str, Any]]) -> None:
        with self._session() as session, session.begin():
            session.execute(self._insert(AnswerRow).on_conflict_do_nothing(), list(waiting.values()))
            self._forget_purged(session, waiting)
        if time.monotonic() >= self._expire_at:
            self._expire_at = time.monotonic() + _EXPIRE_EVERY_S
            self.expire()

    def _forget_purged(self, session: Session, waiting: Mapping[str, dict[str, Any]]) -> None:
        """Forget answers that were being written while one of their documents was purged."""
        made = {name: {document_id for document_id, _ in row["sources"]} for name, row in waiting.items()}
        purged = find_purged(session, self._tenant, set().union(*made.values()))
        lost = [name for name, document_ids in made.items() if document_ids & purged]
        mine = (AnswerRow.tenant == self._tenant, AnswerRow.answer_id.in_(lost))
        session.execute(sa.delete(AnswerRow).where(*mine))

    def _row(
        self, scope: str, caller: str, answer: Answer, asked: Mapping[str, Any], prompt: str | None
    ) -> dict[str, Any]:
        verdicts = Counter(claim.verdict for claim in answer.claims)
        read = versions_of((*answer.sources, *answer.citations))
        return {
            "tenant": self._tenant,
            "answer_id": answer.answer_id,
            "scope": scope,
            "caller": caller,
            "conversation_id": answer.conversation_id,
            "question": answer.question.replace("\0", " "),
            "follow_up": answer.rewritten_question is not None,
            "asked": _storable(asked),
            "abstained": answer.abstained,
            "reason": answer.reason,
            "confidence": answer.confidence,
            "model": answer.model,
            "llm_generated": answer.llm_generated,
            "degraded": answer.degraded,
            "variant": answer.variant,
            "prompt": prompt,
            "snapshot": answer.snapshot,
            "citations": [
                [one.number, one.document_id, one.version, one.chunk_id, one.span.start, one.span.end]
                for one in answer.citations
            ],
            "sources": sorted([document_id, version] for document_id, version in read),
            "supported": verdicts["supported"],
            "partial": verdicts["partial"],
            "unsupported": verdicts["unsupported"],
            "took_ms": sum(answer.timings_ms.values()),
            "created_at": now(),
        }


def _storable(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked with, as JSON has it; nothing where that is longer than anybody writes."""
    text = json.dumps({name: value for name, value in asked.items() if value}, default=str)
    stored: dict[str, Any] = json.loads(text) if len(text) <= _MOST_ASKED_CHARS else {}
    return stored
