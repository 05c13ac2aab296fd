"""Batches and background tasks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.contracts.pocketpal.schemas.base import Body, Path, Shape, State
from app.contracts.pocketpal.schemas.documents import DocumentMetadata


class BatchDocument(Body):
    """A file of a batch; one that is wrong fails alone."""

    path: str = Field(description="path of a file on the server", examples=["jobs.md"])
    type: str = Field(description="pdf, txt, md, web, or the ending of another format's files", examples=["md"])
    metadata: dict[str, Any] | None = None


class BatchFile(Body):
    """A file of a batch that can be looked for."""

    path: Path
    type: Annotated[str, Field(min_length=1, max_length=100)]
    metadata: DocumentMetadata | None = None


class BatchIngestRequest(Body):
    """Files to ingest in the background."""

    documents: list[BatchDocument] = Field(min_length=1, max_length=100_000)
    concurrency: int = Field(default=3, ge=1, le=16, description="files that are read together")
    priority: Literal["high", "normal", "low"] = "normal"


class BatchProgress(Shape):
    """How far a batch is."""

    total: int
    completed: int
    failed: int
    estimated_completion: datetime = Field(alias="estimated_completion")


class BatchIngestResponse(Shape):
    """A batch."""

    batch_id: str
    status: State
    progress: BatchProgress
    errors: list[BatchError] = Field(default=[], description="files that could not be ingested")
    error: str | None = Field(default=None, description="why the batch as a whole was given up")


class BatchError(Shape):
    """A file of a batch that could not be ingested."""

    path: str
    message: str


class OptimizeIndexRequest(Body):
    """What to do to the index."""

    action: Literal["rebuild", "compact", "rebalance"]
    background_mode: bool = True


class OptimizeIndexResponse(Shape):
    """The task that does it."""

    task_id: str
    estimated_time: float = Field(ge=0, description="minutes")
    status: Literal["started", "queued"]


class TaskProgress(Shape):
    """How far a task is."""

    total: int | None = Field(default=None, description="documents; left out where they are still being counted")
    completed: int
    failed: int
    chunks: int


class Task(Shape):
    """A piece of work in the background."""

    task_id: str
    action: str
    status: State
    progress: TaskProgress
    created_at: datetime
    finished_at: datetime | None = Field(default=None, description="left out until it ends")
    error: str | None = None
