"""Between the textbook's shapes and the core's values."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import Request
from fastapi.responses import JSONResponse

from app.contracts.textbook.schemas import (
    ChunkResult,
    ErrorResponse,
    HealthResponse,
    IngestRequest,
    IngestResponse,
    QueryMetadata,
    QueryRequest,
    QueryResponse,
)
from app.http.contract import sent_text
from app.http.failures import Failure
from pipelines import TenantReader
from pipelines.types import Document, DocumentInput, Hit, IngestResult, Metadata, Readiness, SearchResult

_DOCUMENTS = uuid.UUID("6f1c2f4e-8a55-5d0b-9c1e-0f6f6f746e6f")
_LONGEST_PAGE = 10  # digits
_KEPT = (401, 403, 404, 405, 421, 429)


def document_input(engine: TenantReader, asked: IngestRequest) -> DocumentInput:
    """Return the document that a request brings; its id follows from its content and metadata."""
    metadata = asked.metadata.model_dump(exclude={"title"})
    identity = json.dumps([asked.content, asked.metadata.model_dump()], sort_keys=True)
    offered = DocumentInput(
        content=asked.content,
        document_id=str(uuid.uuid5(_DOCUMENTS, identity)),
        title=asked.metadata.title,
        media_type="text/markdown",
        metadata=metadata,
    )
    return sent_text(engine, offered)[0]


def ingested(result: IngestResult, document: Document | None) -> IngestResponse:
    """Return what a document has become; sent again it is the same, and has the same chunks.

    ``document`` is None where it was deleted in the same moment.
    """
    chunks = result.chunks_created if document is None else document.chunks
    return IngestResponse(
        status="success",
        doc_id=result.document_id,
        chunks_created=chunks,
        embeddings_stored=chunks,
    )


def filters(asked: QueryRequest) -> Metadata:
    """Return the chapter that is asked for, as a filter; a chunk without chapter and page has no published shape."""
    chapter = {"exists": True} if asked.chapter_filter is None else asked.chapter_filter
    return {"chapter": chapter, "page": {"exists": True}}


def query_response(found: SearchResult, dimensions: int) -> QueryResponse:
    """Return the chunks that were found."""
    return QueryResponse(
        chunks=[_chunk(hit) for hit in found],
        metadata=QueryMetadata(
            query_embedding_dim=dimensions, search_latency_ms=round(found.took_ms), qdrant_hits=len(found.trace.fused)
        ),
    )


def health(readiness: Readiness) -> HealthResponse:
    """Return how the parts are; one that is away leaves the rest at work."""
    connected = readiness.store and readiness.catalogue
    parts = (connected, readiness.embedding)
    return HealthResponse(
        status="ok" if all(parts) else "degraded" if any(parts) else "error",
        qdrant_connected=connected,
        embedding_api_available=readiness.embedding,
        timestamp=datetime.now(UTC),
    )


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure in the published shape; whatever is wrong with a request's content is a 400."""
    status = _status(failure.status)
    body = ErrorResponse(error=failure.code.replace("_", " ").capitalize(), detail=failure.detail, status_code=status)
    return JSONResponse(body.model_dump(), status, dict(failure.headers))


def _status(status: int) -> int:
    """Return the nearest status that the published document has; those of `_KEPT` say what it has no word for."""
    if status == HTTPStatus.INSUFFICIENT_STORAGE:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return status if status >= 500 or status in _KEPT else HTTPStatus.BAD_REQUEST


def _chunk(hit: Hit) -> ChunkResult:
    return ChunkResult(
        chunk_text=hit.content,
        chapter=hit.metadata["chapter"],
        section=_section(hit),
        page=_page(hit),
        score=hit.score,
        doc_id=_uuid(hit.document_id),
        chunk_index=hit.index,
    )


def _section(hit: Hit) -> str:
    """Return the section, as text also where the profile does not declare it so."""
    value = hit.metadata.get("section", "")
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _page(hit: Hit) -> int:
    """Return the page of the book: of a chunk with a page of its own, the printed one or that counted from the start.

    A printed number before the document's first page counts within the document, and is not the book's.
    """
    first: int = hit.metadata["page"]
    if hit.page is None:
        return first
    label = hit.page_label or ""
    printed = int(label) if label.isascii() and label.isdigit() and len(label) <= _LONGEST_PAGE else 0
    return printed if printed >= first else first + hit.page - 1


def _uuid(document_id: str) -> str:
    """Return a document's id as the published shape has it; those of files are made of their paths."""
    try:
        return str(uuid.UUID(document_id))
    except ValueError:
        return str(uuid.uuid5(_DOCUMENTS, document_id))
