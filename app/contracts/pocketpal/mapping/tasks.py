"""Batches and tasks, which are jobs of the core."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from app.contracts.pocketpal.schemas.base import State
from app.contracts.pocketpal.schemas.tasks import BatchError, BatchIngestResponse, BatchProgress, Task, TaskProgress
from pipelines.types import (
    Job,
    JobKind,
)

_PRIORITIES = {"high": -100, "normal": 0, "low": 100}
_STATES: Mapping[str, State] = {
    "queued": "queued",
    "running": "processing",
    "done": "completed",
    "failed": "error",
    "cancelled": "error",
}
ACTIONS: Mapping[str, JobKind] = {"rebuild": "rebuild", "compact": "compact", "rebalance": "optimize"}
_ACTION_OF = {kind: action for action, kind in ACTIONS.items()}
_CHUNKS_PER_MINUTE: Mapping[str, int] = {"rebuild": 200_000, "compact": 300_000, "rebalance": 300_000}
"""Roughly, on two processors."""


def priority(name: str) -> int:
    """Return a priority by its name: the smallest comes first."""
    return _PRIORITIES[name]


def batch(job: Job, documents_per_second: float) -> BatchIngestResponse:
    """Return a batch; where nothing of it is done yet, its end is reckoned with the speed of earlier ones."""
    progress = job.progress
    total, done = progress.files_total or 0, progress.files_done
    guess = datetime.now(UTC) + timedelta(seconds=(total - done) / (documents_per_second or 1.0))
    failed = progress.files_failed
    return BatchIngestResponse(
        batch_id=job.job_id,
        status="error" if _all_failed(job) else _STATES[job.state],
        progress=BatchProgress(
            total=total,
            completed=done - failed,
            failed=failed,
            estimated_completion=job.finished_at or progress.estimated_completion or guess,
        ),
        errors=[
            BatchError(path=file.path, message=file.reason or "it could not be ingested")
            for file in job.files
            if file.state == "failed"
        ],
        error=_why(job),
    )


def task(job: Job) -> Task:
    """Return a piece of work."""
    done = job.progress
    return Task(
        task_id=job.job_id,
        action=_ACTION_OF.get(job.kind, job.kind),
        status="error" if _all_failed(job) else _STATES[job.state],
        progress=TaskProgress(
            total=done.files_total,
            completed=done.files_done - done.files_failed,
            failed=done.files_failed,
            chunks=done.chunks,
        ),
        created_at=job.created_at,
        finished_at=job.finished_at,
        error=_why(job),
    )


def _all_failed(job: Job) -> bool:
    """Return whether an ingestion is over, and nothing of it was taken."""
    progress = job.progress
    return job.kind == "ingest" and job.state == "done" and 0 < progress.files_failed == progress.files_total


def _why(job: Job) -> str | None:
    """Return why a piece of work came to nothing."""
    if job.state == "cancelled":
        return job.reason or "it was cancelled"
    if job.progress.files_total == 1 and _all_failed(job):
        return next((file.reason for file in job.files if file.state == "failed"), None)
    return job.reason if job.state == "failed" else None


def minutes(action: str, chunks: int) -> float:
    """About how long a task takes."""
    return round(chunks / _CHUNKS_PER_MINUTE[action], 3)
