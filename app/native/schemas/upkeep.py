"""Shapes of what keeps a tenant in order: synchronisation, examination, figures."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.http.validation import StrictBody, StrictModel
from app.native.schemas.base import Shape
from app.native.schemas.documents import DeletionResponse, FailedSchema, IngestedSchema
from app.native.schemas.feedback import FeedbackTotalsSchema
from pipelines.types import AbstainReason, FindingKind

Most = Annotated[int, Field(ge=0, le=1000, description="most questions of each kind that are listed")]


class SyncRequest(StrictBody):
    """How to bring the tenant in line with its knowledge folder."""

    wait: bool = True
    allow_empty: bool = Field(
        default=False,
        description="take every document out where the folder is empty, instead of refusing; only with wait",
    )
    reread: bool = Field(
        default=False,
        description="read files again also where an earlier release did not note its readers; only with wait",
    )


class RenameSchema(Shape):
    """A document whose file has another name now."""

    before: str
    after: str


class SyncCountsSchema(Shape):
    """How many files became what."""

    ready: int
    unchanged: int
    failed: int
    renamed: int
    removed: int
    busy: int


class SyncResponse(Shape):
    """What a synchronisation did; unchanged files are counted and not listed."""

    job_id: None = None
    counts: SyncCountsSchema
    documents: list[IngestedSchema | FailedSchema]
    renamed: list[RenameSchema]
    removed: list[DeletionResponse]
    busy: list[str] = Field(description="files that were being written, and are left for the next time")
    reread: list[str] = Field(description="files that were read again, since the readers of their formats have changed")


class DoctorRequest(StrictBody):
    """What to do about what is found."""

    repair: bool = False


class FindingSchema(Shape):
    """Something that is wrong, and whether it was repaired."""

    kind: FindingKind
    detail: str
    document_id: str | None
    version: int | None
    repaired: bool


class DoctorResponse(Shape):
    """Report of a consistency check. Stale documents are listed but are not errors."""

    healthy: bool
    documents: int
    versions: int
    chunks: int
    findings: list[FindingSchema]


class StatsParameters(StrictModel):
    """Query parameters of the figures."""

    most: Most = 10


class AskedSchema(Shape):
    """A question, how often it was asked, and when last; `relevance` is the mean score of its best hit."""

    question: str = Field(validation_alias="query")
    count: int
    relevance: float
    last: datetime


class UnansweredSchema(Shape):
    """An unanswered question, never answered since: why, how often, and when last."""

    question: str
    reason: AbstainReason
    count: int
    last: datetime


class AnswerCacheSchema(Shape):
    """How often this process found an answer that could be given again, and not; and what is kept of them."""

    mode: Literal["off", "exact", "semantic"]
    hits: int
    misses: int
    entries: int
    bytes: int


class StatsResponse(Shape):
    """What a tenant holds, what is asked, and the feedback on its answers.

    History is whole from the snapshot `horizon` on.
    """

    tenant: str
    documents: int
    failed: int
    chunks: int
    versions: int
    snapshot: int
    bytes: int
    embedding: str
    stale: int
    horizon: int
    top_questions: list[AskedSchema] = Field(description="what is asked most, the most frequent first")
    unanswered: list[UnansweredSchema] = Field(description="what the documents do not answer, the most frequent first")
    answer_cache: AnswerCacheSchema
    feedback: FeedbackTotalsSchema
