"""The arguments and results of the tools."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.http.validation import StrictModel
from app.native.schemas.base import Cursor, Filters, Inherit, Limit, Scope, Shape, Snapshot
from app.native.schemas.documents import DocumentSchema
from app.native.schemas.search import CitationSchema, ClaimSchema, ToolSchema
from pipelines.types import AbstainReason, Mode

_Filters = Annotated[
    Filters,
    Field(description="conditions on metadata; the instructions list the fields", examples=[{"species": "dog"}]),
]


class SearchArguments(StrictModel):
    """What to search for."""

    query: str = Field(description="what to look for, in plain words")
    top_k: int | None = Field(default=None, description="most results; omit for the profile's default")
    filters: _Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True
    mode: Mode | None = Field(default=None, description="by meaning, by words or both; omit for the profile's default")
    as_of: Snapshot | None = None


class AnswerArguments(StrictModel):
    """What to answer."""

    question: str = Field(description="a question that can be understood by itself")
    top_k: int | None = Field(
        default=None, description="number of sources to answer from; omit for the profile's default"
    )
    filters: _Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True
    as_of: Snapshot | None = None


class ListArguments(StrictModel):
    """Which documents to list."""

    limit: Limit = 50
    cursor: Cursor | None = None
    filters: _Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True


class DocumentArguments(StrictModel):
    """Which document to read, and which part of its text."""

    document_id: str = Field(description="the id in results, citations and lists")
    version: int | None = Field(
        default=None, ge=1, lt=2**31, description="the version in a citation; omit for the current one"
    )
    start: int = Field(default=0, ge=0, description="first character to read, counted as in spans")
    characters: int = Field(default=20_000, ge=1, le=200_000, description="most characters to read")


class AnswerContent(Shape):
    """An answer with its footnotes: `[n]` in the text is the citation of that number, whose quote is verbatim."""

    answer: str
    abstained: bool = Field(description="the documents don't answer; `reason` says why")
    reason: AbstainReason | None
    confidence: float = Field(ge=0, le=1)
    citations: list[CitationSchema]
    claims: list[ClaimSchema]
    model: str
    llm_generated: bool
    degraded: bool
    truncated: bool
    tools: list[ToolSchema]
    snapshot: int


class DocumentContent(DocumentSchema):
    """A document and a part of its text: the characters from ``start`` to before ``end`` of ``characters``.

    ``version`` is that of the text; everything else describes the current version.
    """

    content: str
    start: int
    end: int
    characters: int
