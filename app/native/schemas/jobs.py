"""Shapes of jobs."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, ValidationInfo, field_validator

from app.http.validation import StrictBody, StrictModel
from app.native.schemas.base import Cursor, Limit, Shape
from app.native.schemas.documents import DocumentRequest
from pipelines.types import FileState, JobKind, JobState


class JobRequest(StrictBody):
    """The work to be done."""

    kind: JobKind
    documents: list[DocumentRequest] | None = Field(
        default=None, validate_default=True, description="what to ingest; for jobs of the kind ingest, and no other"
    )
    priority: int = Field(
        default=0, ge=-1000, le=1000, description="the smallest comes first, and among equals the oldest"
    )

    @field_validator("documents")
    @classmethod
    def _fit_the_kind(
        cls, documents: list[DocumentRequest] | None, info: ValidationInfo
    ) -> list[DocumentRequest] | None:
        kind = info.data.get("kind")
        if kind == "ingest" and not documents:
            raise ValueError("must be given for an ingest job, and not be empty")
        if kind not in (None, "ingest") and documents is not None:
            raise ValueError(f"are for ingest jobs, a {kind} job takes none")
        return documents


class JobListParameters(StrictModel):
    """Query parameters of the list of jobs."""

    limit: Limit = 50
    cursor: Cursor | None = None
    state: JobState | None = Field(default=None, description="only jobs in this state")


class JobAcceptedResponse(Shape):
    """A job that was accepted; the header `Location` names the address of its state."""

    job_id: str


class JobProgressSchema(Shape):
    """How far a job is; what cannot be reckoned yet is null."""

    files_total: int | None
    files_done: int
    files_failed: int
    chunks: int
    bytes: int
    files_per_second: float | None
    estimated_completion: datetime | None


class FileSchema(Shape):
    """One file of a job."""

    path: str
    state: FileState
    reason: str | None
    chunks: int
    bytes: int


class JobSummarySchema(Shape):
    """A job as it is listed. `reason` says why it failed, and `attempt` counts how often it was begun."""

    job_id: str
    kind: JobKind
    state: JobState
    progress: JobProgressSchema
    priority: int
    attempt: int
    reason: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class JobSchema(JobSummarySchema):
    """A job with its files."""

    files: list[FileSchema]


class JobsResponse(Shape):
    """A page of a tenant's jobs, newest first."""

    jobs: list[JobSummarySchema]
    next_cursor: str | None
