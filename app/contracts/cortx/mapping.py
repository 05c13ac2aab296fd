"""Between CORTX's shapes and the core's values."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime

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
from app.http.contract import sent_text
from app.http.failures import Failure
from app.http.telemetry import request_id
from pipelines import TenantReader
from pipelines.types import (
    Answer,
    AnswerDone,
    AnswerEvent,
    Caller,
    CitationMade,
    Document,
    DocumentInput,
    Heartbeat,
    Hit,
    IngestResult,
    Metadata,
    Query,
    SearchDone,
    SearchResult,
    SourcesFound,
    StepDone,
    TextWritten,
    ToolsAsked,
)
from pipelines.types.footnote_numbers import cited_first, cited_first_events

_DOCUMENTS = uuid.UUID("0a2c9d3e-4f51-5b7a-8d0e-c0f7e5b1a6d4")
_PLACE = ("level", "suite", "module", "entity_id")


def document_input(engine: TenantReader, asked: IngestRequest) -> DocumentInput:
    """Return the document that a request brings.

    The same source at the same place of the hierarchy is the same document, also where it came from the knowledge
    folder, and new content its new version; without a source the content tells documents apart. Front matter counts as
    metadata.
    """
    offered = DocumentInput(content=asked.content, media_type="text/markdown", metadata=asked.metadata)
    offered, metadata = sent_text(engine, offered)
    given = metadata.get("source")
    source = given if isinstance(given, str) else None
    place = [(metadata if source else asked.metadata).get(name) for name in _PLACE]
    identity = json.dumps([source or [asked.content], place], default=str)
    document_id = str(uuid.uuid5(_DOCUMENTS, identity))
    document_id, source = _known(engine, metadata, document_id) or (document_id, source)
    return replace(offered, document_id=document_id, source=source)


def _known(engine: TenantReader, metadata: Metadata, document_id: str) -> tuple[str, str] | None:
    """Id and source of the other document that has the source and the place of ``metadata``, if there is one."""
    identity = {name: metadata.get(name) for name in ("source", *_PLACE)}
    if not identity["source"] or not all(isinstance(value, str | None) for value in identity.values()):
        return None
    others = sorted(engine.sources_of(identity).items())
    return next((other for other in others if other[0] != document_id), None)


def ingested(result: IngestResult, document: Document | None) -> IngestResponse:
    """Return what a document has become; sent again it is the same, and has the same chunks.

    ``document`` is None where it was deleted in the same moment.
    """
    chunks = result.chunks_created if document is None else document.chunks
    moment = datetime.now(UTC)
    return IngestResponse(
        document_id=result.document_id,
        chunks_created=chunks,
        embeddings_generated=chunks,
        version=result.version,
        state="unchanged" if result.state == "unchanged" else "ready",
        created_at=document.created_at if document else moment,
        updated_at=document.updated_at if document else moment,
        snapshot=result.snapshot,
    )


def query_of(text: str, asked: QueryRequest | SearchRequest) -> Query:
    """Return what a request asks; no conversation is kept."""
    return Query(
        text,
        top_k=asked.top_k,
        filters=asked.filters,
        scope=asked.scope,
        inherit=asked.inherit,
        as_of=asked.as_of,
        history=(),
    )


def turn_of(asked: QueryRequest, caller: Caller) -> Query:
    """Return a question as a turn of the conversation that it names, if it names one."""
    query = replace(query_of(asked.question, asked), caller=caller)
    if asked.conversation_id is None:
        return query
    return replace(query, conversation_id=asked.conversation_id, history=None)


def search_response(found: SearchResult) -> SearchResponse:
    """Return the chunks that were found."""
    return SearchResponse(results=[_source(hit) for hit in found], snapshot=found.snapshot)


def query_response(answer: Answer, started: float) -> QueryResponse:
    """Return an answer, with its sources in the order in which it cites them.

    Args:
        answer: The core's.
        started: When the question came, on `time.perf_counter`.
    """
    cited = cited_first(answer)
    return QueryResponse(
        answer=cited.text,
        confidence=answer.confidence,
        sources=[_source(hit) for hit in cited.sources],
        claims=claim_checks(cited.claims),
        processing_time_ms=round((time.perf_counter() - started) * 1000),
        answer_id=answer.answer_id,
        abstained=answer.abstained,
        reason=answer.reason,
        model=answer.model,
        llm_generated=answer.llm_generated,
        degraded=answer.degraded,
        conversation_id=answer.conversation_id,
        rewritten_question=answer.rewritten_question,
        snapshot=answer.snapshot,
    )


def events(
    answering: Generator[AnswerEvent, None, None], started: float
) -> Generator[tuple[str, BaseModel] | None, None, None]:
    """The events of a stream that began at ``started``; closing it closes ``answering``."""
    with closing(answering):
        for event in cited_first_events(answering):
            yield _event(event, started)


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure in CORTX's envelope."""
    body = ErrorBody(
        code=failure.code,
        message=failure.detail,
        details=[asdict(problem) for problem in failure.problems],
        request_id=request_id(request),
    )
    return JSONResponse(ErrorResponse(error=body).model_dump(), failure.status, dict(failure.headers))


def _event(event: AnswerEvent, started: float) -> tuple[str, BaseModel] | None:
    match event:
        case ToolsAsked() | StepDone() | SearchDone() | Heartbeat():
            return None
        case SourcesFound():
            return "sources", SourcesEvent(sources=[_source(hit) for hit in event.sources])
        case TextWritten():
            return "token", TokenEvent(text=event.text)
        case CitationMade():
            return "citation", CitationEvent.model_validate(event.citation, from_attributes=True)
        case AnswerDone():
            return "done", query_response(event.answer, started)


def _source(hit: Hit) -> Source:
    return Source(
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        chunk_index=hit.index,
        headings=list(hit.headings),
        content=hit.content,
        metadata={"timestamp": hit.updated_at, **hit.metadata},
        similarity=hit.score,
    )
