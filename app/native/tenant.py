"""A tenant that this process opens itself: what commands do, with the engine, in the wire's shapes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import Unpack, override

from app.native import mapping, requests, wire
from app.native.client import Report, TenantClient
from pipelines.types import (
    OPERATOR,
    Caller,
    DocumentInput,
    DocumentState,
    IngestResult,
    JobKind,
    JobState,
    Progress,
    Query,
    Selection,
)

if TYPE_CHECKING:
    from pipelines import TenantReader  # LlamaIndex with it, which asking for help does without


class LocalTenant(TenantClient):
    """A tenant that is open in this process; questions count under ``caller``.

    ``on_wait`` is called while an answer is waited for; what it raises ends the work on it.
    """

    def __init__(
        self, engine: TenantReader, caller: Caller = OPERATOR, on_wait: Callable[[], None] | None = None
    ) -> None:
        self._engine = engine
        self._caller = caller
        self._on_wait = on_wait

    @property
    @override
    def is_served(self) -> bool:
        return False

    @override
    def search(self, query: Query) -> wire.SearchResponse:
        return mapping.search_response(self._engine.search(self._asked(query)))

    @override
    def answer(self, query: Query) -> wire.QueryResponse:
        return mapping.query_response(self._engine.answer(self._asked(query), on_wait=self._on_wait))

    @override
    def stream_answer(self, query: Query) -> Generator[wire.AnswerPart, None, None]:
        with closing(self._engine.stream_answer(self._asked(query))) as events:
            for event in events:
                part = mapping.answer_part(event)
                if part is not None:
                    yield part

    def _asked(self, query: Query) -> Query:
        return replace(query, caller=self._caller)

    @override
    def explain(
        self, query: Query, *, document_id: str | None = None, chunk_id: str | None = None
    ) -> wire.ExplainResponse:
        explanation = self._engine.explain(query, document_id=document_id, chunk_id=chunk_id)
        return mapping.explain_response(explanation)

    @override
    def ingest(
        self, documents: Sequence[DocumentInput], report: Report
    ) -> list[wire.IngestedSchema | wire.FailedSchema]:
        results = self._engine.ingest(documents, _as_progress(report))
        self._note("ingest", *(result.document_id for result in results))
        return mapping.ingested_documents(results).documents

    @override
    def submit(self, documents: Sequence[DocumentInput]) -> Iterator[wire.JobAcceptedResponse | wire.FailedSchema]:
        job = self._engine.jobs.submit("ingest", documents)
        self._note("ingest", job.job_id)
        yield mapping.accepted(job)

    @override
    def documents(
        self,
        limit: int,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> wire.DocumentsResponse:
        page = self._engine.documents(limit, cursor, state=state, **selection)
        return mapping.documents(page)

    @override
    def facets(self, **selection: Unpack[Selection]) -> wire.FacetsResponse:
        return mapping.facets(self._engine.facets(**selection))

    @override
    def document(self, document_id: str) -> wire.DocumentSchema:
        return mapping.document(self._engine.document(document_id))

    @override
    def versions(self, document_id: str) -> wire.VersionsResponse:
        return mapping.versions(self._engine.versions(document_id))

    @override
    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        return self._engine.content(document_id, version, as_of)

    @override
    def chunks(self, document_id: str, as_of: int | None = None) -> wire.ChunksResponse:
        return mapping.chunks(self._engine.chunks(document_id, as_of=as_of))

    @override
    def delete(self, document_id: str, purge: bool = False) -> wire.DeletionResponse:
        receipt = self._engine.delete(document_id, purge, patience_s=None)
        self._note("delete_document", document_id)
        return mapping.deletion(receipt)

    @override
    def sync(self, report: Report, allow_empty: bool = False, reread: bool = False) -> wire.SyncResponse:
        whole = self._engine.whole("synchronising with the knowledge folder")
        synced = whole.sync(_as_progress(report), allow_empty=allow_empty, reread=reread)
        self._note("sync")
        return mapping.synchronisation(synced)

    @override
    def backup(self, file: Path) -> None:
        self._engine.whole("backing the tenant up").backup(file)

    @override
    def stats(self, most: int = 0) -> wire.StatsResponse:
        return mapping.stats(self._engine.stats(), self._engine.usage(most), self._engine.cache_use())

    @override
    def give_feedback(self, asked: wire.FeedbackRequest) -> wire.FeedbackSchema:
        feedback = self._engine.feedback(
            asked.answer_id,
            helpful=asked.helpful,
            comment=asked.comment,
            citations=requests.citation_marks(asked),
            user=asked.user,
        )
        return mapping.feedback(feedback)

    @override
    def withdraw_feedback(self, answer_id: str, user: str | None = None) -> wire.WithdrawnResponse:
        self._engine.withdraw_feedback(answer_id, user=user)
        return wire.WithdrawnResponse(answer_id=answer_id)

    @override
    def feedback(self, limit: int, cursor: str | None = None, helpful: bool | None = None) -> wire.FeedbackResponse:
        return mapping.feedback_page(self._engine.all_feedback(limit, cursor, helpful=helpful))

    @override
    def unlabelled(self, limit: int) -> wire.UnlabelledResponse:
        return mapping.unlabelled(self._engine.unlabelled(limit))

    @override
    def experiments(self) -> wire.ExperimentsResponse:
        return mapping.experiments(self._engine.experiments())

    @override
    def doctor(self, repair: bool = False) -> wire.DoctorResponse:
        found = self._engine.whole("the doctor").doctor(repair=repair)
        if repair:
            self._note("doctor")
        return mapping.examination(found)

    @override
    def run_job(self, kind: JobKind, report: Report) -> list[wire.FileSchema] | None:
        self._note("start_job", kind)
        if kind == "purge":
            self._engine.whole("purging").purge(_as_progress(report))
            return []
        results = self._engine.whole("re-embedding").reembed(_as_progress(report))
        return [_failed(result) for result in results if result.state == "failed"]

    @override
    def start(self, kind: JobKind) -> str:
        job_id = self._engine.jobs.submit(kind).job_id
        self._note("start_job", job_id)
        return job_id

    @override
    def jobs(self, limit: int, cursor: str | None = None, state: JobState | None = None) -> wire.JobsResponse:
        return mapping.jobs(self._engine.jobs.list(limit, cursor, state))

    @override
    def job(self, job_id: str) -> wire.JobSchema:
        return mapping.job(self._engine.jobs.job(job_id))

    @override
    def cancel(self, job_id: str) -> wire.JobSchema:
        return mapping.job(self._engine.jobs.cancel(job_id))

    @override
    def keys(self) -> wire.KeysResponse:
        return mapping.keys(self._engine.profile, self._engine.whole("managing keys").keys.list())

    @override
    def create_key(self, asked: wire.KeyRequest) -> wire.IssuedKeySchema:
        issued = self._engine.whole("managing keys").keys.create(
            asked.name, asked.role, scope=asked.scope, days=asked.days
        )
        self._note("create_key", asked.name)
        return mapping.issued_key(issued)

    @override
    def rotate_key(self, name: str, grace_hours: int = 0) -> wire.IssuedKeySchema:
        issued = self._engine.whole("managing keys").keys.rotate(name, grace_hours=grace_hours)
        self._note("rotate_key", name)
        return mapping.issued_key(issued)

    @override
    def revoke_key(self, name: str) -> wire.KeySchema:
        revoked = self._engine.whole("managing keys").keys.revoke(name)
        self._note("revoke_key", name)
        return mapping.key(revoked)

    @override
    def audit(
        self, limit: int, cursor: str | None = None, *, key: str | None = None, action: str | None = None
    ) -> wire.AuditResponse:
        return mapping.audit(self._engine.whole("the audit log").audit.list(limit, cursor, key=key, action=action))

    @override
    def conversations(self, limit: int, cursor: str | None = None) -> wire.ConversationsResponse:
        return mapping.conversations(self._engine.conversations.list(limit, cursor))

    @override
    def conversation(self, conversation_id: str) -> wire.ConversationSchema:
        return mapping.conversation(self._engine.conversations.conversation(conversation_id))

    @override
    def delete_conversation(self, conversation_id: str) -> wire.ConversationDeletionResponse:
        removed = self._engine.conversations.delete(conversation_id)
        self._note("delete_conversation", conversation_id)
        return wire.ConversationDeletionResponse(conversation_id=conversation_id, turns_removed=removed)

    def _note(self, action: str, *targets: str) -> None:
        """Write down what the command line did."""
        self._engine.whole("the audit log").audit.add(action, targets, "ok")


def _failed(result: IngestResult) -> wire.FileSchema:
    path = result.source or result.document_id
    return wire.FileSchema(path=path, state="failed", reason=result.reason, chunks=0, bytes=result.bytes)


def _as_progress(report: Report) -> Callable[[Progress], None]:
    def forward(progress: Progress) -> None:
        latest = progress.latest[-1].path if progress.latest else ""
        report(latest, progress.documents_done, progress.documents_total)

    return forward
