"""The shapes of CORTX's API."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from app.http.claims import ClaimCheck
from app.http.contract import ClosedBody, LimitedCount, LimitedText


class IngestRequest(ClosedBody):
    """A document, with its place in the hierarchy in its metadata."""

    content: LimitedText = Field(description="Document text")
    metadata: dict[str, Any] = Field(
        description="level, suite, module and entity_id place the document; source and version tell it from others",
        examples=[{"level": "suite", "suite": "fedsuite", "module": "reconciliation", "source": "CFR 1234.56"}],
    )


class IngestResponse(BaseModel):
    """What became of it."""

    document_id: str
    chunks_created: int = Field(ge=0)
    embeddings_generated: int = Field(ge=0)
    version: int = Field(ge=0, description="how many states of the document there have been; 0: a deletion came first")
    state: Literal["ready", "unchanged"] = Field(description="unchanged: the document was there in this very state")
    created_at: datetime = Field(description="when the document came in first")
    updated_at: datetime = Field(description="when this state of it did")
    snapshot: int


class QuestionBase(ClosedBody):
    """What questions and searches have in common."""

    filters: dict[str, Any] | None = Field(default=None, examples=[{"level": "suite", "suite": "fedsuite"}])
    scope: dict[str, Any] | None = Field(
        default=None, description="place to look from: its own knowledge and what it inherits"
    )
    inherit: bool = Field(default=True, description="false: the knowledge of that one place alone")
    as_of: int | None = Field(default=None, ge=0, description="snapshot to read")


class QueryRequest(QuestionBase):
    """A question."""

    question: LimitedText = Field(examples=["What are the reconciliation requirements?"])
    top_k: LimitedCount = 5
    stream: bool = Field(default=False, description="answer with server-sent events")
    conversation_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="of an earlier answer; an unknown one starts a conversation",
    )


class SearchRequest(QuestionBase):
    """A search."""

    query: LimitedText = Field(examples=["reconciliation"])
    top_k: LimitedCount = 10


class Source(BaseModel):
    """A chunk that was found."""

    chunk_id: str
    document_id: str
    chunk_index: int = Field(ge=0, description="which chunk of its document it is, from 0")
    headings: list[str] = Field(description="sections that it stands in, the outermost first")
    content: str
    metadata: dict[str, Any] = Field(
        description="its document's, with the `timestamp` at which this version came in, unless that names one itself"
    )
    similarity: float = Field(ge=0, le=1)


class QueryResponse(BaseModel):
    """An answer; ``[n]`` in it is the n-th source."""

    answer: str
    confidence: float = Field(ge=0, le=1)
    sources: list[Source]
    claims: list[ClaimCheck] = Field(description="its sentences, each held against what it cites")
    processing_time_ms: int = Field(ge=0)
    answer_id: str
    abstained: bool
    reason: str | None
    model: str
    llm_generated: bool
    degraded: bool
    conversation_id: str | None = Field(description="null where none was given")
    rewritten_question: str | None = Field(description="what was searched for, where a follow-up was completed")
    snapshot: int


class SearchResponse(BaseModel):
    """The chunks that were found, best first."""

    results: list[Source]
    snapshot: int


class SourcesEvent(BaseModel):
    """The first event of a stream: what the answer will be made of."""

    sources: list[Source]


class TokenEvent(BaseModel):
    """The next piece of the answer's text."""

    text: str


class CitationEvent(BaseModel):
    """A footnote of the answer: its number, and the place that it quotes."""

    number: int
    chunk_id: str
    document_id: str
    quote: str


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str
    message: str
    details: list[dict[str, Any]]
    request_id: str


class ErrorResponse(BaseModel):
    """Any error."""

    error: ErrorBody
