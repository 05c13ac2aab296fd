"""What is known of a tenant's documents, now and in the past, from a place in the hierarchy or from outside of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from qdrant_client import models

from pipelines.catalogue import Version
from pipelines.components.payload_filters import metadata_matcher
from pipelines.errors import DocumentNotFound, FootnoteError, InvalidRequest, Problem, UnknownValue
from pipelines.filters.combining import all_of
from pipelines.filters.language import compile_filters, require_of_documents
from pipelines.filters.scopes import Place, view_from, visible_from
from pipelines.ingestion.visibility import chunks_of, of_version, readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.facets import count_facets, values_of
from pipelines.query.naming import named_value
from pipelines.query.retrieve import to_hit
from pipelines.types import (
    Block,
    Document,
    DocumentInput,
    DocumentPage,
    DocumentState,
    Facets,
    Hit,
    Metadata,
    Readiness,
    VersionInfo,
)

_log = logging.getLogger(__name__)

Wanted = Callable[[Metadata], bool]


class Browsing:
    """A tenant whose documents can be read; `pipelines.searching.Searching` also searches them.

    Given a ``place``, it is held to it: what is not seen from there does not exist, in no method and at no point of the
    tenant's history.
    """

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        self._profile = profile
        self._catalogue = parts.catalogue
        self._spaces = parts.spaces
        self._described = parts.writing.ingestor.described
        self._view = None if place is None else visible_from(place)
        self._bounds = None if self._view is None else self._view.filter
        self._sees = _everything if self._view is None else self._view.shows

    @property
    def profile(self) -> Profile:
        """The tenant's profile."""
        return self._profile

    @property
    def tenant(self) -> str:
        """The tenant's name."""
        return self._profile.tenant

    @property
    def dimensions(self) -> int:
        """The length of the embedding model's vectors."""
        return self._spaces.embedder.dimensions

    def check_ready(self) -> None:
        """Asks every part for a sign of life.

        Raises:
            Unavailable: A part gives none; the message says which.
        """
        for check in self._checks().values():
            check()

    def check_catalogue(self) -> None:
        """Asks the catalogue's database for a sign of life.

        Raises:
            StoreUnavailable: It gives none.
        """
        self._catalogue.check()

    def readiness(self) -> Readiness:
        """Which parts give a sign of life; of the others the log says more."""
        return Readiness(**{part: self._answers(part, check) for part, check in self._checks().items()})

    def _checks(self) -> dict[str, Callable[[], object]]:
        return {
            "catalogue": self._catalogue.check,
            "store": lambda: self._spaces.current.store.count(readable_at(0)),
            "embedding": lambda: self._spaces.embedder.vectors(["ready"]),
        }

    def _answers(self, part: str, check: Callable[[], object]) -> bool:
        try:
            check()
        except FootnoteError as error:
            _log.warning("tenant %s: the %s does not answer: %s", self.tenant, part, error.message)
            return False
        return True

    def documents(
        self,
        limit: int = 50,
        cursor: str | None = None,
        *,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        state: DocumentState | None = None,
    ) -> DocumentPage:
        """Some of the documents, in the order of their ids; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000.
            InvalidFilter: ``filters`` names what the profile does not declare.
            InvalidScope: ``scope`` names no place of the hierarchy, or could mean several.
        """
        _check_limit(limit)
        wanted = self._wanted(filters, scope, inherit)
        return self._catalogue.documents(limit, cursor, state, wanted)

    def facets(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        limit: int = 100,
    ) -> Facets:
        """Which values the readable documents have, in each keyword field and down the hierarchy, and how many each.

        Args:
            filters: Only documents that match.
            scope: Only what is seen from there.
            inherit: See `search`.
            limit: Most values of a field, and most places under a place.

        Raises:
            InvalidRequest: As for `documents`.
        """
        _check_limit(limit)
        wanted = self._wanted(filters, scope, inherit) or _everything
        snapshot = self._catalogue.snapshot
        documents = (metadata for metadata in self._catalogue.readable_metadata() if wanted(metadata))
        return count_facets(documents, self.profile.metadata, limit, snapshot)

    def known_value(self, field: str, said: str, beside: Collection[str] = ()) -> str:
        """The value of a keyword field that ``said`` names, among those of the readable documents.

        What a person or a language model wrote becomes a filter this way, and no other; see `named_value`.

        Raises:
            UnknownValue: It names none of them, or could be several.
        """
        known = values_of(filter(self._sees, self._catalogue.readable_metadata()), field)
        value = named_value(said, known, beside)
        if value is None:
            raise UnknownValue(field, said, known)
        return value

    def described(self, offered: DocumentInput) -> Metadata:
        """The metadata that a document would have: what it says of itself, under what its giver says.

        Raises:
            UnreadableDocument, InvalidDocument: It cannot be read.
        """
        return self._described(offered)

    def document(self, document_id: str) -> Document:
        """One document.

        Raises:
            DocumentNotFound: There is none of this id.
        """
        found = self._catalogue.document(document_id)
        if not self._sees(found.metadata):
            raise DocumentNotFound(document_id)
        return found

    def versions(self, document_id: str) -> tuple[VersionInfo, ...]:
        """A document's versions, the newest first; those of a deleted one too, until they are purged.

        Raises:
            DocumentNotFound: There are none.
        """
        seen = tuple(version for version in self._catalogue.versions(document_id) if self._sees(version.metadata))
        if not seen:
            raise DocumentNotFound(document_id)
        if seen[0].current or self._bounds is None:
            return seen
        return tuple(replace(version, state="deleted") for version in seen)  # gone from here, wherever it may be now

    def content(self, document_id: str, version: int | None = None, as_of: int | None = None) -> str:
        """The stored text of a version: the one of that number, the one readable at ``as_of``, or the readable one.

        Raises:
            DocumentNotFound: There is no such document or version.
            InvalidRequest: Both were given, or nobody can read ``as_of``.
        """
        return self._version(document_id, version, as_of).text

    def blocks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Block, ...]:
        """The blocks of a version's text, in its order; see `content` for which version and for errors."""
        return self._version(document_id, version, as_of).blocks

    def chunks(self, document_id: str, version: int | None = None, as_of: int | None = None) -> tuple[Hit, ...]:
        """The chunks of a version, in the order of its text, without scores; see `content` for which and for errors."""
        found = self._version(document_id, version, as_of)
        hits = self._chunks_of(found)
        if len(hits) < found.chunks:  # it was replaced and purged while it was read
            hits = self._chunks_of(self._version(document_id, version, as_of))
        return tuple(sorted(hits, key=lambda hit: hit.span.start))

    def _chunks_of(self, version: Version) -> list[Hit]:
        where = chunks_of([version.document_id], of_version(version.version))
        return [to_hit(payload, chunk_id, 0.0, {}) for chunk_id, payload in self._spaces.current.store.scan(where)]

    def _where(
        self, filters: Mapping[str, Any] | None, scope: Mapping[str, Any] | None, inherit: bool
    ) -> models.Filter | None:
        """What a request asks for within what may be seen: the latter itself where it asks for nothing."""
        section = self.profile.metadata
        view = view_from(scope, section, inherit)
        return all_of(self._bounds, compile_filters(filters, section.fields), None if view is None else view.filter)

    def _wanted(
        self, filters: Mapping[str, Any] | None, scope: Mapping[str, Any] | None, inherit: bool
    ) -> Wanted | None:
        """Whether metadata is what `_where` matches; None where everything is."""
        section = self.profile.metadata
        filtered, view = compile_filters(filters, section.fields), view_from(scope, section, inherit)
        require_of_documents(filters, section.fields)
        views = [one.shows for one in (self._view, view) if one is not None]
        tests = [*views, metadata_matcher(filtered, section.fields)] if filtered is not None else views
        return (lambda metadata: all(test(metadata) for test in tests)) if tests else None

    def _version(self, document_id: str, version: int | None, as_of: int | None) -> Version:
        if version is not None and as_of is not None:
            raise InvalidRequest(Problem("version", "and as_of cannot both be given: each of them names a version"))
        if as_of is not None:
            self._catalogue.check_as_of(as_of)
        found = self._catalogue.version(document_id, version, as_of)
        if not self._sees(found.metadata):
            raise DocumentNotFound(document_id, version)
        return found


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= 1000:
        raise InvalidRequest(Problem("limit", f"{limit} is not between 1 and 1000"))


def _everything(_: Metadata) -> bool:
    return True
