"""A tenant that a server holds: what commands do, over the native API."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from app.http.errors import RequestTooLarge
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
from app.native.schemas.jobs import JobAcceptedResponse, JobSchema, JobsResponse
from app.native.schemas.search import ANSWER_PARTS, AnswerPart, QueryResponse, SearchResponse
from app.native.schemas.upkeep import DoctorResponse, StatsResponse, SyncResponse
from app.native.tenant import Report
from app.remote.server import Server
from pipelines.errors import DocumentTooLarge, InvalidDocument, Problem, UnreadableDocument
from pipelines.profile.loader import LoadedProfile
from pipelines.reading.archive import file_size, in_archive, read_file
from pipelines.types import DocumentInput, DocumentState, JobKind, JobState, Mode

Model = TypeVar("Model", bound=BaseModel)
_RECORDED_BYTES = 500_000
"""How far over the limit a file may be sent: a body may hold a megabyte beside it."""
_OF_THE_DOCUMENT = (UnreadableDocument, InvalidDocument, RequestTooLarge)


class RemoteTenant:
    """A tenant behind a server; every method answers in the wire's shapes.

    Raises:
        FootnoteError: From every method, what the core would have raised.
        ServerGone: From every method, the server does not answer any more.
    """

    def __init__(self, server: Server, loaded: LoadedProfile) -> None:
        self._server = server
        self._root = f"/tenants/{loaded.profile.tenant}"
        self._file_bytes = loaded.profile.limits.file_bytes

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
        said = _given(query=query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, mode=mode, as_of=as_of)
        return self._ask(SearchResponse, "POST", "search", body=said)

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
        said = _given(
            question=question,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            as_of=as_of,
            llm=llm,
            conversation_id=conversation_id,
            tools=tools,
        )
        return self._ask(QueryResponse, "POST", "query", body=said)

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
        """The parts of an answer as it is written; closing it stops the server's work on it."""
        said = _given(
            question=question,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            as_of=as_of,
            llm=llm,
            conversation_id=conversation_id,
            tools=tools,
        )
        with closing(self._server.events(f"{self._root}/query", {**said, "stream": True})) as events:
            for name, data in events:
                if name in ANSWER_PARTS:
                    yield ANSWER_PARTS[name].model_validate_json(data, by_alias=False, by_name=True)

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
        said = _given(
            query=query,
            document_id=document_id,
            chunk_id=chunk_id,
            top_k=top_k,
            filters=filters,
            scope=scope,
            inherit=inherit,
            mode=mode,
            as_of=as_of,
        )
        return self._ask(ExplainResponse, "POST", "explain", body=said)

    def ingest(self, documents: Sequence[DocumentInput], report: Report) -> list[IngestedSchema | FailedSchema]:
        """Uploads the files of ``documents`` one after the other, and says what became of each."""
        results = []
        for done, document in enumerate(documents, 1):
            results.append(self._brought(IngestedSchema, document, wait=True))
            report(document.source or "", done, len(documents))
        return results

    def submit(self, documents: Sequence[DocumentInput]) -> list[JobAcceptedResponse | FailedSchema]:
        """Uploads the files of ``documents``, and names the job that ingests each, or why there is none."""
        return [self._brought(JobAcceptedResponse, document, wait=False) for document in documents]

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
        among = _among(filters, scope, inherit)
        return self._ask(DocumentsResponse, "GET", "documents", limit=limit, cursor=cursor, state=state, **among)

    def facets(
        self,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
    ) -> FacetsResponse:
        """Which values the documents have, and how many have them."""
        return self._ask(FacetsResponse, "GET", "facets", **_among(filters, scope, inherit))

    def document(self, document_id: str) -> DocumentSchema:
        """One document."""
        return self._ask(DocumentSchema, "GET", _document(document_id))

    def versions(self, document_id: str) -> VersionsResponse:
        """A document's versions."""
        return self._ask(VersionsResponse, "GET", f"{_document(document_id)}/versions")

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """The stored text of a version."""
        wanted = _given(version=version, as_of=as_of)
        path = f"{self._root}/{_document(document_id)}/content"
        return self._server.send("GET", path, params=wanted).content.decode()

    def chunks(self, document_id: str, as_of: int | None = None) -> ChunksResponse:
        """The chunks of a version."""
        return self._ask(ChunksResponse, "GET", f"{_document(document_id)}/chunks", as_of=as_of)

    def delete(self, document_id: str, purge: bool = False) -> DeletionResponse:
        """Takes a document out; with ``purge`` its history too."""
        return self._ask(DeletionResponse, "DELETE", _document(document_id), purge=purge or None)

    def sync(self, report: Report, allow_empty: bool = False) -> SyncResponse:
        """Brings the tenant in line with its knowledge folder."""
        report("syncing", 0, None)
        return self._ask(SyncResponse, "POST", "sync", body={"wait": True, "allow_empty": allow_empty})

    def stats(self, most: int = 0) -> StatsResponse:
        """How much the tenant holds, and what is asked of it: ``most`` questions of each kind."""
        return self._ask(StatsResponse, "GET", "stats", most=most)

    def give_feedback(self, asked: FeedbackRequest) -> FeedbackSchema:
        """Says of an answer what the request says."""
        return self._ask(FeedbackSchema, "POST", "feedback", body=asked.model_dump(exclude_none=True))

    def withdraw_feedback(self, answer_id: str, user: str | None = None) -> WithdrawnResponse:
        """Takes back what was said of an answer."""
        return self._ask(WithdrawnResponse, "DELETE", f"feedback/{_segment(answer_id)}", user=user)

    def feedback(self, limit: int, cursor: str | None = None, helpful: bool | None = None) -> FeedbackResponse:
        """A page of feedback."""
        thumbs = None if helpful is None else json.dumps(helpful)
        return self._ask(FeedbackResponse, "GET", "feedback", limit=limit, cursor=cursor, helpful=thumbs)

    def experiments(self) -> ExperimentsResponse:
        """How the prompt variants do."""
        return self._ask(ExperimentsResponse, "GET", "experiments")

    def doctor(self, repair: bool = False) -> DoctorResponse:
        """What is wrong with the tenant's data."""
        return self._ask(DoctorResponse, "POST", "doctor", body={"repair": repair})

    def start(self, kind: JobKind) -> str:
        """Starts a job on the whole tenant, and gives its id."""
        return self._ask(JobAcceptedResponse, "POST", "jobs", body={"kind": kind}).job_id

    def jobs(self, limit: int, cursor: str | None = None, state: JobState | None = None) -> JobsResponse:
        """A page of jobs."""
        return self._ask(JobsResponse, "GET", "jobs", limit=limit, cursor=cursor, state=state)

    def job(self, job_id: str) -> JobSchema:
        """One job."""
        return self._ask(JobSchema, "GET", f"jobs/{_segment(job_id)}")

    def cancel(self, job_id: str) -> JobSchema:
        """Cancels a job."""
        return self._ask(JobSchema, "POST", f"jobs/{_segment(job_id)}/cancel")

    def conversations(self, limit: int, cursor: str | None = None) -> ConversationsResponse:
        """A page of conversations."""
        return self._ask(ConversationsResponse, "GET", "conversations", limit=limit, cursor=cursor)

    def conversation(self, conversation_id: str) -> ConversationSchema:
        """A conversation with its turns."""
        return self._ask(ConversationSchema, "GET", f"conversations/{_segment(conversation_id)}")

    def delete_conversation(self, conversation_id: str) -> ConversationDeletionResponse:
        """Takes a conversation out."""
        return self._ask(ConversationDeletionResponse, "DELETE", f"conversations/{_segment(conversation_id)}")

    def _ask(
        self, shape: type[Model], method: str, path: str, *, body: Mapping[str, Any] | None = None, **parameters: Any
    ) -> Model:
        answer = self._server.send(method, f"{self._root}/{path}", body=body, params=_given(**parameters))
        return shape.model_validate_json(answer.content, by_alias=False, by_name=True)

    def _brought(self, shape: type[Model], document: DocumentInput, *, wait: bool) -> Model | FailedSchema:
        try:
            return self._upload(shape, document, wait=wait)
        except _OF_THE_DOCUMENT as error:
            return _failed(document, error.message)
        except OSError as error:
            return _failed(document, f"the file cannot be read: {error.strerror}")

    def _upload(self, shape: type[Model], document: DocumentInput, *, wait: bool) -> Model:
        source = document.source or ""
        if not _is_text(source):
            raise InvalidDocument(Problem("source", "the name of the file is not UTF-8; rename the file"))
        fields = {"source": source, "metadata": json.dumps(document.metadata), "wait": json.dumps(wait)}
        with _opened(document, self._file_bytes) as file:
            form = {"file": (source.rpartition("/")[2], file)}
            answer = self._server.send("POST", f"{self._root}/documents", data=fields, files=form)
        return shape.model_validate_json(answer.content)


@contextmanager
def _opened(document: DocumentInput, limit: int) -> Iterator[BinaryIO]:
    """The file that a document is read from.

    Raises:
        DocumentTooLarge: It is so far over ``limit`` bytes that the server would hang up instead of recording why.
    """
    assert isinstance(document.content, Path)
    size = file_size(document.content)
    if size > limit + _RECORDED_BYTES:
        raise DocumentTooLarge(size, limit, "bytes", "limits -> file_bytes")
    inside = in_archive(document.content) is not None
    with BytesIO(read_file(document.content)) if inside else document.content.open("rb") as file:
        yield file


def _failed(document: DocumentInput, reason: str) -> FailedSchema:
    return FailedSchema(
        document_id=_printable(document.source or ""),
        version=0,
        chunks_created=0,
        embeddings_generated=0,
        state="failed",
        snapshot=0,
        reason=reason,
    )


def _is_text(name: str) -> bool:
    return name == name.encode(errors="replace").decode()


def _printable(name: str) -> str:
    """The name of a file that cannot be taken, as the catalogue records it: with question marks for what is no text."""
    kept = name.encode(errors="replace").decode()
    return "".join(character if ord(character) >= 32 else "?" for character in kept)


def _given(**values: Any) -> dict[str, Any]:
    """The values that were given, so that the server's defaults hold for the others."""
    return {name: value for name, value in values.items() if value is not None}


def _among(filters: Mapping[str, Any] | None, scope: Mapping[str, Any] | None, inherit: bool) -> dict[str, Any]:
    """The parameters that say among which documents; JSON within an address."""
    spelt = {"filters": filters, "scope": scope}
    said = {name: None if value is None else json.dumps(value) for name, value in spelt.items()}
    return said | {"inherit": None if inherit else "false"}


def _document(document_id: str) -> str:
    return f"documents/{_segment(document_id)}"


def _segment(text: str) -> str:
    """``text`` as one segment of a path; dots too are encoded, for a segment of dots alone means another folder."""
    return quote(text, safe="", errors="surrogatepass").replace(".", "%2E")
