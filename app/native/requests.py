"""What the native API's requests ask for and bring, as the core's values; and a query as a request's body."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from app.http.errors import MalformedRequest
from app.http.strict_json import parse_json
from app.http.validation import validated
from app.native.schemas.base import Filters
from app.native.schemas.documents import (
    DocumentRequest,
    DocumentsRequest,
    SingleDocumentRequest,
    UploadFields,
)
from app.native.schemas.explain import ExplainRequest
from app.native.schemas.feedback import FeedbackRequest
from app.native.schemas.jobs import JobRequest
from app.native.schemas.search import (
    QueryRequest,
    SearchRequest,
)
from pipelines.errors import Problem, UnreadableDocument
from pipelines.reading.archive import files_of, is_archive
from pipelines.types import (
    CitationMark,
    DocumentInput,
    Query,
)

if TYPE_CHECKING:
    from app.http.uploads import UploadedForm  # FastAPI, which the command line does without


EACH_FILES = "source"
"""The field of a form that is given once for each file."""
MOST_FILES = 100
"""Of one form."""
_MOST_UNPACKED = 128 * 2**20
"""Bytes that the files in all archives of one form have together, at most: they are held in memory."""
_QUERY_FIELDS = frozenset(field.name for field in fields(Query)) - {"text"}


def query_of(text: str, asked: BaseModel) -> Query:
    """Return the query that a request asks: ``text``, and the fields that both have."""
    named = _QUERY_FIELDS.intersection(type(asked).model_fields)
    values = {name: _plain(getattr(asked, name)) for name in named}
    if not getattr(asked, "keep_conversation", True):
        values["history"] = ()
    return Query(text, **values)


def search_request(query: Query) -> dict[str, Any]:
    """Return the body that asks a server for a search."""
    return {"query": query.text, **_fields_in(SearchRequest, query)}


def query_request(query: Query) -> dict[str, Any]:
    """Return the body that asks a server for an answer."""
    keeps = {} if query.history is None else {"keep_conversation": False}
    return {"question": query.text, **_fields_in(QueryRequest, query), **keeps}


def explain_request(query: Query, document_id: str | None, chunk_id: str | None) -> dict[str, Any]:
    """Return the body that asks a server for an explanation."""
    about = {"document_id": document_id, "chunk_id": chunk_id}
    named = {name: value for name, value in about.items() if value is not None}
    return {"query": query.text, **_fields_in(ExplainRequest, query), **named}


def _fields_in(request: type[BaseModel], query: Query) -> dict[str, Any]:
    """Return the fields of a query that a request has, without those that say nothing: the server's defaults hold
    for them.
    """
    named = (name for name in request.model_fields if name in _QUERY_FIELDS)
    return {name: value for name in named if (value := getattr(query, name)) is not None}


def _plain(value: Any) -> Any:
    return value.model_dump(exclude_none=True) if isinstance(value, BaseModel) else value


@dataclass(frozen=True, slots=True)
class IngestionRequest:
    """What a request brings to ingest, whether that is one document or a list, and whether its giver waits."""

    documents: tuple[DocumentInput, ...]
    several: bool
    wait: bool


def of_body(body: Any) -> IngestionRequest:
    """Return the documents that a JSON body brings.

    Raises:
        MalformedRequest: It is not of the form of one document or of several.
    """
    if isinstance(body, dict) and "documents" in body:
        several = validated(DocumentsRequest, body)
        return IngestionRequest(tuple(map(_document_input, several.documents)), several=True, wait=several.wait)
    single = validated(SingleDocumentRequest, body)
    return IngestionRequest((_document_input(single),), several=False, wait=single.wait)


def of_upload(form: UploadedForm) -> IngestionRequest:
    """Return the documents that a form brings; a source tells the format, and where that has no ending the file's
    media type.

    Raises:
        InvalidJson, MalformedRequest: As for ``of_body``; or it gives several files one id or title.
    """
    sources = form.fields.get(EACH_FILES, [""] * len(form.files))
    given: dict[str, Any] = {name: texts[0] for name, texts in form.fields.items() if texts[0] and name != EACH_FILES}
    if "metadata" in given:
        given["metadata"] = parse_json(given["metadata"], "metadata")
    fields = validated(UploadFields, given)
    several = len(form.files) > 1
    for name in ("document_id", "title"):
        if several and getattr(fields, name) is not None:
            raise MalformedRequest(Problem(name, "must not be given with several files: each has its own"))
    documents = tuple(
        DocumentInput(
            content=file.content,
            document_id=fields.document_id,
            title=fields.title,
            source=source or file.name,
            media_type=_media_type(source or file.name, file.media_type),
            metadata=fields.metadata,
        )
        for file, source in zip(form.files, sources, strict=True)
    )
    return IngestionRequest(documents, several=several, wait=fields.wait)


def unpacked(brought: IngestionRequest) -> IngestionRequest:
    """Return what a request brings, with the files of an archive in its place; one that cannot be read stays, and
    fails, and so does one that came out of another archive.

    Raises:
        MalformedRequest: An archive has a title, or the archives hold too much together.
    """
    contents, left = [], _MOST_UNPACKED
    for document in brought.documents:
        files = _files_in(document)
        left -= sum(len(file.content) for file in files or () if isinstance(file.content, bytes))
        if left < 0:
            found = f"its archives hold more than {_MOST_UNPACKED:,} bytes together; send them one by one"
            raise MalformedRequest(Problem("file", found))
        contents.append(files)
    several = brought.several or contents[0] is not None
    documents = (files or (document,) for document, files in zip(brought.documents, contents, strict=True))
    return replace(brought, documents=tuple(chain.from_iterable(documents)), several=several)


def _files_in(document: DocumentInput) -> tuple[DocumentInput, ...] | None:
    """Return the files of an archive, or None for what is not unpacked."""
    if not isinstance(document.content, bytes) or not _is_unpacked(document.source or ""):
        return None
    if document.title is not None:
        raise MalformedRequest(
            Problem("title", "must not be given with an archive: its files have titles of their own")
        )
    try:
        files = files_of(document.source or "", document.content)
    except UnreadableDocument:
        return None
    return tuple(_unpacked(document, name, content) for name, content in files.items())


def _is_unpacked(source: str) -> bool:
    folders = PurePosixPath(source).parents
    return is_archive(source) and not any(is_archive(folder.name) for folder in folders)


def _unpacked(archive: DocumentInput, name: str, content: bytes) -> DocumentInput:
    document_id = None if archive.document_id is None else f"{archive.document_id}/{name}"
    return replace(
        archive, content=content, source=f"{archive.source}/{name}", document_id=document_id, media_type=None
    )


def offered(asked: JobRequest) -> tuple[DocumentInput, ...]:
    """Return the documents that a job is to ingest."""
    return tuple(map(_document_input, asked.documents or ()))


def filters(text: str | None) -> Filters | None:
    """Return the filter that a parameter of an address spells.

    Raises:
        InvalidJson, MalformedRequest: It is not JSON, or no mapping.
    """
    return _mapping("filters", text)


def scope(text: str | None) -> Filters | None:
    """Return the scope that a parameter of an address spells; see `filters`."""
    return _mapping("scope", text)


def _mapping(name: str, text: str | None) -> dict[str, Any] | None:
    parsed = None if text is None else parse_json(text, name)
    if parsed is not None and not isinstance(parsed, dict):
        raise MalformedRequest(Problem(name, "must be a mapping of fields to values, as JSON"))
    return parsed


def _media_type(source: str, sent: str | None) -> str | None:
    """Return what was sent with a file, where its name does not tell and it says anything: octets can be anything."""
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


def citation_marks(asked: FeedbackRequest) -> tuple[CitationMark, ...]:
    """Return what a request says of single citations."""
    return tuple(CitationMark(mark.number, mark.correct, mark.comment) for mark in asked.citations)
