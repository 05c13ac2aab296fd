"""What an attempt to carry a job out reads and writes; it counts only as long as no later attempt has begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session, undefer

from pipelines.catalogue.database import Database
from pipelines.catalogue.job_files import PURGED, PendingFile, pending_file, storable
from pipelines.catalogue.job_progress import ACTIVE, CANCELLING, WAITING, done_files, listed_files
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import JobFileRow, JobRow
from pipelines.types import FileProgress, JobKind

Standing = Literal["mine", "cancelled", "overtaken"]
"""Whether a job is still the attempt's, was asked to end, or is over or another attempt's."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The right to carry a job out, until an attempt of a higher number begins."""

    job_id: str
    kind: JobKind
    number: int
    accepted: int
    at_once: int = 1


class JobAttempts(Database):
    """Attempts at one tenant's jobs; every method raises StoreUnavailable when the database does not do its part."""

    def begin(self, job_id: str, before: int) -> Attempt | None:
        """Begin the attempt that follows number ``before``; None if another one did so, or the job is over.

        A job that was cancelled while no process ran it ends here.
        """
        mine = (*job_key(self._tenant, job_id), JobRow.attempt == before)
        with self._session() as session, session.begin():
            if moved(session, (*mine, JobRow.state == CANCELLING), state="cancelled", finished_at=now()):
                forget_pending(session, self._tenant, job_id)
                return None
            started = sa.func.coalesce(JobRow.started_at, sa.bindparam("started_at", now(), JobRow.started_at.type))
            taken = (*mine, JobRow.state.in_(("queued", "running")))
            if not moved(session, taken, state="running", attempt=before + 1, started_at=started):
                return None
            row = session.scalars(sa.select(JobRow).where(*job_key(self._tenant, job_id))).one()
            row.options = {**row.options, "begun": now().isoformat(), "before": done_files(session, row)}
            kind: Any = row.kind
            return Attempt(job_id, kind, row.attempt, row.accepted, row.options.get("at_once", 1))

    def standing(self, attempt: Attempt) -> Standing:
        """Return how the attempt stands."""
        with self._session() as session:
            return self._standing(session, attempt)

    def record(self, attempt: Attempt, files: Sequence[tuple[int, FileProgress]], total: int | None = None) -> Standing:
        """Write down what became of files, by their numbers in the job; nothing, if the attempt was overtaken.

        ``total`` is how many files there are in all, where that is news.
        """
        news: dict[str, Any] = {"attempt": attempt.number} | ({} if total is None else {"files_total": total})
        with self._session() as session, session.begin():
            if moved(session, self._mine(attempt), **news) and files:
                self._put(session, attempt, files)
            return self._standing(session, attempt)

    def finish(
        self, attempt: Attempt, state: Literal["done", "failed", "cancelled"], reason: str | None = None
    ) -> None:
        """End a job, unless the attempt was overtaken; what was not done of it is forgotten."""
        storable_reason = None if reason is None else storable(reason)
        with self._session() as session, session.begin():
            if moved(session, self._mine(attempt), state=state, reason=storable_reason, finished_at=now()):
                forget_pending(session, self._tenant, attempt.job_id)

    def pending(self, attempt: Attempt, after: int, most: int, size: int) -> list[PendingFile]:
        """Return the next files to be done behind number ``after``: at most ``most``, and beyond the first no more than
        ``size`` bytes of contents.
        """
        waiting = (*self._files(attempt), JobFileRow.state == WAITING, JobFileRow.number > after)
        lengths = sa.select(JobFileRow.number, sa.func.coalesce(sa.func.length(JobFileRow.content), 0))
        rows = sa.select(JobFileRow).options(undefer(JobFileRow.content)).order_by(JobFileRow.number)
        with self._session() as session:
            heads = session.execute(lengths.where(*waiting).order_by(JobFileRow.number).limit(most)).all()
            numbers = _that_fit([(number, length) for number, length in heads], size)
            found = session.scalars(rows.where(*self._files(attempt), JobFileRow.number.in_(numbers)))
            return [pending_file(row, attempt.accepted) for row in found]

    def files(self, attempt: Attempt) -> list[FileProgress]:
        """Return what is known of the job's files, in the order of their numbers."""
        with self._session() as session:
            return listed_files(session, self._tenant, attempt.job_id)

    def _standing(self, session: Session, attempt: Attempt) -> Standing:
        state = session.scalar(sa.select(JobRow.state).where(*self._mine(attempt)))
        return "overtaken" if state is None else "cancelled" if state == CANCELLING else "mine"

    def _put(self, session: Session, attempt: Attempt, files: Sequence[tuple[int, FileProgress]]) -> None:
        insert = self._insert(JobFileRow)
        changed = {name: insert.excluded[name] for name in ("state", "reason", "chunks", "bytes")}
        changed["path"] = sa.case((JobFileRow.path == PURGED, PURGED), else_=insert.excluded["path"])
        key = (JobFileRow.tenant, JobFileRow.job_id, JobFileRow.number)
        upsert = insert.on_conflict_do_update(
            index_elements=key, set_=changed | {"offered": sa.null(), "content": sa.null()}
        )
        rows = [
            {
                "tenant": self._tenant,
                "job_id": attempt.job_id,
                "number": number,
                "path": storable(file.path),
                "state": file.state,
                "reason": None if file.reason is None else storable(file.reason),
                "chunks": file.chunks,
                "bytes": file.bytes,
            }
            for number, file in files
        ]
        session.connection().execute(upsert, rows)

    def _mine(self, attempt: Attempt) -> tuple[sa.ColumnElement[bool], ...]:
        active = (JobRow.attempt == attempt.number, JobRow.state.in_(ACTIVE))
        return (*job_key(self._tenant, attempt.job_id), *active)

    def _files(self, attempt: Attempt) -> tuple[sa.ColumnElement[bool], ...]:
        return (JobFileRow.tenant == self._tenant, JobFileRow.job_id == attempt.job_id)


def job_key(tenant: str, job_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition that a row is this job's."""
    return (JobRow.tenant == tenant, JobRow.job_id == storable(job_id))


def moved(session: Session, where: Sequence[sa.ColumnElement[bool]], **values: Any) -> bool:
    """Write ``values`` into the job that ``where`` describes; return whether there was one."""
    query = sa.update(JobRow).where(*where).values(values).returning(JobRow.job_id)
    return session.execute(query, execution_options={"synchronize_session": False}).first() is not None


def forget_pending(session: Session, tenant: str, job_id: str) -> None:
    """Forget the contents of a job's files that will not be done any more."""
    key = (JobFileRow.tenant == tenant, JobFileRow.job_id == job_id, JobFileRow.state == WAITING)
    query = sa.update(JobFileRow).where(*key).values(offered=sa.null(), content=sa.null())
    session.execute(query, execution_options={"synchronize_session": False})


def _that_fit(heads: Sequence[tuple[int, int]], size: int) -> list[int]:
    """Return the first numbers whose lengths together are not over ``size``; one at least."""
    numbers: list[int] = []
    for number, length in heads:
        size -= length
        if numbers and size < 0:
            break
        numbers.append(number)
    return numbers
