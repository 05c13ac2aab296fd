"""Between CORTX's shapes and the core's values."""

from __future__ import annotations

import json
import uuid
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.contracts.cortx.schemas import (
    CitationEvent,
    ErrorBody,
    ErrorResponse,
    IngestRequest,
    IngestResponse,
    QueryRequest,
    QueryResponse,
    SearchRequest,
    SearchResponse,
    Source,
    SourcesEvent,
    TokenEvent,
)
from app.http.claims import claim_checks
from app.http.failures import Failure
from app.http.telemetry import request_id
from pipelines.sources import cited_first, cited_first_events
from pipelines.types import (
    Answer,
    AnswerDone,
    AnswerEvent,
    CitationMade,
    Document,
    DocumentInput,
    Hit,
    IngestResult,
    SearchResult,
    SourcesFound,
    TextWritten,
    ToolsAsked,
)

_DOCUMENTS = uuid.UUID("0a2c9d3e-4f51-5b7a-8d0e-c0f7e5b1a6d4")
_PLACE = ("level", "suite", "module", "entity_id")


def document_input(asked: IngestRequest) -> DocumentInput:
    """The document that a request brings.

    The same source at the same place of the hierarchy is the same document, and new content its new version; without a
    source the content tells documents apart.
    """
    source = asked.metadata.get("source")
    place = [asked.metadata.get(name) for name in _PLACE]
    identity = json.dumps([source if isinstance(source, str) and source else [asked.content], place], default=str)
    return DocumentInput(
        content=asked.content,
        document_id=str(uuid.uuid5(_DOCUMENTS, identity)),
        source=source if isinstance(source, str) else None,
        media_type="text/markdown",
        metadata=asked.metadata,
    )


def ingested(result: IngestResult, document: Document) -> IngestResponse:
    """What a document has become; sent again it is the same, and has the same chunks."""
    return IngestResponse(
        document_id=result.document_id,
        chunks_created=document.chunks,
        embeddings_generated=document.chunks,
        version=result.version,
        state="unchanged" if result.state == "unchanged" else "ready",
        created_at=document.created_at,
        updated_at=document.updated_at,
        snapshot=result.snapshot,
    )


def among(asked: QueryRequest | SearchRequest) -> dict[str, Any]:
    """What a request restricts its hits to, as the core's arguments."""
    return {
        "top_k": asked.top_k,
        "filters": asked.filters,
        "scope": asked.scope,
        "inherit": asked.inherit,
        "as_of": asked.as_of,
    }


def search_response(found: SearchResult) -> SearchResponse:
    """The chunks that were found."""
    return SearchResponse(results=[_source(hit) for hit in found], snapshot=found.snapshot)


def query_response(answer: Answer) -> QueryResponse:
    """An answer, with its sources in the order in which it cites them."""
    cited = cited_first(answer)
    return QueryResponse(
        answer=cited.text,
        confidence=answer.confidence,
        sources=[_source(hit) for hit in cited.sources],
        claims=claim_checks(cited.claims),
        processing_time_ms=round(sum(answer.timings_ms.values())),
        answer_id=answer.answer_id,
        abstained=answer.abstained,
        reason=answer.reason,
        model=answer.model,
        llm_generated=answer.llm_generated,
        degraded=answer.degraded,
        snapshot=answer.snapshot,
    )


def events(answering: Generator[AnswerEvent, None, None]) -> Generator[tuple[str, BaseModel] | None, None, None]:
    """The events of a stream; closing it closes ``answering``."""
    with closing(answering):
        for event in cited_first_events(answering):
            yield _event(event)


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """A failure in CORTX's envelope."""
    body = ErrorBody(
        code=failure.code,
        message=failure.detail,
        details=[asdict(problem) for problem in failure.problems],
        request_id=request_id(request),
    )
    return JSONResponse(ErrorResponse(error=body).model_dump(), failure.status, dict(failure.headers))


def _event(event: AnswerEvent) -> tuple[str, BaseModel] | None:
    match event:
        case ToolsAsked():
            return None
        case SourcesFound():
            return "sources", SourcesEvent(sources=[_source(hit) for hit in event.sources])
        case TextWritten():
            return ("token", TokenEvent(text=event.text)) if event.text else None
        case CitationMade():
            return "citation", CitationEvent.model_validate(event.citation, from_attributes=True)
        case AnswerDone():
            return "done", query_response(event.answer)


def _source(hit: Hit) -> Source:
    return Source(
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        chunk_index=hit.index,
        headings=list(hit.headings),
        content=hit.content,
        metadata=dict(hit.metadata),
        similarity=hit.score,
    )
