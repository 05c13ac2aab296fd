"""Between the native API's shapes and the core's values; the command line writes its JSON with them too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from app.http.errors import DocumentFailed, MalformedRequest
from app.http.strict_json import parse_json
from app.http.validation import validated
from app.native.schemas.base import Filters
from app.native.schemas.conversations import ConversationSchema, ConversationsResponse
from app.native.schemas.documents import (
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
    SingleDocumentRequest,
    UploadFields,
    VersionSchema,
    VersionsResponse,
)
from app.native.schemas.explain import ExplainRequest, ExplainResponse
from app.native.schemas.facets import FacetsResponse
from app.native.schemas.feedback import ExperimentsResponse, FeedbackRequest, FeedbackResponse, FeedbackSchema
from app.native.schemas.jobs import JobAcceptedResponse, JobRequest, JobSchema, JobsResponse
from app.native.schemas.search import (
    ANSWER_PARTS,
    AnswerPart,
    CitationSchema,
    QueryRequest,
    QueryResponse,
    SearchRequest,
    SearchResponse,
    SourcesSchema,
    TokenSchema,
    ToolsSchema,
)
from app.native.schemas.upkeep import DoctorResponse, RenameSchema, StatsResponse, SyncCountsSchema, SyncResponse
from pipelines.errors import Problem, UnreadableDocument
from pipelines.reading.archive import Archive, is_archive
from pipelines.types import (
    Answer,
    AnswerDone,
    AnswerEvent,
    CacheUse,
    CitationMade,
    CitationMark,
    Conversation,
    ConversationPage,
    Deletion,
    Document,
    DocumentInput,
    DocumentPage,
    Examination,
    Experiment,
    Explanation,
    Facets,
    Feedback,
    FeedbackPage,
    Heartbeat,
    Hit,
    IngestResult,
    Job,
    JobPage,
    Query,
    SearchDone,
    SearchResult,
    SourcesFound,
    Stats,
    SyncResult,
    TextWritten,
    ToolsAsked,
    Usage,
    VersionInfo,
)

if TYPE_CHECKING:
    from app.http.uploads import UploadedFile  # FastAPI, which the command line does without

_QUERY_FIELDS = frozenset(field.name for field in fields(Query)) - {"text"}


def query_of(text: str, asked: BaseModel) -> Query:
    """Return the query that a request asks: ``text``, and the fields that both have."""
    named = _QUERY_FIELDS.intersection(type(asked).model_fields)
    said = {name: _plain(getattr(asked, name)) for name in named}
    return Query(text, **said)


def search_request(query: Query) -> dict[str, Any]:
    """Return the body that asks a server for a search."""
    return {"query": query.text, **_said_in(SearchRequest, query)}


def query_request(query: Query) -> dict[str, Any]:
    """Return the body that asks a server for an answer."""
    return {"question": query.text, **_said_in(QueryRequest, query)}


def explain_request(query: Query, document_id: str | None, chunk_id: str | None) -> dict[str, Any]:
    """Return the body that asks a server for an explanation."""
    about = {"document_id": document_id, "chunk_id": chunk_id}
    named = {name: value for name, value in about.items() if value is not None}
    return {"query": query.text, **_said_in(ExplainRequest, query), **named}


def _said_in(request: type[BaseModel], query: Query) -> dict[str, Any]:
    """The fields of a query that a request has, without those that say nothing: the server's defaults hold for them."""
    named = (name for name in request.model_fields if name in _QUERY_FIELDS)
    return {name: value for name in named if (value := getattr(query, name)) is not None}


def _plain(value: Any) -> Any:
    return value.model_dump(exclude_none=True) if isinstance(value, BaseModel) else value


@dataclass(frozen=True, slots=True)
class Brought:
    """What a request brings to ingest, whether that is one document or a list, and whether its giver waits."""

    documents: tuple[DocumentInput, ...]
    several: bool
    wait: bool


def of_body(body: Any) -> Brought:
    """The documents that a JSON body brings.

    Raises:
        MalformedRequest: It is not of the form of one document or of several.
    """
    if isinstance(body, dict) and "documents" in body:
        several = validated(DocumentsRequest, body)
        return Brought(tuple(map(_document_input, several.documents)), several=True, wait=several.wait)
    single = validated(SingleDocumentRequest, body)
    return Brought((_document_input(single),), several=False, wait=single.wait)


def of_upload(upload: UploadedFile) -> Brought:
    """The document that a form brings; its source tells the format, and where that has no ending the file's media type.

    Raises:
        InvalidJson, MalformedRequest: As for ``of_body``.
    """
    given: dict[str, Any] = {name: text for name, text in upload.fields.items() if text}
    if "metadata" in given:
        given["metadata"] = parse_json(given["metadata"], "metadata")
    fields = validated(UploadFields, given)
    source = fields.source or upload.name
    document = DocumentInput(
        content=upload.content,
        document_id=fields.document_id,
        title=fields.title,
        source=source,
        media_type=_media_type(source, upload.media_type),
        metadata=fields.metadata,
    )
    return Brought((document,), several=False, wait=fields.wait)


def unpacked(brought: Brought) -> Brought:
    """What a request brings, with the files of an archive in its place; one that cannot be read stays, and fails."""
    first = brought.documents[0]
    if brought.several or not isinstance(first.content, bytes) or not is_archive(first.source or ""):
        return brought
    if first.title is not None:
        raise MalformedRequest(
            Problem("title", "must not be given with an archive: its files have titles of their own")
        )
    try:
        files = Archive(BytesIO(first.content)).read_all()
    except UnreadableDocument:
        return brought
    documents = tuple(_unpacked(first, name, content) for name, content in files.items())
    return replace(brought, documents=documents, several=True)


def _unpacked(archive: DocumentInput, name: str, content: bytes) -> DocumentInput:
    document_id = None if archive.document_id is None else f"{archive.document_id}/{name}"
    return replace(
        archive, content=content, source=f"{archive.source}/{name}", document_id=document_id, media_type=None
    )


def offered(asked: JobRequest) -> tuple[DocumentInput, ...]:
    """The documents that a job is to ingest."""
    return tuple(map(_document_input, asked.documents or ()))


def filters(text: str | None) -> Filters | None:
    """The filter that a parameter of an address spells.

    Raises:
        InvalidJson, MalformedRequest: It is not JSON, or no mapping.
    """
    return _mapping("filters", text)


def scope(text: str | None) -> Filters | None:
    """The scope that a parameter of an address spells; see `filters`."""
    return _mapping("scope", text)


def _mapping(name: str, text: str | None) -> dict[str, Any] | None:
    parsed = None if text is None else parse_json(text, name)
    if parsed is not None and not isinstance(parsed, dict):
        raise MalformedRequest(Problem(name, "must be a mapping of fields to values, as JSON"))
    return parsed


def _media_type(source: str, sent: str | None) -> str | None:
    """What was sent with a file, where its name does not tell and it says anything: octets can be anything."""
    return None if PurePosixPath(source).suffix or sent == "application/octet-stream" else sent


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


def explain_response(explanation: Explanation) -> ExplainResponse:
    """An explanation."""
    return ExplainResponse.model_validate(explanation)


def facets(found: Facets) -> FacetsResponse:
    """Which values the documents have."""
    return FacetsResponse.model_validate(found)


def versions(found: Iterable[VersionInfo]) -> VersionsResponse:
    """A document's versions."""
    return VersionsResponse(versions=[VersionSchema.model_validate(version) for version in found])


def chunks(hits: Iterable[Hit]) -> ChunksResponse:
    """A document's chunks."""
    return ChunksResponse(chunks=[ChunkSchema.model_validate(hit) for hit in hits])


def search_response(result: SearchResult) -> SearchResponse:
    """The hits of a search."""
    return SearchResponse.model_validate(result)


def query_response(answer: Answer) -> QueryResponse:
    """An answer with its footnotes."""
    return QueryResponse.model_validate(answer)


def answer_events(events: Generator[AnswerEvent, None, None]) -> Generator[tuple[str, BaseModel] | None, None, None]:
    """The events of an answer by the names they have on the wire; None for those that are not sent.

    Closing it closes ``events``.
    """
    with closing(events):
        for event in events:
            part = answer_part(event)
            yield None if part is None else _named(part)


def answer_part(event: AnswerEvent) -> AnswerPart | None:
    """What an event of an answer holds; None if it has nothing to send."""
    match event:
        case ToolsAsked():
            return ToolsSchema.model_validate(event)
        case SourcesFound():
            return SourcesSchema.model_validate(event)
        case TextWritten():
            return TokenSchema.model_validate(event)
        case CitationMade():
            return CitationSchema.model_validate(event.citation)
        case AnswerDone():
            return query_response(event.answer)
        case SearchDone() | Heartbeat():
            return None


def _named(part: AnswerPart) -> tuple[str, BaseModel]:
    return next(name for name, shape in ANSWER_PARTS.items() if isinstance(part, shape)), part


def conversations(page: ConversationPage) -> ConversationsResponse:
    """A page of conversations."""
    return ConversationsResponse.model_validate(page)


def conversation(found: Conversation) -> ConversationSchema:
    """A conversation with its turns."""
    return ConversationSchema.model_validate(found)


def citation_marks(asked: FeedbackRequest) -> tuple[CitationMark, ...]:
    """What a request says of single citations."""
    return tuple(CitationMark(mark.number, mark.correct, mark.comment) for mark in asked.citations)


def feedback(said: Feedback) -> FeedbackSchema:
    """What a user says of an answer."""
    return FeedbackSchema.model_validate(said)


def feedback_page(page: FeedbackPage) -> FeedbackResponse:
    """A page of feedback."""
    return FeedbackResponse.model_validate(page)


def experiments(found: Experiment) -> ExperimentsResponse:
    """How prompt variants do."""
    return ExperimentsResponse.model_validate(found)


def deletion(receipt: Deletion) -> DeletionResponse:
    """The receipt of a deletion."""
    return DeletionResponse.model_validate(receipt)


def stats(held: Stats, used: Usage, cache: CacheUse) -> StatsResponse:
    """How much a tenant holds, and what is asked of it."""
    asked = {"top_questions": used.queries, "unanswered": used.unanswered, "answer_cache": cache}
    return StatsResponse.model_validate(asdict(held) | asked)


def synchronisation(synced: SyncResult) -> SyncResponse:
    """What a synchronisation did."""
    states = Counter(result.state for result in synced.results)
    counts = SyncCountsSchema(
        ready=states["ready"],
        unchanged=states["unchanged"],
        failed=states["failed"],
        renamed=len(synced.renamed),
        removed=len(synced.removed),
        busy=len(synced.busy),
    )
    return SyncResponse(
        counts=counts,
        documents=[_ingested(result) for result in synced.results if result.state != "unchanged"],
        renamed=[RenameSchema.model_validate(rename) for rename in synced.renamed],
        removed=[deletion(receipt) for receipt in synced.removed],
        busy=list(synced.busy),
    )


def examination(found: Examination) -> DoctorResponse:
    """What a doctor found."""
    return DoctorResponse.model_validate(found)


def accepted(job: Job) -> JobAcceptedResponse:
    """The name of a job that will do the work."""
    return JobAcceptedResponse.model_validate(job)


def job(found: Job) -> JobSchema:
    """A job with its files."""
    return JobSchema.model_validate(found)


def jobs(page: JobPage) -> JobsResponse:
    """A page of jobs."""
    return JobsResponse.model_validate(page)
