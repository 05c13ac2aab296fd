"""What metadata the documents have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a field, and how many documents have it."""

    value: str
    documents: int


@dataclass(frozen=True, slots=True)
class FacetField:
    """The values of a field that most documents have, the most frequent first; ``more`` others are left out."""

    values: tuple[FacetValue, ...]
    more: int


@dataclass(frozen=True, slots=True)
class FacetPlace:
    """A place in the hierarchy: ``value`` of ``field``, both None at the top.

    Attributes:
        documents: How many are there and below.
        own: How many are of the place's own level.
        below: The places under it that hold most documents, the fullest first.
        more: How many places under it are left out.
    """

    field: str | None
    value: str | None
    documents: int
    own: int
    below: tuple[FacetPlace, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Which values there are, and how many documents have them.

    Attributes:
        documents: How many are counted.
        fields: The declared keyword fields.
        hierarchy: The places, nested; None where the profile declares no hierarchy.
        snapshot: What was counted is what readers of this snapshot see.
    """

    documents: int
    fields: Mapping[str, FacetField]
    hierarchy: FacetPlace | None
    snapshot: int
