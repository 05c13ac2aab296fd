"""A tenant within a place of its hierarchy: what cannot be seen from there does not exist."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from typing_extensions import override

from pipelines.catalogue.jobs import JobRecords
from pipelines.engine.assembly import Parts
from pipelines.engine.parts.view import TenantView, view_of
from pipelines.engine.reader import Reader
from pipelines.engine.reading import reading_parts
from pipelines.errors import DocumentNotFound, InvalidScope, NeedsWholeTenant, Problem
from pipelines.filters.scopes import Place, place_of
from pipelines.ingestion.offers import Offer, named_offer, offered_documents
from pipelines.ingestion.pipeline import Report
from pipelines.jobs import Jobs
from pipelines.types import Deletion, DocumentInput, IngestResult

Ingest = Callable[[Iterable[DocumentInput], Report | None], list[IngestResult]]


class ScopedEngine(Reader):
    """A tenant within a scope. Made by `pipelines.engine.Engine.within`.

    Everything that is read is limited to what can be seen from the place: now, in the past, by id, and in figures.
    Documents of the place itself (and below it, if the profile says so) are written, not those that it inherits.
    """

    def __init__(self, parts: Parts, jobs: JobRecords, ingest: Ingest, scope: Mapping[str, Any]) -> None:
        """Raises InvalidScope if ``scope`` names no place."""
        place = _place(scope, parts)
        view = view_of(parts.catalogue, parts.indexes, parts.writing.cleaner.hidden_at, place)
        super().__init__(reading_parts(parts, view))
        self._scope = dict(scope)
        self._prefix = "/".join(place.named.values())
        self._ingest = ingest
        self._deleter = parts.writing.deleter
        self._jobs = jobs.within(json.dumps(self._scope, sort_keys=True))

    @override
    def whole(self, what: str) -> NoReturn:
        raise NeedsWholeTenant(what)

    @property
    @override
    def scope(self) -> Mapping[str, Any]:
        return self._scope

    @property
    @override
    def jobs(self) -> Jobs:
        return Jobs(self._jobs, self._placed, self.profile.limits.quotas.jobs)

    @override
    def ingest(self, documents: Offer | Iterable[Offer], progress: Report | None = None) -> list[IngestResult]:
        return self._ingest([self._placed(document) for document in offered_documents(documents)], progress)

    @override
    def delete(self, document_id: str, purge: bool = False, patience_s: float | None = None) -> Deletion:
        if purge:
            raise NeedsWholeTenant("purging a document")
        view = self._reading.view
        self.document(document_id)
        return _own_part(self._deleter.delete(document_id, scope=self._scope, reader=view.reader), view)

    def _placed(self, offered: DocumentInput) -> DocumentInput:
        """Return the document as one of the place; one without an id gets one that begins with the place's values.

        So two places may ingest the same file.
        """
        document_id = offered.document_id or f"{self._prefix}/{named_offer(offered).document_id}".lstrip("/")
        return replace(offered, document_id=document_id, scope=self._scope)


def _place(scope: Mapping[str, Any], parts: Parts) -> Place:
    place = place_of(scope, parts.indexes.profile.metadata)
    if place is None:
        raise InvalidScope(Problem("scope", "must name a place"))
    return place


def _own_part(receipt: Deletion, view: TenantView) -> Deletion:
    """Return the receipt, without what is left of a history elsewhere."""
    try:
        left = view.catalogue.versions(receipt.document_id)
    except DocumentNotFound:
        return receipt
    seen = [version for version in left if view.sees(version.metadata)]
    if len(seen) == len(left):
        return receipt
    return replace(
        receipt,
        versions_left=len(seen),
        chunks_left=sum(version.chunks for version in seen),
        cache_entries_removed=min(receipt.cache_entries_removed, receipt.chunks_removed),
    )
