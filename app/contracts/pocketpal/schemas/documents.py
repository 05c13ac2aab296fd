"""Ingesting, listing and deleting documents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from app.contracts.pocketpal.schemas.base import MOST_CHUNK, Body, DocumentType, Path, Shape


class DocumentMetadata(Body):
    """What is said of a document; further keys are kept."""

    model_config = ConfigDict(extra="allow")

    title: str | None = Field(default=None, min_length=1, max_length=512)
    author: str | None = Field(default=None, min_length=1, max_length=512)
    tags: list[Annotated[str, Field(min_length=1, max_length=100)]] | None = Field(default=None, max_length=100)
    source: str | None = Field(default=None, min_length=1, max_length=2048)


class IngestDocumentRequest(Body):
    """A file to ingest."""

    document_path: Path
    document_type: DocumentType
    chunk_size: int | None = Field(
        default=None, ge=16, le=MOST_CHUNK, description="characters, default 500", examples=[300]
    )
    chunk_overlap: int | None = Field(
        default=None, ge=0, le=MOST_CHUNK // 2, description="characters, default 50", examples=[30]
    )
    metadata: DocumentMetadata | None = None


class IngestDocumentResponse(Shape):
    """What became of it."""

    document_id: str
    status: Literal["success", "processing", "error"]
    chunks_created: int = Field(ge=0)
    processing_time: float = Field(ge=0, description="milliseconds")
    vectors_generated: int = Field(ge=0)
    storage_used: int = Field(ge=0, description="bytes")
    task_id: str | None = Field(default=None, description="the task that ingests a file of more than 1 MB")
    error: str | None = None


class DocumentItem(Shape):
    """A document as it is listed."""

    id: str
    title: str
    type: str
    chunks_count: int
    created_at: datetime
    last_accessed: datetime = Field(description="when it was last among the results, at first when it was ingested")
    metadata: dict[str, Any]


class ListDocumentsResponse(Shape):
    """All documents."""

    documents: list[DocumentItem]
    total_documents: int
    total_chunks: int
    storage_used: int = Field(description="bytes on disk")


class DeleteDocumentResponse(Shape):
    """The receipt of a deletion."""

    success: bool
    chunks_removed: int
    storage_freed: int = Field(description="bytes")
    error: str | None = None
