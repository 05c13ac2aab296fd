"""Vectors, searches, and the context and prompts for a language model."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from app.contracts.pocketpal.schemas.base import Body, ClosedPart, Query, Shape, Share
from app.http.contract import LimitedCount

Template = Literal["default", "technical", "creative", "analytical"]


class EmbedRequest(Body):
    """A text to embed."""

    text: str = Field(min_length=1, max_length=100_000, examples=["How do I repair a tenant?"])
    model: str | None = Field(default=None, min_length=1, max_length=200, examples=["sentence-transformers-mobile"])
    normalize: bool = True


class EmbedResponse(Shape):
    """Its vector."""

    embedding: list[float]
    dimensions: int
    model: str
    processing_time: float = Field(ge=0, description="milliseconds")


def _moment(value: Any) -> Any:
    """Return a date, or a moment in ISO 8601, in UTC; it is UTC where it does not say."""
    if not isinstance(value, str):
        raise ValueError("must be a date or time in ISO 8601, such as 2025-06-23T12:00:00Z")
    try:
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # at the ends of the calendar a zone may lead beyond it
        raise ValueError(f'"{value[:40]}" is not a date or time in ISO 8601, such as 2025-06-23T12:00:00Z') from None


def _last_moment(value: Any) -> Any:
    """Return the end of a range: of a date without time, the end of its day."""
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        return _moment(value)
    return datetime.combine(day, time.max, UTC)


class DateRange(ClosedPart):
    """When documents were ingested, both ends included."""

    start: Annotated[datetime, BeforeValidator(_moment, json_schema_input_type=date | datetime)] = Field(
        examples=["2025-06-01"]
    )
    end: Annotated[datetime, BeforeValidator(_last_moment, json_schema_input_type=date | datetime)] = Field(
        examples=["2099-12-31T23:59:59Z"]
    )

    @model_validator(mode="after")
    def _start_comes_first(self) -> Self:
        if self.start > self.end:
            raise ValueError("start is after end")
        return self


class SearchFilter(ClosedPart):
    """What to look among; all that is given must be so."""

    document_ids: list[str] | None = Field(default=None, min_length=1, max_length=10_000, examples=[["doctor.md"]])
    tags: list[str] | None = Field(
        default=None, min_length=1, max_length=100, description="any of them", examples=[None]
    )
    date_range: DateRange | None = None


class VectorSearchRequest(Body):
    """A search by a text, or by a vector."""

    query: str = Field(default="", examples=["How do I repair a tenant?"])
    query_vector: list[float] | None = Field(
        default=None, max_length=65_536, description="as many numbers as the embedding model gives", examples=[None]
    )
    limit: LimitedCount | None = Field(default=None, description="default 5, at most 20, by config")
    threshold: float | None = Field(default=None, ge=0, le=1)
    filter: SearchFilter | None = None

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if not self.query.strip() and self.query_vector is None:
            raise ValueError("give query or queryVector")
        return self


class ResultMetadata(Shape):
    """Where a result comes from."""

    title: str
    source: str
    position: int = Field(ge=0, description="which chunk of its document it is, from 0")


class SearchHit(Shape):
    """A chunk that was found."""

    chunk_id: str
    document_id: str
    content: str
    similarity: Share
    metadata: ResultMetadata


class VectorSearchResponse(Shape):
    """The chunks that were found, the most similar first."""

    results: list[SearchHit]
    search_time: float = Field(ge=0, description="milliseconds")
    total_matches: int = Field(ge=0, description="candidates over the threshold, of those that were weighed")


class ContextRetrievalRequest(Body):
    """A question that needs context."""

    query: Query
    max_context_length: int = Field(default=2000, ge=1, le=100_000, description="characters")
    max_chunks: LimitedCount = Field(default=3, description="at most 20, or maxLimit where it is more")
    diversity_factor: float | None = Field(default=None, ge=0, le=1)
    include_metadata: bool = Field(default=True, description="name each chunk's title and source in the text")


class ContextChunk(Shape):
    """A chunk of the context."""

    content: str
    source: str
    similarity: Share


class Context(Shape):
    """What a language model is to read before it answers."""

    text: str
    chunks: list[ContextChunk]
    total_length: int = Field(ge=0, description="characters")
    relevance_score: Share = Field(description="mean similarity of the chunks")


class ContextRetrievalResponse(Shape):
    """The context for a question."""

    context: Context
    processing_time: float = Field(ge=0, description="milliseconds")


class EnhancePromptRequest(Body):
    """A question, to be sent to a language model with its context."""

    user_query: Query
    system_prompt: str | None = Field(default=None, max_length=100_000)
    context: str | None = Field(default=None, max_length=100_000)
    template: Template = "default"


class EnhancePromptResponse(Shape):
    """The prompt."""

    enhanced_prompt: str
    context_used: str
    prompt_length: int = Field(description="characters")
    confidence: Share = Field(description="relevance of the context")
