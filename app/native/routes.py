"""Footnote's own routes: parse, call the core, map."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse
from fastapi.security import APIKeyHeader, HTTPBearer

from app.http.errors import MalformedRequest
from app.http.problems import problem_responses
from app.http.routing import guarded, media_type
from app.http.strict_json import text_flaw
from app.http.uploads import read_upload
from app.native import mapping
from app.native.schemas import (
    DOCUMENTS_BODY,
    ChunksResponse,
    ContentParameters,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    IngestedDocumentsResponse,
    IngestedSchema,
    ListParameters,
    NoParameters,
    QueryRequest,
    QueryResponse,
    SearchRequest,
    SearchResponse,
    StatsResponse,
    UploadFields,
    WaitParameters,
)
from pipelines import Engine
from pipelines.errors import Problem
from pipelines.profile.schema import Role


async def _tenant_engine(
    request: Request, tenant: Annotated[str, Path(description="name of the tenant", examples=["smartbreeds"])]
) -> Engine:
    engine: Engine = request.state.tenants.engine(tenant)
    return engine


async def _document_id(
    document_id: Annotated[
        str,
        Path(description="id; a slash in it may be sent as %2F, and must be so where it ends in /content or /chunks"),
    ],
) -> str:
    decoded = unquote(document_id)
    if flaw := text_flaw(decoded):
        raise MalformedRequest(Problem("document_id", flaw))
    return decoded


async def _brought(request: Request, asked: Annotated[WaitParameters, Query()]) -> mapping.Brought:
    mapping.refuse_job(asked.wait)
    if media_type(request.headers.get("content-type", "")) == "multipart/form-data":
        return mapping.of_upload(await read_upload(request, UploadFields.model_fields))
    return mapping.of_body(await request.json())


TenantEngine = Annotated[Engine, Depends(_tenant_engine)]
DocumentId = Annotated[str, Depends(_document_id)]
Brought = Annotated[mapping.Brought, Depends(_brought)]
Nothing = Annotated[NoParameters, Query()]

# The key is asked for in `guarded`, before the body; these two tell the documentation how it is sent.
_KEY_SCHEMES = [Depends(HTTPBearer(auto_error=False)), Depends(APIKeyHeader(name="X-API-Key", auto_error=False))]
_ALWAYS = problem_responses(400, 401, 404, 421, 500)


def _routes_for(role: Role) -> APIRouter:
    return APIRouter(
        route_class=guarded(role),
        dependencies=_KEY_SCHEMES,
        responses=_ALWAYS,
        generate_unique_id_function=lambda route: route.name,
    )


reader = _routes_for("reader")
writer = _routes_for("writer")


@writer.post(
    "/{tenant}/documents",
    status_code=201,
    responses=problem_responses(403, 409, 413, 422, 503, 504),
    openapi_extra={"requestBody": DOCUMENTS_BODY},
)
def ingest(engine: TenantEngine, brought: Brought) -> IngestedSchema | IngestedDocumentsResponse:
    """Ingest one document, a list of documents, or a file; answers when they can be found."""
    results = engine.ingest(brought.documents)
    return mapping.ingestion(results, brought.several)


@reader.get("/{tenant}/documents")
def list_documents(engine: TenantEngine, asked: Annotated[ListParameters, Query()]) -> DocumentsResponse:
    """List the documents, page by page."""
    page = engine.documents(asked.limit, asked.cursor)
    return mapping.documents(page)


@reader.get("/{tenant}/documents/{document_id:path}/content", response_class=PlainTextResponse)
def document_content(
    engine: TenantEngine, document_id: DocumentId, asked: Annotated[ContentParameters, Query()]
) -> PlainTextResponse:
    """The stored text of a document, which the spans of citations count in."""
    text = engine.content(document_id, asked.version)
    return PlainTextResponse(text, headers={"X-Content-Type-Options": "nosniff"})


@reader.get("/{tenant}/documents/{document_id:path}/chunks")
def document_chunks(engine: TenantEngine, document_id: DocumentId, asked: Nothing) -> ChunksResponse:
    """The chunks of a document's current version."""
    chunks = engine.chunks(document_id)
    return mapping.chunks(chunks)


@reader.get("/{tenant}/documents/{document_id:path}")
def document(engine: TenantEngine, document_id: DocumentId, asked: Nothing) -> DocumentSchema:
    """One document; an id that ends in /content or /chunks must be sent with %2F for that slash."""
    found = engine.document(document_id)
    return mapping.document(found)


@writer.delete("/{tenant}/documents/{document_id:path}", responses=problem_responses(403, 409, 503))
def delete_document(engine: TenantEngine, document_id: DocumentId, asked: Nothing) -> DeletionResponse:
    """Remove a document with all its versions."""
    receipt = engine.delete(document_id)
    return mapping.deletion(receipt)


@reader.post("/{tenant}/search", responses=problem_responses(413, 422, 503, 504))
def search(engine: TenantEngine, asked: SearchRequest) -> SearchResponse:
    """Find the chunks that answer a query."""
    result = engine.search(
        asked.query, top_k=asked.top_k, filters=asked.filters, mode=asked.mode, min_score=asked.min_score
    )
    return mapping.search_response(result)


@reader.post("/{tenant}/query", responses=problem_responses(413, 422, 503, 504))
def query(engine: TenantEngine, asked: QueryRequest) -> QueryResponse:
    """Answer a question, with footnotes."""
    answer = engine.answer(asked.question, top_k=asked.top_k, filters=asked.filters)
    return mapping.query_response(answer)


@reader.get("/{tenant}/stats")
def stats(engine: TenantEngine, asked: Nothing) -> StatsResponse:
    """How much the tenant holds."""
    held = engine.stats()
    return mapping.stats(held)
