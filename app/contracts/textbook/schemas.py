"""The shapes of the textbook's API, with the bounds of its validation rules."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, Strict, WithJsonSchema, model_validator

from app.http.contract import ContractBody
from app.http.validation import refuse_misspelt_keys

_MOST_CONTENT = 100_000


def _no_truth_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a whole number, not true or false")
    return value


def _whole(**bounds: int) -> tuple[Any, ...]:
    """Return what makes ``int`` a whole number as the published models read it: ``"4"`` and ``4.0`` are 4.

    Args:
        bounds: ``minimum`` and ``maximum``, as JSON schema names them.
    """
    schema = {"anyOf": [{"type": "integer", **bounds}, {"type": "string", "description": "its digits"}]}
    limits = Field(ge=bounds.get("minimum"), le=bounds.get("maximum"))
    return Strict(False), BeforeValidator(_no_truth_value), limits, WithJsonSchema(schema)


_Chapter = Annotated[int, *_whole(minimum=1, maximum=100)]
_Page = Annotated[int, *_whole(minimum=1)]
_TopK = Annotated[int, *_whole(minimum=1, maximum=20)]


class Body(ContractBody):
    """A request; unknown keys are ignored, as the published models do, unless they misspell a known one."""

    @model_validator(mode="before")
    @classmethod
    def _refuses_misspelt_keys(cls, value: Any) -> Any:
        if isinstance(value, dict):
            refuse_misspelt_keys(value, cls.model_fields)
        return value


class DocumentMetadata(Body):
    """Where in the book a document stands."""

    title: str = Field(
        min_length=1, max_length=200, description="Document title", examples=["AI-Native Robotics Chapter 3"]
    )
    chapter: _Chapter = Field(description="Chapter number (1-100)", examples=[3])
    section: str = Field(
        default="", max_length=200, description="Section name (optional)", examples=["Introduction to ROS2"]
    )
    page: _Page = Field(description="Starting page number", examples=[42])


class IngestRequest(Body):
    """A document to ingest."""

    content: str = Field(
        min_length=100,
        max_length=_MOST_CONTENT,
        description="Document content (Markdown or plain text)",
        examples=[
            "# Chapter 3: ROS2 Fundamentals\n\nROS2 is a robotics middleware. Nodes of a robot find each other, and "
            "talk by topics, services and actions."
        ],
    )
    metadata: DocumentMetadata


class IngestResponse(BaseModel):
    """What became of it; the same content with the same metadata is the same document."""

    status: Literal["success", "error"] = Field(description="Status: 'success' or 'error'")
    doc_id: str = Field(description="Unique document identifier (UUID)")
    chunks_created: int = Field(ge=0, description="Number of chunks created")
    embeddings_stored: int = Field(ge=0, description="Number of embeddings stored in Qdrant")


class QueryRequest(Body):
    """A question to find chunks for."""

    question: str = Field(
        min_length=3,
        max_length=1000,
        description="User question",
        examples=["What is ROS2 and how does it differ from ROS1?"],
    )
    top_k: _TopK = Field(default=5, description="Number of chunks to retrieve (1-20)", examples=[5])
    chapter_filter: _Chapter | None = Field(default=None, description="Optional chapter filter", examples=[3])


class ChunkResult(BaseModel):
    """A chunk that was found."""

    chunk_text: str = Field(description="Full text of the chunk")
    chapter: int = Field(description="Chapter number")
    section: str = Field(description="Section name")
    page: int = Field(description="Page number")
    score: float = Field(ge=0.0, le=1.0, description="Similarity score (0.0 - 1.0)")
    doc_id: str = Field(description="Original document identifier")
    chunk_index: int = Field(ge=0, description="Position within document (0-based)")


class QueryMetadata(BaseModel):
    """How the search went."""

    query_embedding_dim: int = Field(description="Embedding vector dimensions")
    search_latency_ms: int = Field(ge=0, description="Search latency in milliseconds")
    qdrant_hits: int = Field(ge=0, description="Total hits from Qdrant")


class QueryResponse(BaseModel):
    """The chunks, best first."""

    chunks: list[ChunkResult] = Field(description="Retrieved chunks ranked by relevance")
    metadata: QueryMetadata


class HealthResponse(BaseModel):
    """How the parts are."""

    status: Literal["ok", "degraded", "error"] = Field(description="Overall system status")
    qdrant_connected: bool = Field(description="Qdrant connection status")
    embedding_api_available: bool = Field(description="Embedding API availability")
    timestamp: datetime = Field(description="ISO 8601 timestamp")


class ErrorResponse(BaseModel):
    """Any error."""

    error: str = Field(description="Error type/category")
    detail: str = Field(description="Detailed error message")
    status_code: int = Field(description="HTTP status code")
