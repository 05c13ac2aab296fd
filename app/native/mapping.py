"""Between the native API's shapes and the core's values; the command line writes its JSON with them too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from app.http.errors import DocumentFailed
from app.http.strict_json import parse_json
from app.http.validation import validated
from app.native.schemas import (
    ChunkSchema,
    ChunksResponse,
    DeletionResponse,
    DocumentRequest,
    DocumentSchema,
    DocumentsRequest,
    DocumentsResponse,
    FailedSchema,
    IngestedDocumentsResponse,
    IngestedSchema,
    QueryResponse,
    SearchResponse,
    SingleDocumentRequest,
    StatsResponse,
    UploadFields,
)
from pipelines.errors import InvalidRequest, Problem
from pipelines.types import (
    Answer,
    Deletion,
    Document,
    DocumentInput,
    DocumentPage,
    Hit,
    IngestResult,
    SearchResult,
    Stats,
)

if TYPE_CHECKING:
    from app.http.uploads import UploadedFile  # FastAPI, which the command line does without


@dataclass(frozen=True, slots=True)
class Brought:
    """What a request brings to ingest, and whether it brings one document or a list."""

    documents: tuple[DocumentInput, ...]
    several: bool


def of_body(body: Any) -> Brought:
    """The documents that a JSON body brings.

    Raises:
        MalformedRequest: It is not of the form of one document or of several.
        InvalidRequest: It asks not to wait.
    """
    if isinstance(body, dict) and "documents" in body:
        several = validated(DocumentsRequest, body)
        refuse_job(several.wait)
        return Brought(tuple(map(_document_input, several.documents)), several=True)
    single = validated(SingleDocumentRequest, body)
    refuse_job(single.wait)
    return Brought((_document_input(single),), several=False)


def of_upload(upload: UploadedFile) -> Brought:
    """The document that a form brings; its file's name tells the format, and where it has no ending its media type.

    Raises:
        InvalidJson, MalformedRequest, InvalidRequest: As for ``of_body``.
    """
    given: dict[str, Any] = {name: text for name, text in upload.fields.items() if text}
    if "metadata" in given:
        given["metadata"] = parse_json(given["metadata"], "metadata")
    fields = validated(UploadFields, given)
    refuse_job(fields.wait)
    document = DocumentInput(
        content=upload.content,
        document_id=fields.document_id,
        title=fields.title,
        source=upload.name,
        media_type=None if PurePosixPath(upload.name).suffix else upload.media_type,
        metadata=fields.metadata,
    )
    return Brought((document,), several=False)


def refuse_job(wait: bool) -> None:
    """Says that there are no jobs yet, where a caller does not want to wait."""
    if not wait:
        raise InvalidRequest(Problem("wait", "jobs are not built yet, so that every ingestion is waited for"))


def _document_input(asked: DocumentRequest) -> DocumentInput:
    return DocumentInput(
        content=asked.content,
        document_id=asked.document_id,
        title=asked.title,
        source=asked.source,
        media_type=asked.media_type,
        metadata=asked.metadata,
    )


def ingestion(results: Sequence[IngestResult], several: bool) -> IngestedSchema | IngestedDocumentsResponse:
    """What became of what a request brought.

    Raises:
        DocumentFailed: It brought one document, and that failed.
    """
    if several:
        return ingested_documents(results)
    if results[0].state == "failed":
        raise DocumentFailed(results[0].code, results[0].reason or "", results[0].problems)
    return IngestedSchema.model_validate(results[0])


def ingested_documents(results: Iterable[IngestResult]) -> IngestedDocumentsResponse:
    """What became of several documents."""
    return IngestedDocumentsResponse(documents=[_ingested(result) for result in results])


def _ingested(result: IngestResult) -> IngestedSchema | FailedSchema:
    shape = FailedSchema if result.state == "failed" else IngestedSchema
    return shape.model_validate(result)


def document(found: Document) -> DocumentSchema:
    """A document as the catalogue lists it."""
    return DocumentSchema.model_validate(found)


def documents(page: DocumentPage) -> DocumentsResponse:
    """A page of documents."""
    return DocumentsResponse.model_validate(page)


def chunks(hits: Iterable[Hit]) -> ChunksResponse:
    """A document's chunks."""
    return ChunksResponse(chunks=[ChunkSchema.model_validate(hit) for hit in hits])


def search_response(result: SearchResult) -> SearchResponse:
    """The hits of a search."""
    return SearchResponse.model_validate(result)


def query_response(answer: Answer) -> QueryResponse:
    """An answer with its footnotes."""
    return QueryResponse.model_validate(answer)


def deletion(receipt: Deletion) -> DeletionResponse:
    """The receipt of a deletion."""
    return DeletionResponse.model_validate(receipt)


def stats(held: Stats) -> StatsResponse:
    """How much a tenant holds."""
    return StatsResponse.model_validate(held)
