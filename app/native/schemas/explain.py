"""Shapes of explanations."""

from __future__ import annotations

from pydantic import Field

from app.http.validation import StrictBody
from app.native.schemas.base import Filters, Inherit, Scope, Shape, Snapshot
from pipelines.types import Mode


class ExplainRequest(StrictBody):
    """A search, and the document or chunk whose way through it is asked for."""

    query: str = Field(examples=["How much exercise does a Border Collie need?"])
    document_id: str | None = Field(
        default=None, description="the document; of its chunks the one that comes furthest is followed"
    )
    chunk_id: str | None = Field(default=None, description="or this chunk")
    top_k: int | None = Field(default=None, description="hits of the search; none: as the profile says")
    filters: Filters | None = Field(default=None, examples=[{"species": "dog"}])
    scope: Scope | None = None
    inherit: Inherit = True
    mode: Mode | None = Field(default=None, description="legs that are asked; none: as the profile says")
    as_of: Snapshot | None = None


class StageRankSchema(Shape):
    """Where the chunk stood at one step: the filter, a leg, ``fused``, ``level``, a reranker stage, ``result``."""

    name: str
    rank: int | None
    score: float | None = Field(description="in the step's own unit")
    kept: bool = Field(description="whether it went on from here")
    note: str | None


class ClauseCountSchema(Shape):
    """A clause of what was asked for; the first row is all that can be read."""

    clause: str
    matches: int = Field(description="documents that fit it")
    left: int | None = Field(description="documents that fit it and all clauses above; null for a level of a scope")
    fits: bool = Field(description="whether the document that is asked about fits it")


class ExplainResponse(Shape):
    """Why a search shows a chunk, or does not."""

    found: bool
    document_id: str
    version: int = Field(description="0: the document could not be read in")
    chunk_id: str | None
    stages: list[StageRankSchema]
    dropped_by: str | None = Field(
        description="`filter: CLAUSE`, `scope: CLAUSE`, `candidates`, a stage, `top_k`, `version` or `ingestion`"
    )
    filter: list[ClauseCountSchema]
    hint: str | None = Field(description="the smallest change that would have let it in")
    snapshot: int
