"""What commands do with a tenant, whether this process or a server holds it; in the wire's shapes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from typing_extensions import Unpack

from app.native import wire
from pipelines.types import DocumentInput, DocumentState, JobKind, JobState, Query, Selection

Report = Callable[[str, int, int | None], None]
"""Takes a name, how many are done, and of how many; None while they are being counted."""


class TenantClient(Protocol):
    """A tenant for commands. Its implementations differ in how they reach it.

    Raises:
        FootnoteError: From every method, as the engine's method of that name.
    """

    @property
    def is_served(self) -> bool:
        """Whether a server holds the tenant, and runs its jobs unless they are left to workers."""

    def search(self, query: Query) -> wire.SearchResponse:
        """Return the chunks that answer a query best."""

    def answer(self, query: Query) -> wire.QueryResponse:
        """Return an answer with its footnotes."""

    def stream_answer(self, query: Query) -> Generator[wire.AnswerPart, None, None]:
        """Yield the parts of an answer as it is written; closing the generator stops the work on it."""

    def explain(
        self, query: Query, *, document_id: str | None = None, chunk_id: str | None = None
    ) -> wire.ExplainResponse:
        """Return why a search shows a document or a chunk, or does not."""

    def ingest(
        self, documents: Sequence[DocumentInput], report: Report
    ) -> list[wire.IngestedSchema | wire.FailedSchema]:
        """Bring ``documents`` in, and say what became of each."""

    def submit(self, documents: Sequence[DocumentInput]) -> Iterator[wire.JobAcceptedResponse | wire.FailedSchema]:
        """Leave ``documents`` to jobs, and name each when it is accepted."""

    def documents(
        self,
        limit: int,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> wire.DocumentsResponse:
        """Return a page of documents."""

    def facets(self, **selection: Unpack[Selection]) -> wire.FacetsResponse:
        """Return which values the documents have, and how many have them."""

    def document(self, document_id: str) -> wire.DocumentSchema:
        """Return one document."""

    def versions(self, document_id: str) -> wire.VersionsResponse:
        """Return a document's versions."""

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """Return the stored text of a version."""

    def chunks(self, document_id: str, as_of: int | None = None) -> wire.ChunksResponse:
        """Return the chunks of a version."""

    def delete(self, document_id: str, purge: bool = False) -> wire.DeletionResponse:
        """Take a document out; with ``purge`` its history too, and wait until no file holds it."""

    def sync(self, report: Report, allow_empty: bool = False, reread: bool = False) -> wire.SyncResponse:
        """Bring the tenant in line with its knowledge folder."""

    def backup(self, file: Path) -> None:
        """Write everything that the tenant holds to ``file``."""

    def stats(self, most: int = 0) -> wire.StatsResponse:
        """Return how much the tenant holds, and what is asked of it: ``most`` questions of each kind."""

    def give_feedback(self, asked: wire.FeedbackRequest) -> wire.FeedbackSchema:
        """Give the request's feedback on an answer."""

    def withdraw_feedback(self, answer_id: str, user: str | None = None) -> wire.WithdrawnResponse:
        """Withdraw the feedback on an answer."""

    def feedback(self, limit: int, cursor: str | None = None, helpful: bool | None = None) -> wire.FeedbackResponse:
        """Return a page of feedback."""

    def unlabelled(self, limit: int) -> wire.UnlabelledResponse:
        """Return questions to judge next."""

    def experiments(self) -> wire.ExperimentsResponse:
        """Return how the prompt variants do."""

    def doctor(self, repair: bool = False) -> wire.DoctorResponse:
        """Return what is wrong with the tenant's data."""

    def run_job(self, kind: JobKind, report: Report) -> list[wire.FileSchema] | None:
        """Do the work of a job in this process, and return the files that failed; None: a server does it as a job."""

    def start(self, kind: JobKind) -> str:
        """Ask for a job on the whole tenant, and return its id."""

    def jobs(self, limit: int, cursor: str | None = None, state: JobState | None = None) -> wire.JobsResponse:
        """Return a page of jobs."""

    def job(self, job_id: str) -> wire.JobSchema:
        """Return one job."""

    def cancel(self, job_id: str) -> wire.JobSchema:
        """Cancel a job."""

    def keys(self) -> wire.KeysResponse:
        """Return the keys."""

    def create_key(self, asked: wire.KeyRequest) -> wire.IssuedKeySchema:
        """Make a key."""

    def rotate_key(self, name: str, grace_hours: int = 0) -> wire.IssuedKeySchema:
        """Give a key a new secret."""

    def revoke_key(self, name: str) -> wire.KeySchema:
        """Revoke a key."""

    def audit(
        self, limit: int, cursor: str | None = None, *, key: str | None = None, action: str | None = None
    ) -> wire.AuditResponse:
        """Return a page of the audit log."""

    def conversations(self, limit: int, cursor: str | None = None) -> wire.ConversationsResponse:
        """Return a page of conversations."""

    def conversation(self, conversation_id: str) -> wire.ConversationSchema:
        """Return a conversation with its turns."""

    def delete_conversation(self, conversation_id: str) -> wire.ConversationDeletionResponse:
        """Take a conversation out."""
