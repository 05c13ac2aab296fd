"""What one reader sees of a tenant: its catalogue and index, from a place in the hierarchy or without bounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from pipelines.catalogue import Catalogue
from pipelines.components.store.payload_filters import metadata_matcher
from pipelines.engine.parts.indexes import Indexes
from pipelines.filters.combining import all_of
from pipelines.filters.language import compile_filters, require_of_documents
from pipelines.filters.scopes import Place, view_from, visible_from
from pipelines.ingestion.visibility import readable_at
from pipelines.profile.schema import Profile
from pipelines.types import Metadata

Matches = Callable[[Metadata], bool]
HiddenAt = Callable[[int], Sequence[str]]


def everything(_: Metadata) -> bool:
    """Match every document."""
    return True


@dataclass(frozen=True, slots=True)
class TenantView:
    """A tenant as one reader sees it; what lies outside its bounds does not exist, now and in the past.

    Attributes:
        catalogue: The tenant's catalogue.
        indexes: The tenant's vector stores, and its profile.
        hidden_at: Ids of the documents that a reader of a snapshot must leave out of the store.
        bounds: What may be seen, as a filter of the index; None: everything.
        sees: The same for a document's metadata.
        reader: The name of the place, under which use, answers and conversations are kept; None: the whole tenant.
    """

    catalogue: Catalogue
    indexes: Indexes
    hidden_at: HiddenAt
    bounds: models.Filter | None = None
    sees: Matches = everything
    reader: str | None = None

    @property
    def profile(self) -> Profile:
        """The tenant's profile, with what was changed while it is open."""
        return self.indexes.profile

    def snapshot(self, as_of: int | None = None) -> int:
        """Return the snapshot to read: ``as_of``, else the latest.

        Raises:
            InvalidRequest: ``as_of`` is out of reach.
        """
        if as_of is None:
            return self.catalogue.snapshot
        self.catalogue.check_as_of(as_of)
        return as_of

    def readable(self, snapshot: int, where: models.Filter | None) -> models.Filter:
        """Return ``where`` for the chunks that a reader of ``snapshot`` may read."""
        return readable_at(snapshot, where, self.hidden_at(snapshot))

    def where(
        self, filters: Mapping[str, Any] | None, scope: Mapping[str, Any] | None, inherit: bool
    ) -> models.Filter | None:
        """Return what a request asks for within the bounds, as a filter of the index; ``bounds`` itself for nothing.

        Raises:
            InvalidFilter: ``filters`` names what the profile does not declare.
            InvalidScope: ``scope`` names no place of the hierarchy, or could mean several.
        """
        section = self.profile.metadata
        view = view_from(scope, section, inherit)
        return all_of(self.bounds, compile_filters(filters, section.filterable), None if view is None else view.filter)

    def matches(
        self,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
    ) -> Matches | None:
        """Return the same as `where` for a document's metadata; None where everything matches."""
        section = self.profile.metadata
        filtered, view = compile_filters(filters, section.filterable), view_from(scope, section, inherit)
        require_of_documents(filters, section.filterable)
        tests = [] if self.bounds is None else [self.sees]
        if view is not None:
            tests.append(view.shows)
        if filtered is not None:
            tests.append(metadata_matcher(filtered, section.filterable))
        return (lambda metadata: all(test(metadata) for test in tests)) if tests else None


def view_of(catalogue: Catalogue, indexes: Indexes, hidden_at: HiddenAt, place: Place | None = None) -> TenantView:
    """Return the view from ``place``; None: the whole tenant."""
    if place is None:
        return TenantView(catalogue, indexes, hidden_at)
    seen, reader = visible_from(place), json.dumps(dict(place.named), sort_keys=True)
    return TenantView(catalogue, indexes, hidden_at, seen.filter, seen.shows, reader)
