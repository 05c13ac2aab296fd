"""The core's values in the native API's shapes; the command line writes its JSON with them too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime

from pydantic import BaseModel

from app.http.errors import DocumentFailed
from app.native.schemas.conversations import ConversationSchema, ConversationsResponse
from app.native.schemas.documents import (
    ChunkSchema,
    ChunksResponse,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    FailedSchema,
    IngestedDocumentsResponse,
    IngestedSchema,
    VersionSchema,
    VersionsResponse,
)
from app.native.schemas.explain import ExplainResponse
from app.native.schemas.facets import FacetsResponse
from app.native.schemas.feedback import (
    ExperimentsResponse,
    FeedbackResponse,
    FeedbackSchema,
    UnlabelledResponse,
    UnlabelledSchema,
)
from app.native.schemas.jobs import JobAcceptedResponse, JobSchema, JobsResponse
from app.native.schemas.keys import AuditResponse, IssuedKeySchema, KeySchema, KeysResponse, KeyState
from app.native.schemas.search import (
    ANSWER_PARTS,
    AnswerPart,
    CitationSchema,
    QueryResponse,
    SearchResponse,
    SourcesSchema,
    StepSchema,
    TokenSchema,
    ToolsSchema,
)
from app.native.schemas.upkeep import DoctorResponse, RenameSchema, StatsResponse, SyncCountsSchema, SyncResponse
from pipelines.profile.schema import Profile
from pipelines.profile.sections.access import Key
from pipelines.types import (
    AccessKey,
    Answer,
    AnswerDone,
    AnswerEvent,
    AuditPage,
    CacheUse,
    CitationMade,
    Conversation,
    ConversationPage,
    Deletion,
    Document,
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
    IssuedKey,
    Job,
    JobPage,
    SearchDone,
    SearchResult,
    SourcesFound,
    Stats,
    StepDone,
    SyncResult,
    TextWritten,
    ToolsAsked,
    Unlabelled,
    Usage,
    VersionInfo,
)


def ingestion(results: Sequence[IngestResult], several: bool) -> IngestedSchema | IngestedDocumentsResponse:
    """Return what became of what a request brought.

    Raises:
        DocumentFailed: It brought one document, and that failed.
    """
    if several:
        return ingested_documents(results)
    if results[0].state == "failed":
        raise DocumentFailed(results[0].code, results[0].reason or "", results[0].problems)
    return IngestedSchema.model_validate(results[0])


def ingested_documents(results: Iterable[IngestResult]) -> IngestedDocumentsResponse:
    """Return what became of several documents."""
    return IngestedDocumentsResponse(documents=[_ingested(result) for result in results])


def _ingested(result: IngestResult) -> IngestedSchema | FailedSchema:
    shape = FailedSchema if result.state == "failed" else IngestedSchema
    return shape.model_validate(result)


def document(found: Document) -> DocumentSchema:
    """Return a document as the catalogue lists it."""
    return DocumentSchema.model_validate(found)


def documents(page: DocumentPage) -> DocumentsResponse:
    """Return a page of documents."""
    return DocumentsResponse.model_validate(page)


def explain_response(explanation: Explanation) -> ExplainResponse:
    """Return an explanation."""
    return ExplainResponse.model_validate(explanation)


def facets(found: Facets) -> FacetsResponse:
    """Return which values the documents have."""
    return FacetsResponse.model_validate(found)


def versions(found: Iterable[VersionInfo]) -> VersionsResponse:
    """Return a document's versions."""
    return VersionsResponse(versions=[VersionSchema.model_validate(version) for version in found])


def chunks(hits: Iterable[Hit]) -> ChunksResponse:
    """Return a document's chunks."""
    return ChunksResponse(chunks=[ChunkSchema.model_validate(hit) for hit in hits])


def search_response(result: SearchResult) -> SearchResponse:
    """Return the hits of a search."""
    return SearchResponse.model_validate(result)


def query_response(answer: Answer) -> QueryResponse:
    """Return an answer with its footnotes."""
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
    """Return what an event of an answer holds; None if it has nothing to send."""
    part: AnswerPart | None = None
    match event:
        case ToolsAsked():
            part = ToolsSchema.model_validate(event)
        case StepDone():
            part = StepSchema.model_validate(event.step)
        case SourcesFound():
            part = SourcesSchema.model_validate(event)
        case TextWritten():
            part = TokenSchema.model_validate(event)
        case CitationMade():
            part = CitationSchema.model_validate(event.citation)
        case AnswerDone():
            part = query_response(event.answer)
        case SearchDone() | Heartbeat():
            pass
    return part


def _named(part: AnswerPart) -> tuple[str, BaseModel]:
    return next(name for name, shape in ANSWER_PARTS.items() if isinstance(part, shape)), part


def conversations(page: ConversationPage) -> ConversationsResponse:
    """Return a page of conversations."""
    return ConversationsResponse.model_validate(page)


def conversation(found: Conversation) -> ConversationSchema:
    """Return a conversation with its turns."""
    return ConversationSchema.model_validate(found)


def feedback(found: Feedback) -> FeedbackSchema:
    """Return one user's feedback on an answer."""
    return FeedbackSchema.model_validate(found)


def feedback_page(page: FeedbackPage) -> FeedbackResponse:
    """Return a page of feedback."""
    return FeedbackResponse.model_validate(page)


def unlabelled(found: Sequence[Unlabelled]) -> UnlabelledResponse:
    """Return the questions to judge next."""
    return UnlabelledResponse(questions=[UnlabelledSchema.model_validate(one) for one in found])


def experiments(found: Experiment) -> ExperimentsResponse:
    """Return how prompt variants do."""
    return ExperimentsResponse.model_validate(found)


def deletion(receipt: Deletion) -> DeletionResponse:
    """Return the receipt of a deletion."""
    return DeletionResponse.model_validate(receipt)


def stats(held: Stats, used: Usage, cache: CacheUse) -> StatsResponse:
    """Return how much a tenant holds, and what is asked of it."""
    asked = {"top_questions": used.queries, "unanswered": used.unanswered, "answer_cache": cache}
    return StatsResponse.model_validate(asdict(held) | asked)


def synchronisation(synced: SyncResult) -> SyncResponse:
    """Return what a synchronisation did."""
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
        reread=list(synced.reread),
    )


def examination(found: Examination) -> DoctorResponse:
    """Return what a doctor found."""
    return DoctorResponse.model_validate(found)


def accepted(job: Job) -> JobAcceptedResponse:
    """Return the name of a job that will do the work."""
    return JobAcceptedResponse.model_validate(job)


def job(found: Job) -> JobSchema:
    """Return a job with its files."""
    return JobSchema.model_validate(found)


def jobs(page: JobPage) -> JobsResponse:
    """Return a page of jobs."""
    return JobsResponse.model_validate(page)


def keys(profile: Profile, made: Iterable[AccessKey]) -> KeysResponse:
    """Return the keys of the profile, and those that were made at work."""
    return KeysResponse(keys=[*map(_profile_key, profile.auth.keys), *map(key, made)])


def key(made: AccessKey) -> KeySchema:
    """Return a key that was made at work."""
    return KeySchema(
        name=made.name,
        role=made.role,
        scope=dict(made.scope),
        state=_state(made),
        in_profile=False,
        created_at=made.created_at,
        expires_at=made.expires_at,
        revoked_at=made.revoked_at,
        last_used_at=made.last_used_at,
    )


def issued_key(issued: IssuedKey) -> IssuedKeySchema:
    """Return a key with its secret."""
    return IssuedKeySchema(**key(issued.key).model_dump(), secret=issued.secret)


def audit(page: AuditPage) -> AuditResponse:
    """Return a page of the audit log."""
    return AuditResponse.model_validate(page)


def _profile_key(one: Key) -> KeySchema:
    return KeySchema(
        name=one.name,
        role=one.role,
        scope=one.scope,
        state="active",
        in_profile=True,
        created_at=None,
        expires_at=None,
        revoked_at=None,
        last_used_at=None,
    )


def _state(made: AccessKey) -> KeyState:
    if made.revoked_at is not None:
        return "revoked"
    expired = made.expires_at is not None and made.expires_at <= datetime.now(UTC)
    return "expired" if expired else "active"
