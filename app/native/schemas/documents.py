"""Shapes of documents: what is brought, what is listed, and what is left of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Self
from urllib.parse import quote

from pydantic import Field, ValidationInfo, field_validator, model_validator

from app.http.validation import StrictBody, StrictModel
from app.native.schemas.base import Cursor, Inherit, Limit, ParameterText, ScopeText, Shape, Snapshot
from pipelines.types import DocumentState, PurgeState


class ListParameters(StrictModel):
    """Query parameters of the list of documents."""

    limit: Limit = 50
    cursor: Cursor | None = None
    filters: ParameterText | None = Field(
        default=None, description="a filter, as JSON text", examples=['{"species": "dog"}']
    )
    scope: ScopeText | None = None
    inherit: Inherit = True
    state: DocumentState | None = Field(default=None, description="only documents in this state")


class VersionParameters(StrictModel):
    """Query parameters that choose one of a document's versions."""

    version: int | None = Field(default=None, ge=1, lt=2**31, description="a version's number; none: the current one")
    as_of: Snapshot | None = Field(default=None, description="the snapshot whose version it is, instead of `version`")

    @field_validator("as_of")
    @classmethod
    def _one_of_both(cls, as_of: int | None, info: ValidationInfo) -> int | None:
        if as_of is not None and info.data.get("version") is not None:
            raise ValueError("version and as_of each choose a version, so that only one can be given")
        return as_of


class PictureParameters(StrictModel):
    """Query parameters that choose the version whose picture is shown."""

    version: int | None = Field(default=None, ge=1, lt=2**31, description="a version's number; none: the current one")


class PageParameters(StrictModel):
    """Query parameters that choose a version, and the passage that is marked on the page."""

    version: int | None = Field(default=None, ge=1, lt=2**31, description="a version's number; none: the current one")
    start: int = Field(default=0, ge=0, lt=2**31, description="where the passage begins, as the span of a citation")
    end: int = Field(default=0, ge=0, lt=2**31, description="where it ends; not after `start`: nothing is marked")


class DeleteParameters(StrictModel):
    """Query parameters of a deletion."""

    purge: bool = Field(default=False, description="erase the history too, for good; takes the role admin")


class DocumentRequest(StrictBody):
    """A document to ingest: its text, and what is known of it."""

    content: str = Field(description="the text, of the format that `media_type` or the ending of `source` names")
    document_id: str | None = Field(
        default=None, min_length=1, description="none: derived from the source, else from the content"
    )
    title: str | None = None
    source: str | None = Field(default=None, description="where it comes from, for the footnotes")
    media_type: str | None = Field(default=None, examples=["text/markdown"])
    metadata: dict[str, Any] = Field(default_factory=dict)


class SingleDocumentRequest(DocumentRequest):
    """The body that brings one document."""

    wait: bool = True


class DocumentsRequest(StrictBody):
    """The body that brings several documents."""

    documents: list[DocumentRequest] = Field(min_length=1, fail_fast=True)
    wait: bool = True


class UploadFields(StrictModel):
    """The fields of a form beside its file."""

    document_id: str | None = Field(default=None, min_length=1, description="none: the source")
    title: str | None = None
    source: str | None = Field(
        default=None, description="where it comes from, whose ending names the format; none: the file's name"
    )
    metadata: dict[str, Any] = Field(default_factory=dict)
    wait: bool = True


class SpanSchema(Shape):
    """A stretch of a version's stored text, in Unicode characters; ``end`` is exclusive."""

    start: int
    end: int


class PictureSchema(Shape):
    """A picture of a document that a chunk or a footnote is about."""

    number: int = Field(ge=1, description="its number in that version")
    media_type: str
    span: SpanSchema
    described_by: str | None = Field(
        default=None, description="the model that wrote a description into the text, which is no word of the document"
    )
    path: str = Field(default="", description="where its file is, below `/tenants/{tenant}/`")


def place_picture(picture: PictureSchema, document_id: str, version: int) -> None:
    """Tell where the file of a picture is."""
    picture.path = f"documents/{quote(document_id, safe='')}/pictures/{picture.number}?version={version}"


class ChunkSchema(Shape):
    """A chunk of a document."""

    chunk_id: str
    document_id: str
    version: int
    title: str
    source: str
    content: str
    metadata: dict[str, Any]
    span: SpanSchema
    page: int | None
    page_label: str | None = Field(
        default=None, description="what is printed on the page, where that is known; of a recording its time"
    )
    headings: list[str]
    pictures: list[PictureSchema] = Field(
        default_factory=list, description="the pictures that its text stands for, where pictures are kept"
    )

    @model_validator(mode="after")
    def _place_pictures(self) -> Self:
        for picture in self.pictures:
            place_picture(picture, self.document_id, self.version)
        return self


class ChunksResponse(Shape):
    """A document's chunks, in the order of its text."""

    chunks: list[ChunkSchema]


class IngestedSchema(Shape):
    """What became of a document."""

    document_id: str
    version: int
    chunks_created: int
    embeddings_generated: int
    state: Literal["ready", "unchanged"]
    snapshot: int


class FailedSchema(Shape):
    """A document that was not ingested, and why."""

    document_id: str
    version: int
    chunks_created: int
    embeddings_generated: int
    state: Literal["failed"]
    snapshot: int
    reason: str


class IngestedDocumentsResponse(Shape):
    """What became of several documents, in the order they were given."""

    documents: list[IngestedSchema | FailedSchema]


class DocumentSchema(Shape):
    """A document and what its current version holds."""

    document_id: str
    title: str
    source: str
    media_type: str
    state: DocumentState
    reason: str | None
    version: int
    chunks: int
    bytes: int
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime


class DocumentsResponse(Shape):
    """A page of a tenant's documents."""

    documents: list[DocumentSchema]
    next_cursor: str | None
    total: int


class VersionSchema(Shape):
    """A version: readable at snapshots from ``snapshot`` until before ``ended``; ``current`` has no end."""

    version: int
    snapshot: int
    ended: int | None
    sha256: str
    pipeline: str
    title: str
    source: str
    metadata: dict[str, Any]
    chunks: int
    bytes: int
    state: Literal["ready", "stale", "superseded", "deleted"]
    current: bool
    created_at: datetime
    ended_at: datetime | None


class VersionsResponse(Shape):
    """A document's versions, newest first."""

    versions: list[VersionSchema]


class PurgeSchema(Shape):
    """What a purge removed. "erasing": it cannot be read, but files may still hold its bytes; ask again."""

    state: PurgeState
    requested_at: datetime
    erased_at: datetime | None = Field(description="since when no file of the service holds it")
    removed: dict[str, int] = Field(description="rows by what they were: versions, chunks, turns, answers and others")


class DeletionResponse(Shape):
    """The receipt of a deletion: what went, and what is left to be read with `as_of` until it is purged."""

    document_id: str
    versions_removed: int
    chunks_removed: int
    cache_entries_removed: int
    versions_left: int
    chunks_left: int
    snapshot: int
    turns_erased: int = Field(description="turns of conversations whose answers went with its history")
    comments_erased: int = Field(description="feedback on such answers, of which the words went")
    purge: PurgeSchema | None = Field(description="with `purge`: the same however often it is asked for")


def documents_body() -> dict[str, Any]:
    """Return the body of POST documents for OpenAPI, which FastAPI cannot derive: JSON of two forms, or a form with
    a file.
    """
    single = SingleDocumentRequest.model_json_schema()
    several = DocumentsRequest.model_json_schema()
    definitions = several.pop("$defs")
    several["properties"]["documents"]["items"] = definitions["DocumentRequest"]
    form = UploadFields.model_json_schema()
    form["properties"]["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}
    form["properties"]["metadata"] = {"type": "string", "contentMediaType": "application/json"}
    form["required"] = ["file"]
    return {
        "required": True,
        "content": {
            "application/json": {"schema": {"anyOf": [single, several]}},
            "multipart/form-data": {"schema": form},
        },
    }
