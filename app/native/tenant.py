"""A tenant that this process opens itself: what commands do, with the engine, in the wire's shapes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from app.native import mapping
from app.native.schemas.conversations import (
    ConversationDeletionResponse,
    ConversationSchema,
    ConversationsResponse,
)
from app.native.schemas.documents import (
    ChunksResponse,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    FailedSchema,
    IngestedSchema,
    VersionsResponse,
)
from app.native.schemas.explain import ExplainResponse
from app.native.schemas.facets import FacetsResponse
from app.native.schemas.feedback import (
    ExperimentsResponse,
    FeedbackRequest,
    FeedbackResponse,
    FeedbackSchema,
    WithdrawnResponse,
)
from app.native.schemas.jobs import FileSchema, JobAcceptedResponse, JobSchema, JobsResponse
from app.native.schemas.search import AnswerPart, QueryResponse, SearchResponse
from app.native.schemas.upkeep import DoctorResponse, StatsResponse, SyncResponse
from pipelines.types import DocumentInput, DocumentState, IngestResult, JobKind, JobState, Mode, Progress

if TYPE_CHECKING:
    from pipelines import Engine, ScopedEngine  # LlamaIndex with it, which asking for help does without

Report = Callable[[str, int, int | None], None]
"""Told a name, how many are done, and of how many; None while they are being counted."""


class LocalTenant:
    """A tenant that is open in this process; its methods are those of `app.remote.tenant.RemoteTenant`.

    Raises:
        FootnoteError: From every method, as the engine's method of that name.
    """

    def __init__(self, engine: Engine | ScopedEngine) -> None:
        self._engine = engine

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        mode: Mode | None = None,
        as_of: int | None = None,
    ) -> SearchResponse:
        """The chunks that answer ``query`` best."""
        found = self._engine.search(
            query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, mode=mode, as_of=as_of
        )
        return mapping.search_response(found)

    def answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
        llm: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        tools: bool = True,
    ) -> QueryResponse:
        """An answer with its footnotes."""
        answer = self._engine.answer(
            question,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            as_of=as_of,
            llm=llm,
            conversation_id=conversation_id,
            tools=tools,
        )
        return mapping.query_response(answer)

    def stream_answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
        llm: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        tools: bool = True,
    ) -> Generator[AnswerPart, None, None]:
        """The parts of an answer as it is written; closing it stops the language model."""
        answering = self._engine.stream_answer(
            question,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            as_of=as_of,
            llm=llm,
            conversation_id=conversation_id,
            tools=tools,
        )
        with closing(answering) as events:
            for event in events:
                part = mapping.answer_part(event)
                if part is not None:
                    yield part

    def explain(
        self,
        query: str,
        *,
        document_id: str | None = None,
        chunk_id: str | None = None,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        mode: Mode | None = None,
        as_of: int | None = None,
    ) -> ExplainResponse:
        """Why a search shows a document or a chunk, or does not."""
        explanation = self._engine.explain(
            query,
            document_id=document_id,
            chunk_id=chunk_id,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            mode=mode,
            as_of=as_of,
        )
        return mapping.explain_response(explanation)

    def ingest(self, documents: Sequence[DocumentInput], report: Report) -> list[IngestedSchema | FailedSchema]:
        """Brings ``documents`` in, and says what became of each."""
        return mapping.ingested_documents(self._engine.ingest(documents, _told(report))).documents

    def submit(self, documents: Sequence[DocumentInput]) -> list[JobAcceptedResponse | FailedSchema]:
        """Leaves ``documents`` to one job, and names it."""
        return [mapping.accepted(self._engine.jobs.submit("ingest", documents))]

    def documents(
        self,
        limit: int,
        cursor: str | None = None,
        *,
        filters: Mapping[str, Any] | None = None,
        state: DocumentState | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
    ) -> DocumentsResponse:
        """A page of documents."""
        page = self._engine.documents(limit, cursor, filters=filters, scope=scope, inherit=inherit, state=state)
        return mapping.documents(page)

    def facets(
        self,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
    ) -> FacetsResponse:
        """Which values the documents have, and how many have them."""
        return mapping.facets(self._engine.facets(filters=filters, scope=scope, inherit=inherit))

    def document(self, document_id: str) -> DocumentSchema:
        """One document."""
        return mapping.document(self._engine.document(document_id))

    def versions(self, document_id: str) -> VersionsResponse:
        """A document's versions."""
        return mapping.versions(self._engine.versions(document_id))

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """The stored text of a version."""
        return self._engine.content(document_id, version, as_of)

    def chunks(self, document_id: str, as_of: int | None = None) -> ChunksResponse:
        """The chunks of a version."""
        return mapping.chunks(self._engine.chunks(document_id, as_of=as_of))

    def delete(self, document_id: str, purge: bool = False) -> DeletionResponse:
        """Takes a document out; with ``purge`` its history too."""
        return mapping.deletion(self._engine.delete(document_id, purge))

    def sync(self, report: Report, allow_empty: bool = False) -> SyncResponse:
        """Brings the tenant in line with its knowledge folder."""
        return mapping.synchronisation(self._engine.sync(_told(report), allow_empty=allow_empty))

    def stats(self, most: int = 0) -> StatsResponse:
        """How much the tenant holds, and what is asked of it: ``most`` questions of each kind."""
        return mapping.stats(self._engine.stats(), self._engine.usage(most), self._engine.cache_use())

    def give_feedback(self, asked: FeedbackRequest) -> FeedbackSchema:
        """Says of an answer what the request says."""
        said = self._engine.feedback(
            asked.answer_id,
            helpful=asked.helpful,
            comment=asked.comment,
            citations=mapping.citation_marks(asked),
            user=asked.user,
        )
        return mapping.feedback(said)

    def withdraw_feedback(self, answer_id: str, user: str | None = None) -> WithdrawnResponse:
        """Takes back what was said of an answer."""
        self._engine.withdraw_feedback(answer_id, user=user)
        return WithdrawnResponse(answer_id=answer_id)

    def feedback(self, limit: int, cursor: str | None = None, helpful: bool | None = None) -> FeedbackResponse:
        """A page of feedback."""
        return mapping.feedback_page(self._engine.all_feedback(limit, cursor, helpful=helpful))

    def experiments(self) -> ExperimentsResponse:
        """How the prompt variants do."""
        return mapping.experiments(self._engine.experiments())

    def doctor(self, repair: bool = False) -> DoctorResponse:
        """What is wrong with the tenant's data."""
        return mapping.examination(self._engine.doctor(repair=repair))

    def carry_out(self, kind: JobKind, report: Report) -> list[FileSchema]:
        """Does at once what a job of this kind does later; gives the files that failed."""
        if kind == "purge":
            self._engine.purge(_told(report))
            return []
        results = self._engine.reembed(_told(report))
        return [_failed(result) for result in results if result.state == "failed"]

    def start(self, kind: JobKind) -> str:
        """Asks for a job on the whole tenant, and gives its id."""
        return self._engine.jobs.submit(kind).job_id

    def jobs(self, limit: int, cursor: str | None = None, state: JobState | None = None) -> JobsResponse:
        """A page of jobs."""
        return mapping.jobs(self._engine.jobs.list(limit, cursor, state))

    def job(self, job_id: str) -> JobSchema:
        """One job."""
        return mapping.job(self._engine.jobs.job(job_id))

    def cancel(self, job_id: str) -> JobSchema:
        """Cancels a job."""
        return mapping.job(self._engine.jobs.cancel(job_id))

    def conversations(self, limit: int, cursor: str | None = None) -> ConversationsResponse:
        """A page of conversations."""
        return mapping.conversations(self._engine.conversations.list(limit, cursor))

    def conversation(self, conversation_id: str) -> ConversationSchema:
        """A conversation with its turns."""
        return mapping.conversation(self._engine.conversations.conversation(conversation_id))

    def delete_conversation(self, conversation_id: str) -> ConversationDeletionResponse:
        """Takes a conversation out."""
        removed = self._engine.conversations.delete(conversation_id)
        return ConversationDeletionResponse(conversation_id=conversation_id, turns_removed=removed)


def _failed(result: IngestResult) -> FileSchema:
    path = result.source or result.document_id
    return FileSchema(path=path, state="failed", reason=result.reason, chunks=0, bytes=result.bytes)


def _told(report: Report) -> Callable[[Progress], None]:
    def tell(progress: Progress) -> None:
        latest = progress.latest[-1].path if progress.latest else ""
        report(latest, progress.documents_done, progress.documents_total)

    return tell
