"""Shapes of facets: which values there are, and how many documents have them."""

from __future__ import annotations

from pydantic import Field

from app.http.validation import StrictModel
from app.native.schemas.base import Inherit, Limit, ParameterText, ScopeText, Shape


class FacetParameters(StrictModel):
    """Query parameters of the facets."""

    filters: ParameterText | None = Field(
        default=None, description="count only what this filter matches, as JSON text", examples=['{"species": "dog"}']
    )
    scope: ScopeText | None = None
    inherit: Inherit = True
    limit: Limit = 100


class FacetValueSchema(Shape):
    """A value, and how many documents have it."""

    value: str
    documents: int


class FacetFieldSchema(Shape):
    """A field's values, the most frequent first."""

    values: list[FacetValueSchema]
    more: int = Field(description="how many others there are")


class FacetPlaceSchema(Shape):
    """A place in the hierarchy: a value of a field, or, with neither, the top."""

    field: str | None
    value: str | None
    documents: int = Field(description="there and below")
    own: int = Field(description="of the place's own level")
    below: list[FacetPlaceSchema]
    more: int = Field(description="how many other places there are under it")


class FacetsResponse(Shape):
    """Which values the documents have, in each keyword field, in the built-in ones and down the hierarchy."""

    documents: int
    fields: dict[str, FacetFieldSchema]
    hierarchy: FacetPlaceSchema | None
    snapshot: int
