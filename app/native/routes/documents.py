"""Routes of documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from app.http.auditing import add_target
from app.http.problems import problem_responses
from app.http.routing import media_type, parsed_apart
from app.http.uploads import read_upload
from app.native import mapping, requests
from app.native.routes.dependencies import (
    JOB_ACCEPTED,
    AcceptJob,
    DocumentId,
    IdempotencyKey,
    Nothing,
    RequireRole,
    TenantEngine,
    require_no_key,
    routes_for,
)
from app.native.schemas.base import WaitParameters
from app.native.schemas.documents import (
    ChunksResponse,
    DeleteParameters,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    IngestedDocumentsResponse,
    IngestedSchema,
    ListParameters,
    PageParameters,
    PictureParameters,
    UploadFields,
    VersionParameters,
    VersionsResponse,
    documents_body,
)
from app.native.schemas.facets import FacetParameters, FacetsResponse
from pipelines.types import Span

reader = routes_for("reader")
writer = routes_for("writer")
PageNumber = Annotated[int, Path(ge=1, lt=2**31, description="the physical page, from 1")]
PAGE_PICTURE: dict[str, Any] = {
    "content": {"image/png": {"schema": {"type": "string", "contentMediaType": "image/png"}}},
    "description": "the page",
    "headers": {
        "Footnote-Marked-At": {
            "description": "how far down the passage begins, 0 to 1; missing where it was not found on the page",
            "schema": {"type": "number"},
        }
    },
}
PictureNumber = Annotated[int, Path(ge=1, lt=2**31, description="the picture's number in the version")]
_PICTURE_BODY = {"schema": {"type": "string", "contentMediaType": "image/*"}}
PICTURE: dict[str, Any] = {
    "content": {"image/png": _PICTURE_BODY, "image/jpeg": _PICTURE_BODY},
    "description": "the picture",
}
_INERT = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
ROUTERS = (reader, writer)


async def _brought(request: Request, asked: Annotated[WaitParameters, Query()]) -> requests.IngestionRequest:
    if media_type(request.headers.get("content-type", "")) == "multipart/form-data":
        form = await read_upload(
            request, UploadFields.model_fields, of_each_file=(requests.EACH_FILES,), most_files=requests.MOST_FILES
        )
        brought = requests.of_upload(form)
    else:
        brought = await parsed_apart(request, requests.of_body, await request.json())  # it may hold many documents
    return replace(brought, wait=brought.wait and asked.wait)


@writer.post(
    "/{tenant}/documents",
    status_code=201,
    response_model=IngestedSchema | IngestedDocumentsResponse,
    responses={**JOB_ACCEPTED, **problem_responses(403, 409, 413, 415, 422, 504)},
    openapi_extra={"requestBody": documents_body()},
)
def ingest(
    engine: TenantEngine,
    brought: Annotated[requests.IngestionRequest, Depends(_brought)],
    accept: AcceptJob,
    idempotency_key: IdempotencyKey = None,
) -> IngestedSchema | IngestedDocumentsResponse | JSONResponse:
    """Ingest one document, a list of documents, or a file; answers when they can be found, or names the job.

    A ZIP archive brings the files in it, and a mailbox its messages, each with the archive's source before its own;
    the answer is that to a list.
    A form may hold up to 100 files, and then `source` once for each, or not at all; that answer is the same.
    """
    brought = requests.unpacked(brought)
    if not brought.wait:
        return accept(engine.jobs.submit("ingest", brought.documents, idempotency_key=idempotency_key))
    require_no_key(idempotency_key)
    results = engine.ingest(brought.documents)
    for result in results:
        add_target(result.document_id)
    return mapping.ingestion(results, brought.several)


@reader.get("/{tenant}/documents", responses=problem_responses(422))
def list_documents(engine: TenantEngine, asked: Annotated[ListParameters, Query()]) -> DocumentsResponse:
    """List the documents, page by page."""
    page = engine.documents(
        asked.limit,
        asked.cursor,
        filters=requests.filters(asked.filters),
        scope=requests.scope(asked.scope),
        inherit=asked.inherit,
        state=asked.state,
    )
    return mapping.documents(page)


@reader.get("/{tenant}/facets", responses=problem_responses(422))
def facets(engine: TenantEngine, asked: Annotated[FacetParameters, Query()]) -> FacetsResponse:
    """Which values the documents have, in each keyword field and down the hierarchy, and how many have them."""
    found = engine.facets(
        filters=requests.filters(asked.filters),
        scope=requests.scope(asked.scope),
        inherit=asked.inherit,
        limit=asked.limit,
    )
    return mapping.facets(found)


@reader.get("/{tenant}/documents/{document_id:path}/versions")
def document_versions(engine: TenantEngine, document_id: DocumentId, asked: Nothing) -> VersionsResponse:
    """The versions of a document that are kept, newest first."""
    versions = engine.versions(document_id)
    return mapping.versions(versions)


@reader.get(
    "/{tenant}/documents/{document_id:path}/content",
    response_class=PlainTextResponse,
    responses=problem_responses(422),
)
def document_content(
    engine: TenantEngine, document_id: DocumentId, asked: Annotated[VersionParameters, Query()]
) -> PlainTextResponse:
    """The stored text of a version, which the spans of citations count in."""
    text = engine.content(document_id, asked.version, asked.as_of)
    return PlainTextResponse(text, headers={"X-Content-Type-Options": "nosniff"})


@reader.get("/{tenant}/documents/{document_id:path}/chunks", responses=problem_responses(422))
def document_chunks(
    engine: TenantEngine, document_id: DocumentId, asked: Annotated[VersionParameters, Query()]
) -> ChunksResponse:
    """The chunks of a version."""
    chunks = engine.chunks(document_id, asked.version, asked.as_of)
    return mapping.chunks(chunks)


@reader.get(
    "/{tenant}/documents/{document_id:path}/pages/{page}",
    response_class=Response,
    responses={200: PAGE_PICTURE, **problem_responses(422)},
)
def document_page(
    engine: TenantEngine, document_id: DocumentId, page: PageNumber, asked: Annotated[PageParameters, Query()]
) -> Response:
    """A page of a PDF as a picture, with a passage marked; `Footnote-Marked-At` says how far down."""
    shown = engine.page_image(document_id, page, asked.version, Span(asked.start, max(asked.start, asked.end)))
    headers = {} if shown.marked_at is None else {"Footnote-Marked-At": f"{shown.marked_at:.3f}"}
    return Response(shown.png, media_type="image/png", headers=headers)


@reader.get(
    "/{tenant}/documents/{document_id:path}/pictures/{number}",
    response_class=Response,
    responses={200: PICTURE, **problem_responses(422)},
)
def document_picture(
    engine: TenantEngine,
    document_id: DocumentId,
    number: PictureNumber,
    asked: Annotated[PictureParameters, Query()],
) -> Response:
    """A picture of a version, as a PNG or a JPEG that Footnote wrote itself."""
    picture = engine.picture(document_id, number, asked.version)
    return Response(picture.content, media_type=picture.media_type, headers=_INERT)


@reader.get("/{tenant}/documents/{document_id:path}")
def document(engine: TenantEngine, document_id: DocumentId, asked: Nothing) -> DocumentSchema:
    """One document; an id that ends in /content, /chunks or /versions must be sent with %2F for that slash."""
    found = engine.document(document_id)
    return mapping.document(found)


@writer.delete("/{tenant}/documents/{document_id:path}", responses=problem_responses(403, 409))
def delete_document(
    engine: TenantEngine, document_id: DocumentId, asked: Annotated[DeleteParameters, Query()], require: RequireRole
) -> DeletionResponse:
    """Take a document out; with `purge` its history too, so that nothing is left of it."""
    require("admin" if asked.purge else "writer")
    receipt = engine.delete(document_id, purge=asked.purge)
    return mapping.deletion(receipt)
