"""A tenant's jobs in SQL: what was asked, how far it is, and how it ended."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.database import Database, one_at_a_time
from pipelines.catalogue.job_attempts import JobAttempts, forget_pending, job_key, moved
from pipelines.catalogue.job_files import job_files, request_hash, storable
from pipelines.catalogue.job_progress import ACTIVE, CANCELLING, described, listed_files
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import JobFileRow, JobRow
from pipelines.errors import InvalidRequest, JobEnded, JobNotFound, KeyReused, Problem, QuotaSpent
from pipelines.types import DocumentInput, Job, JobKind, JobPage, JobState

_ROWS_PER_INSERT = 100
_BYTES_PER_INSERT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job that is asked for; ``accepted`` (nanoseconds since 1970) is when, ``at_once`` how many files go at once."""

    kind: JobKind
    documents: Sequence[DocumentInput]
    priority: int
    idempotency_key: str | None
    accepted: int
    at_once: int = 1


@dataclass(frozen=True, slots=True)
class UnfinishedJob:
    """A job that is not over, and how many attempts there were."""

    job_id: str
    priority: int
    attempt: int


class JobRecords(Database):
    """One tenant's jobs; every method raises StoreUnavailable when the database does not do its part.

    Args:
        engine: The database.
        tenant: Whose jobs they are.
        scope: Names a scope: only jobs that were asked for under the same one are there, and only such can be made.
            Idempotency keys of different scopes have nothing to do with each other.
    """

    def __init__(self, engine: sa.Engine, tenant: str, scope: str | None = None) -> None:
        super().__init__(engine, tenant)
        self._scope = scope

    def within(self, scope: str) -> JobRecords:
        """Return the jobs that were asked for under a scope."""
        return JobRecords(self._engine, self._tenant, scope)

    @property
    def attempts(self) -> JobAttempts:
        """The attempts to carry them out."""
        return JobAttempts(self._engine, self._tenant)

    def create(self, new: NewJob, most: int = 0) -> Job:
        """Write a job down, or find the one that its idempotency key named before.

        ``most`` jobs of the tenant, of any scope, may wait or run then; 0: any number.

        Raises:
            InvalidDocument: A document cannot be kept until its turn comes.
            KeyReused: The key named another request before.
            QuotaSpent: It would be one more than ``most``.
        """
        request = request_hash(new.kind, new.priority, new.documents)
        with self._session() as session:
            row = self._by_key(session, new.idempotency_key) or self._created(session, new, request, most)
            if row.request_sha256 != request:
                raise KeyReused(new.idempotency_key or "", row.job_id)
            return described(session, [row])[0]

    def job(self, job_id: str) -> Job:
        """Return a job with its files.

        Raises:
            JobNotFound: No such id.
        """
        with self._session() as session:
            job = described(session, [self._row(session, job_id)])[0]
            return replace(job, files=tuple(listed_files(session, self._tenant, job_id)))

    def jobs(self, limit: int, cursor: str | None, state: JobState | None = None) -> JobPage:
        """Return the jobs behind ``cursor``, newest first, without their files.

        Raises:
            InvalidRequest: ``cursor`` is not a cursor issued by this API.
        """
        query = sa.select(JobRow).where(JobRow.tenant == self._tenant, *self._shown)
        if state is not None:
            query = query.where(JobRow.state.in_(ACTIVE if state == "running" else (state,)))
        with self._session() as session:
            if cursor is not None:
                query = query.where(self._behind(session, cursor))
            query = query.order_by(JobRow.created_at.desc(), JobRow.job_id.desc()).limit(limit + 1)
            rows = session.scalars(query).all()
            jobs = described(session, rows[:limit])
        return JobPage(tuple(jobs), jobs[-1].job_id if len(rows) > limit else None)

    def counts(self) -> dict[str, int]:
        """Return how many jobs there are in each state."""
        query = sa.select(JobRow.state, sa.func.count()).where(JobRow.tenant == self._tenant, *self._shown)
        found = dict.fromkeys(get_args(JobState), 0)
        with self._session() as session:
            for state, count in session.execute(query.group_by(JobRow.state)):
                found["running" if state in ACTIVE else state] += count
        return found

    def cancel(self, job_id: str) -> Job:
        """End a job that waits, and ask one that runs to end.

        Raises:
            JobNotFound: No such id.
            JobEnded: It was done, or had failed, before.
        """
        key = job_key(self._tenant, job_id)
        with self._session() as session:
            self._row(session, job_id)  # of a job that is not shown nothing is changed
            if moved(session, (*key, JobRow.state == "queued"), state="cancelled", finished_at=now()):
                forget_pending(session, self._tenant, job_id)
            else:
                moved(session, (*key, JobRow.state == "running"), state=CANCELLING)
            session.commit()
            row = self._row(session, job_id)
            if row.state in ("done", "failed"):
                raise JobEnded(job_id, row.state)
            return described(session, [row])[0]

    def unfinished(self, most: int) -> list[UnfinishedJob]:
        """Jobs that are not over: those that were begun, then those that wait, in the order of their turns."""
        turn = (sa.case((JobRow.state == "queued", 1), else_=0), JobRow.priority, JobRow.created_at, JobRow.job_id)
        query = sa.select(JobRow.job_id, JobRow.priority, JobRow.attempt)
        query = query.where(JobRow.tenant == self._tenant, JobRow.state.in_(("queued", *ACTIVE)))
        with self._session() as session:
            return [UnfinishedJob(*row) for row in session.execute(query.order_by(*turn).limit(most))]

    def _created(self, session: Session, new: NewJob, request: str, most: int) -> JobRow:
        """Return the row of a new job, or of the one that another process has just written under the same key."""
        row = self._new_row(new, request)
        try:
            session.add(row)
            session.flush()
            self._check_room(session, most)  # before files are read in vain
            for part in self._file_rows(row.job_id, new.documents):
                session.execute(sa.insert(JobFileRow), part)
            if most:
                one_at_a_time(session, f"jobs of {self._tenant}")
                self._check_room(session, most)
            session.commit()
        except sa.exc.IntegrityError:
            session.rollback()
            found = self._by_key(session, new.idempotency_key)
            if found is None:
                raise
            return found
        return row

    def _check_room(self, session: Session, most: int) -> None:
        mine = (JobRow.tenant == self._tenant, JobRow.finished_at.is_(None))
        if 0 < most < session.execute(sa.select(sa.func.count()).select_from(JobRow).where(*mine)).scalar_one():
            raise QuotaSpent("jobs", most)

    def _new_row(self, new: NewJob, request: str) -> JobRow:
        return JobRow(
            tenant=self._tenant,
            job_id=str(uuid.uuid4()),
            kind=new.kind,
            state="queued",
            priority=new.priority,
            options={"at_once": new.at_once} | ({} if self._scope is None else {"scope": self._scope}),
            accepted=new.accepted,
            attempt=0,
            idempotency_key=self._key(new.idempotency_key),
            request_sha256=request,
            files_total=len(new.documents) if new.kind == "ingest" else None,
            created_at=now(),
        )

    def _file_rows(self, job_id: str, documents: Sequence[DocumentInput]) -> Iterator[list[dict[str, Any]]]:
        keep_files = self._engine.dialect.name == "sqlite"  # one machine, then: no need to have them twice
        key = {"tenant": self._tenant, "job_id": job_id}
        part: list[dict[str, Any]] = []
        size = 0
        for row in job_files(documents, keep_files):
            part.append(key | row)
            size += len(row["content"])
            if len(part) == _ROWS_PER_INSERT or size >= _BYTES_PER_INSERT:
                yield part
                part, size = [], 0
        if part:
            yield part

    def _by_key(self, session: Session, key: str | None) -> JobRow | None:
        if key is None:
            return None
        query = sa.select(JobRow).where(JobRow.tenant == self._tenant, JobRow.idempotency_key == self._key(key))
        return session.scalars(query).first()

    def _row(self, session: Session, job_id: str) -> JobRow:
        row = session.scalars(sa.select(JobRow).where(*job_key(self._tenant, job_id), *self._shown)).first()
        if row is None:
            raise JobNotFound(storable(job_id))
        return row

    def _behind(self, session: Session, cursor: str) -> sa.ColumnElement[bool]:
        last = session.scalars(sa.select(JobRow).where(*job_key(self._tenant, cursor), *self._shown)).first()
        if last is None:
            raise InvalidRequest(Problem("cursor", "is not a cursor issued by this API"))
        same = sa.and_(JobRow.created_at == last.created_at, JobRow.job_id < last.job_id)
        return sa.or_(JobRow.created_at < last.created_at, same)

    @property
    def _shown(self) -> tuple[sa.ColumnElement[bool], ...]:
        return () if self._scope is None else (JobRow.options["scope"].as_string() == self._scope,)

    def _key(self, key: str | None) -> str | None:
        """Return an idempotency key as it is kept; one of a scope cannot meet another's."""
        if key is None or self._scope is None:
            return key
        return hashlib.sha256(f"{self._scope}\0{key}".encode()).hexdigest()
