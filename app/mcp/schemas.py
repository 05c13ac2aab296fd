"""What the tools are asked, and what they tell."""

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
    Field(description="what the metadata must be; fields are those of the instructions", examples=[{"species": "dog"}]),
]


class SearchArguments(StrictModel):
    """What to search for."""

    query: str = Field(description="what is looked for, in plain words")
    top_k: int | None = Field(default=None, description="most results; none: as the profile says")
    filters: _Filters | None = None
    scope: Scope | None = None
    inherit: Inherit = True
    mode: Mode | None = Field(default=None, description="by meaning, words or both; none: as the profile says")
    as_of: Snapshot | None = None


class AnswerArguments(StrictModel):
    """What to answer."""

    question: str = Field(description="a question that can be understood by itself")
    top_k: int | None = Field(default=None, description="sources to answer from; none: as the profile says")
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

    document_id: str = Field(description="as results, citations and lists name it")
    version: int | None = Field(default=None, ge=1, lt=2**31, description="as citations name it; none: the current one")
    start: int = Field(default=0, ge=0, description="character to read from, as spans count them")
    characters: int = Field(default=20_000, ge=1, le=200_000, description="most characters to read")


class AnswerTold(Shape):
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


class DocumentTold(DocumentSchema):
    """A document and a part of its text: the characters from ``start`` to before ``end`` of ``characters``.

    ``version`` is the one whose text it is; what else is told is of the current one.
    """

    content: str
    start: int
    end: int
    characters: int
