"""How far jobs are, reckoned from their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.records import now
from pipelines.catalogue.tables import JobFileRow, JobRow
from pipelines.types import FileProgress, Job, JobProgress

CANCELLING = "cancelling"
"""State of a job that runs until it notices that it was cancelled; to users it is running."""
WAITING = "waiting"
"""State of a file that is still to be done."""
ACTIVE = ("running", CANCELLING)
_LONGEST_S = timedelta(days=366).total_seconds()


def described(session: Session, rows: Sequence[JobRow]) -> list[Job]:
    """Return the jobs of ``rows``, all of one tenant, without their files."""
    counts = _counts(session, rows)
    return [_to_job(row, _progress(row, counts.get(row.job_id, {}))) for row in rows]


def done_files(session: Session, row: JobRow) -> int:
    """Return how many files of a job are done, well or not."""
    return _done(_counts(session, [row]).get(row.job_id, {}))


def listed_files(session: Session, tenant: str, job_id: str) -> list[FileProgress]:
    """Return a job's files, in the order of their numbers."""
    columns = (JobFileRow.path, JobFileRow.state, JobFileRow.reason, JobFileRow.chunks, JobFileRow.bytes)
    query = sa.select(*columns).where(JobFileRow.tenant == tenant, JobFileRow.job_id == job_id)
    return [FileProgress(*row) for row in session.execute(query.order_by(JobFileRow.number))]  # type: ignore[arg-type]


_Counts = Mapping[str, tuple[int, int, int]]
"""Files, chunks and bytes by the state of the files."""


def _counts(session: Session, rows: Sequence[JobRow]) -> dict[str, dict[str, tuple[int, int, int]]]:
    if not rows:
        return {}
    sums = (sa.func.count(), sa.func.sum(JobFileRow.chunks), sa.func.sum(JobFileRow.bytes))
    query = (
        sa.select(JobFileRow.job_id, JobFileRow.state, *sums)
        .where(JobFileRow.tenant == rows[0].tenant, JobFileRow.job_id.in_([row.job_id for row in rows]))
        .group_by(JobFileRow.job_id, JobFileRow.state)
    )
    found: dict[str, dict[str, tuple[int, int, int]]] = {}
    for job_id, state, files, chunks, size in session.execute(query):
        found.setdefault(job_id, {})[state] = (files, int(chunks), int(size))
    return found


def _done(counts: _Counts) -> int:
    return sum(files for state, (files, _, _) in counts.items() if state != WAITING)


def _progress(row: JobRow, counts: _Counts) -> JobProgress:
    done = _done(counts)
    until = row.finished_at or now()
    rate = _rate(row.options, done, until)
    left = None if row.files_total is None or row.state not in ACTIVE else max(row.files_total - done, 0)
    return JobProgress(
        files_total=row.files_total,
        files_done=done,
        files_failed=counts.get("failed", (0, 0, 0))[0],
        chunks=sum(chunks for _, chunks, _ in counts.values()),
        bytes=sum(size for _, _, size in counts.values()),
        files_per_second=rate,
        estimated_completion=_estimate(until, left, rate),
    )


def _estimate(until: datetime, left: int | None, rate: float | None) -> datetime | None:
    """Return when ``left`` files are done; None where that is unknown, or so late that the clock must have been set."""
    if left is None or rate is None or left > rate * _LONGEST_S:
        return None
    return until + timedelta(seconds=left / rate)


def _rate(options: Mapping[str, Any], done: int, until: datetime) -> float | None:
    """Return files a second since the present attempt began; None before it has done any."""
    if "begun" not in options or done <= options["before"]:
        return None
    seconds = (until - datetime.fromisoformat(options["begun"])).total_seconds()
    return (done - options["before"]) / seconds if seconds > 0 else None


def _to_job(row: JobRow, progress: JobProgress) -> Job:
    kind: Any = row.kind
    state: Any = "running" if row.state == CANCELLING else row.state
    return Job(
        job_id=row.job_id,
        kind=kind,
        state=state,
        progress=progress,
        priority=row.priority,
        attempt=row.attempt,
        reason=row.reason,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
