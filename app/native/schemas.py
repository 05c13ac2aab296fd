"""The native API's shapes on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.http.validation import StrictBody, StrictModel
from pipelines.types import AbstainReason, DocumentState, Mode, Verdict

Filters = dict[str, Any]


class NoParameters(StrictModel):
    """Query parameters of a route that takes none."""


class ListParameters(StrictModel):
    """Query parameters of the list of documents."""

    limit: int = Field(default=50, ge=1, le=1000, description="most documents in the page")
    cursor: str | None = Field(default=None, description="`next_cursor` of the page before")


class ContentParameters(StrictModel):
    """Query parameters of a document's text."""

    version: int | None = Field(default=None, ge=1, lt=2**31, description="a version's number; none: the current one")


class WaitParameters(StrictModel):
    """Query parameters of an ingestion."""

    wait: bool = Field(default=True, description="answer when the documents are ready; false is not built yet")


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

    documents: list[DocumentRequest] = Field(min_length=1)
    wait: bool = True


class UploadFields(StrictModel):
    """The fields of a form beside its file."""

    document_id: str | None = Field(default=None, min_length=1, description="none: the file's name")
    title: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    wait: bool = True


class SearchRequest(StrictBody):
    """What to search for."""

    query: str = Field(examples=["How much exercise does a Border Collie need?"])
    top_k: int | None = Field(default=None, description="most results; none: as the profile says")
    filters: Filters | None = Field(default=None, examples=[{"species": "dog"}])
    mode: Mode | None = Field(default=None, description="legs that are asked; none: as the profile says")
    min_score: float = Field(default=0.0, ge=0, le=1, description="results below it are left out")


class QueryRequest(StrictBody):
    """What to answer."""

    question: str = Field(examples=["How much exercise does a Border Collie need?"])
    top_k: int | None = Field(default=None, description="sources to answer from; none: as the profile says")
    filters: Filters | None = Field(default=None, examples=[{"species": "dog"}])


class Shape(BaseModel):
    """What is answered: filled from the core's values, whose attributes have the same names."""

    model_config = ConfigDict(from_attributes=True, json_schema_serialization_defaults_required=True)


class SpanSchema(Shape):
    """A stretch of a version's stored text, in Unicode characters; ``end`` is exclusive."""

    start: int
    end: int


class LegScoreSchema(Shape):
    """What one leg or stage gave a chunk, in its own unit."""

    rank: int
    score: float


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
    headings: list[str]


class HitSchema(ChunkSchema):
    """A chunk that answers a search."""

    score: float = Field(ge=0, le=1)
    scores: dict[str, LegScoreSchema]


class ChunksResponse(Shape):
    """A document's chunks, in the order of its text."""

    chunks: list[ChunkSchema]


class SearchResponse(Shape):
    """The hits of a search, best first."""

    results: list[HitSchema] = Field(validation_alias="hits")
    snapshot: int
    took_ms: float


class CitationSchema(Shape):
    """A footnote: ``quote`` is verbatim the text of ``span`` in that version."""

    number: int
    document_id: str
    version: int
    chunk_id: str
    title: str
    source: str
    quote: str
    span: SpanSchema
    page: int | None
    headings: list[str]


class ClaimSchema(Shape):
    """One sentence of an answer, and what the checks say of it."""

    text: str
    citations: list[int]
    verdict: Verdict
    checks: dict[str, Any]


class QueryResponse(Shape):
    """An answer with its footnotes."""

    answer: str = Field(validation_alias="text")
    answer_id: str
    abstained: bool
    reason: AbstainReason | None
    confidence: float = Field(ge=0, le=1)
    citations: list[CitationSchema]
    claims: list[ClaimSchema]
    sources: list[HitSchema]
    model: str
    llm_generated: bool
    degraded: bool
    conversation_id: str | None = None
    rewritten_question: str | None = None
    snapshot: int
    timings_ms: dict[str, float]


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


class DeletionResponse(Shape):
    """The receipt of a deletion."""

    document_id: str
    versions_removed: int
    chunks_removed: int
    cache_entries_removed: int
    snapshot: int


class StatsResponse(Shape):
    """How much a tenant holds."""

    tenant: str
    documents: int
    failed: int
    chunks: int
    versions: int
    snapshot: int
    bytes: int
    embedding: str


def _documents_body() -> dict[str, Any]:
    """The body of POST documents for OpenAPI, which FastAPI cannot derive: JSON of two forms, or a form with a file."""
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


DOCUMENTS_BODY = _documents_body()
