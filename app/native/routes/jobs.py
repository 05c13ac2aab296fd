"""Routes of jobs.

They take the role writer also where they only read: a job names files and says why they failed, whether or not they
became documents, and so tells more of those who write than a reader is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Query
from fastapi.responses import JSONResponse

from app.http.problems import problem_responses
from app.native import mapping, requests
from app.native.routes.dependencies import (
    JOB_ACCEPTED,
    AcceptJob,
    IdempotencyKey,
    JobId,
    Nothing,
    RequireRole,
    TenantEngine,
    routes_for,
)
from app.native.schemas.jobs import JobAcceptedResponse, JobListParameters, JobRequest, JobSchema, JobsResponse
from pipelines.types import JobKind
from pipelines.types.roles import Role

writer = routes_for("writer")
ROUTERS = (writer,)
_ROLES: Mapping[JobKind, Role] = {
    "ingest": "writer",
    "sync": "writer",
    "reembed": "admin",
    "optimize": "admin",
    "purge": "admin",
    "rebuild": "admin",
    "compact": "admin",
}


@writer.post(
    "/{tenant}/jobs",
    status_code=202,
    response_model=JobAcceptedResponse,
    responses={**JOB_ACCEPTED, **problem_responses(403, 409, 413, 415, 422)},
)
def start_job(
    engine: TenantEngine,
    asked: JobRequest,
    require: RequireRole,
    accept: AcceptJob,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Start a job; those that work on the whole tenant's index or history take the role admin."""
    require(_ROLES[asked.kind])
    job = engine.jobs.submit(
        asked.kind, requests.offered(asked), priority=asked.priority, idempotency_key=idempotency_key
    )
    return accept(job)


@writer.get("/{tenant}/jobs", responses=problem_responses(403, 422))
def list_jobs(engine: TenantEngine, asked: Annotated[JobListParameters, Query()]) -> JobsResponse:
    """List the jobs, newest first and without their files, page by page."""
    page = engine.jobs.list(asked.limit, asked.cursor, asked.state)
    return mapping.jobs(page)


@writer.get("/{tenant}/jobs/{job_id}", responses=problem_responses(403))
def job(engine: TenantEngine, job_id: JobId, asked: Nothing) -> JobSchema:
    """How far a job is, and what became of each of its files."""
    found = engine.jobs.job(job_id)
    return mapping.job(found)


@writer.post("/{tenant}/jobs/{job_id}/cancel", responses=problem_responses(403, 409))
def cancel_job(engine: TenantEngine, job_id: JobId, asked: Nothing, require: RequireRole) -> JobSchema:
    """Cancel a job: what it has done stays, and the rest is not begun; takes the role that starting it took."""
    require(_ROLES[engine.jobs.job(job_id).kind])
    cancelled = engine.jobs.cancel(job_id)
    return mapping.job(cancelled)
