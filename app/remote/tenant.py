"""A tenant that a server holds, over the native API."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel
from typing_extensions import Unpack, override

from app.native import requests, wire
from app.native.client import Report, TenantClient
from app.remote.forms import OF_THE_DOCUMENT, Form, failed_upload, first_batch, open_form
from app.remote.server import Server
from pipelines.errors import FootnoteError
from pipelines.profile.loader import LoadedProfile
from pipelines.types import DocumentInput, DocumentState, JobKind, JobState, Query, Selection

Model = TypeVar("Model", bound=BaseModel)


class RemoteTenant(TenantClient):
    """A tenant behind a server.

    Raises:
        ServerGone: From every method, the server does not answer any more.
    """

    def __init__(self, server: Server, loaded: LoadedProfile) -> None:
        self._server = server
        self._root = f"/tenants/{loaded.profile.tenant}"
        self._file_bytes = loaded.profile.limits.file_bytes

    @property
    @override
    def is_served(self) -> bool:
        return True

    @override
    def search(self, query: Query) -> wire.SearchResponse:
        return self._ask(wire.SearchResponse, "POST", "search", body=requests.search_request(query))

    @override
    def answer(self, query: Query) -> wire.QueryResponse:
        return self._ask(wire.QueryResponse, "POST", "query", body=requests.query_request(query))

    @override
    def stream_answer(self, query: Query) -> Generator[wire.AnswerPart, None, None]:
        asked = {**requests.query_request(query), "stream": True}
        with closing(self._server.events(f"{self._root}/query", asked)) as events:
            for name, data in events:
                if name in wire.ANSWER_PARTS:
                    yield wire.ANSWER_PARTS[name].model_validate_json(data, by_alias=False, by_name=True)

    @override
    def explain(
        self, query: Query, *, document_id: str | None = None, chunk_id: str | None = None
    ) -> wire.ExplainResponse:
        asked = requests.explain_request(query, document_id, chunk_id)
        return self._ask(wire.ExplainResponse, "POST", "explain", body=asked)

    @override
    def ingest(
        self, documents: Sequence[DocumentInput], report: Report
    ) -> list[wire.IngestedSchema | wire.FailedSchema]:
        results = []
        for done, document in enumerate(documents, 1):
            results.append(self._brought(document))
            report(document.source or "", done, len(documents))
        return results

    @override
    def submit(self, documents: Sequence[DocumentInput]) -> Iterator[wire.JobAcceptedResponse | wire.FailedSchema]:
        left = list(documents)
        while left:
            batch = first_batch(left, self._file_bytes)
            try:
                yield from self._submit_batch(batch)
            except FootnoteError as error:
                if len(left) == len(documents):
                    raise
                # The jobs that were accepted go on, so this must not look as if there were none.
                yield from (failed_upload(document, error.message) for document in left)
                return
            left = left[len(batch) :]

    @override
    def documents(
        self,
        limit: int,
        cursor: str | None = None,
        *,
        state: DocumentState | None = None,
        **selection: Unpack[Selection],
    ) -> wire.DocumentsResponse:
        among = _among(**selection)
        return self._ask(wire.DocumentsResponse, "GET", "documents", limit=limit, cursor=cursor, state=state, **among)

    @override
    def facets(self, **selection: Unpack[Selection]) -> wire.FacetsResponse:
        return self._ask(wire.FacetsResponse, "GET", "facets", **_among(**selection))

    @override
    def document(self, document_id: str) -> wire.DocumentSchema:
        return self._ask(wire.DocumentSchema, "GET", _document(document_id))

    @override
    def versions(self, document_id: str) -> wire.VersionsResponse:
        return self._ask(wire.VersionsResponse, "GET", f"{_document(document_id)}/versions")

    @override
    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        wanted = _given(version=version, as_of=as_of)
        path = f"{self._root}/{_document(document_id)}/content"
        return self._server.send("GET", path, params=wanted).content.decode()

    @override
    def chunks(self, document_id: str, as_of: int | None = None) -> wire.ChunksResponse:
        return self._ask(wire.ChunksResponse, "GET", f"{_document(document_id)}/chunks", as_of=as_of)

    @override
    def delete(self, document_id: str, purge: bool = False) -> wire.DeletionResponse:
        return self._ask(wire.DeletionResponse, "DELETE", _document(document_id), purge=purge or None)

    @override
    def sync(self, report: Report, allow_empty: bool = False, reread: bool = False) -> wire.SyncResponse:
        report("syncing", 0, None)
        body = {"wait": True, "allow_empty": allow_empty, "reread": reread}
        return self._ask(wire.SyncResponse, "POST", "sync", body=body)

    @override
    def stats(self, most: int = 0) -> wire.StatsResponse:
        return self._ask(wire.StatsResponse, "GET", "stats", most=most)

    @override
    def backup(self, file: Path) -> None:
        draft = file.with_name(f"{file.name}.part")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as made:
                for part in self._server.download(f"{self._root}/backup"):
                    made.write(part)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)

    @override
    def give_feedback(self, asked: wire.FeedbackRequest) -> wire.FeedbackSchema:
        return self._ask(wire.FeedbackSchema, "POST", "feedback", body=asked.model_dump(exclude_none=True))

    @override
    def withdraw_feedback(self, answer_id: str, user: str | None = None) -> wire.WithdrawnResponse:
        return self._ask(wire.WithdrawnResponse, "DELETE", f"feedback/{_segment(answer_id)}", user=user)

    @override
    def feedback(self, limit: int, cursor: str | None = None, helpful: bool | None = None) -> wire.FeedbackResponse:
        thumbs = None if helpful is None else json.dumps(helpful)
        return self._ask(wire.FeedbackResponse, "GET", "feedback", limit=limit, cursor=cursor, helpful=thumbs)

    @override
    def unlabelled(self, limit: int) -> wire.UnlabelledResponse:
        return self._ask(wire.UnlabelledResponse, "GET", "feedback/next", limit=limit)

    @override
    def experiments(self) -> wire.ExperimentsResponse:
        return self._ask(wire.ExperimentsResponse, "GET", "experiments")

    @override
    def doctor(self, repair: bool = False) -> wire.DoctorResponse:
        return self._ask(wire.DoctorResponse, "POST", "doctor", body={"repair": repair})

    @override
    def run_job(self, kind: JobKind, report: Report) -> list[wire.FileSchema] | None:
        return None

    @override
    def start(self, kind: JobKind) -> str:
        return self._ask(wire.JobAcceptedResponse, "POST", "jobs", body={"kind": kind}).job_id

    @override
    def jobs(self, limit: int, cursor: str | None = None, state: JobState | None = None) -> wire.JobsResponse:
        return self._ask(wire.JobsResponse, "GET", "jobs", limit=limit, cursor=cursor, state=state)

    @override
    def job(self, job_id: str) -> wire.JobSchema:
        return self._ask(wire.JobSchema, "GET", f"jobs/{_segment(job_id)}")

    @override
    def cancel(self, job_id: str) -> wire.JobSchema:
        return self._ask(wire.JobSchema, "POST", f"jobs/{_segment(job_id)}/cancel")

    @override
    def keys(self) -> wire.KeysResponse:
        return self._ask(wire.KeysResponse, "GET", "keys")

    @override
    def create_key(self, asked: wire.KeyRequest) -> wire.IssuedKeySchema:
        return self._ask(wire.IssuedKeySchema, "POST", "keys", body=asked.model_dump(exclude_none=True))

    @override
    def rotate_key(self, name: str, grace_hours: int = 0) -> wire.IssuedKeySchema:
        return self._ask(
            wire.IssuedKeySchema, "POST", f"keys/{_segment(name)}/rotate", body={"grace_hours": grace_hours}
        )

    @override
    def revoke_key(self, name: str) -> wire.KeySchema:
        return self._ask(wire.KeySchema, "DELETE", f"keys/{_segment(name)}")

    @override
    def audit(
        self, limit: int, cursor: str | None = None, *, key: str | None = None, action: str | None = None
    ) -> wire.AuditResponse:
        return self._ask(wire.AuditResponse, "GET", "audit", limit=limit, cursor=cursor, key=key, action=action)

    @override
    def conversations(self, limit: int, cursor: str | None = None) -> wire.ConversationsResponse:
        return self._ask(wire.ConversationsResponse, "GET", "conversations", limit=limit, cursor=cursor)

    @override
    def conversation(self, conversation_id: str) -> wire.ConversationSchema:
        return self._ask(wire.ConversationSchema, "GET", f"conversations/{_segment(conversation_id)}")

    @override
    def delete_conversation(self, conversation_id: str) -> wire.ConversationDeletionResponse:
        return self._ask(wire.ConversationDeletionResponse, "DELETE", f"conversations/{_segment(conversation_id)}")

    def _ask(
        self, shape: type[Model], method: str, path: str, *, body: Mapping[str, Any] | None = None, **parameters: Any
    ) -> Model:
        answer = self._server.send(method, f"{self._root}/{path}", body=body, params=_given(**parameters))
        return shape.model_validate_json(answer.content, by_alias=False, by_name=True)

    def _brought(self, document: DocumentInput) -> wire.IngestedSchema | wire.FailedSchema:
        with ExitStack() as opened:
            form, failed = open_form([document], opened, self._file_bytes)
            if failed:
                return failed[0]
            try:
                answer = self._upload(form, document.metadata, wait=True)
            except OF_THE_DOCUMENT as error:
                return failed_upload(document, error.message)
        return wire.IngestedSchema.model_validate_json(answer.content)

    def _submit_batch(self, batch: Sequence[DocumentInput]) -> list[wire.JobAcceptedResponse | wire.FailedSchema]:
        """Leave documents of the same metadata to one job; those that cannot be sent fail."""
        with ExitStack() as opened:
            form, failed = open_form(batch, opened, self._file_bytes)
            if not form:
                return [*failed]
            answer = self._upload(form, batch[0].metadata, wait=False)
        return [wire.JobAcceptedResponse.model_validate_json(answer.content), *failed]

    def _upload(self, form: Form, metadata: Mapping[str, Any], *, wait: bool) -> httpx.Response:
        fields = {
            "metadata": json.dumps(metadata),
            "wait": json.dumps(wait),
            requests.EACH_FILES: [source for source, _ in form],
        }
        files = [("file", (source.rpartition("/")[2], file)) for source, file in form]
        return self._server.send("POST", f"{self._root}/documents", data=fields, files=files)


def _given(**values: Any) -> dict[str, Any]:
    """Return the values that are not None; the server's defaults apply to the others."""
    return {name: value for name, value in values.items() if value is not None}


def _among(
    filters: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None, inherit: bool = True
) -> dict[str, Any]:
    """Return the query parameters that select documents, as JSON."""
    spelt = {"filters": filters, "scope": scope}
    parameters = {name: None if value is None else json.dumps(value) for name, value in spelt.items()}
    return parameters | {"inherit": None if inherit else "false"}


def _document(document_id: str) -> str:
    return f"documents/{_segment(document_id)}"


def _segment(text: str) -> str:
    """``text`` as one path segment; dots are encoded, because a segment of dots means another folder."""
    return quote(text, safe="", errors="surrogatepass").replace(".", "%2E")
