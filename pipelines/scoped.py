"""A tenant as it is for those who are held to a place in its hierarchy: what is not seen from there does not exist."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from pipelines.catalogue.jobs import JobRecords
from pipelines.errors import DocumentNotFound, HeldToScope, InvalidScope, Problem
from pipelines.filters.scopes import place_of
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.prepare import named_offer
from pipelines.ingestion.sources import documents_at
from pipelines.jobs import Jobs
from pipelines.learning import Learning
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.types import Deletion, DocumentInput, IngestResult, Metadata, Stats

Ingest = Callable[[Iterable[DocumentInput], Report | None], list[IngestResult]]


class ScopedEngine(Learning):
    """An engine held to a scope; its methods are those of `pipelines.engine.Engine`. Made by `Engine.within`.

    Everything that is read is held to what is seen from the place: now, in the past, by id, and in figures. Written are
    documents of the place itself (and below it, if the profile says so), not those that it inherits. What concerns the
    whole tenant is refused.
    """

    def __init__(
        self, profile: Profile, parts: Parts, jobs: JobRecords, ingest: Ingest, scope: Mapping[str, Any]
    ) -> None:
        """Raises InvalidScope if ``scope`` names no place."""
        place = place_of(scope, profile.metadata)
        if place is None:
            raise InvalidScope(Problem("scope", "must name a place"))
        super().__init__(profile, parts, place)
        self._scope = dict(scope)
        self._prefix = "/".join(place.named.values())
        self._ingest = ingest
        self._ingestor = parts.writing.ingestor
        self._jobs = jobs.within(json.dumps(self._scope, sort_keys=True))

    def ingest(self, documents: Iterable[DocumentInput], progress: Report | None = None) -> list[IngestResult]:
        """Brings documents of the place in; one that is not, or whose id is taken elsewhere, fails alone.

        What has no id gets one that begins with the place's values, so that two places may bring in the same file.
        """
        return self._ingest([self._held(document) for document in documents], progress)

    def ingest_path(
        self, path: str | Path, metadata: Metadata | None = None, progress: Report | None = None
    ) -> list[IngestResult]:
        """Brings in a file, or every file of a folder; see `ingest`.

        Raises:
            InvalidRequest: There is nothing at ``path``.
        """
        return self.ingest(documents_at(Path(path), metadata or {}), progress)

    def delete(self, document_id: str, purge: bool = False) -> Deletion:
        """Takes a document of the place out.

        Raises:
            DocumentNotFound: None of this id is seen from here.
            OutsideScope: It is inherited.
            HeldToScope: Its history was to go too; parts of it may be another's.
        """
        if purge:
            raise HeldToScope("purging a document")
        self.document(document_id)
        receipt = self._ingestor.delete(document_id, scope=self._scope, reader=self._user)
        return self._own_part(receipt)

    @property
    def jobs(self) -> Jobs:
        """The jobs that were asked for under the same scope; they bring documents in, and nothing else."""
        return Jobs(self._jobs, self._held)

    def stats(self) -> Stats:
        """How much is seen from here; ``bytes`` are those of the documents, and failures are nobody's."""
        totals, size = self._catalogue.tally(self._sees)
        return Stats(
            tenant=self.tenant,
            documents=totals.documents,
            failed=totals.failed,
            chunks=totals.chunks,
            versions=totals.versions,
            snapshot=self._catalogue.snapshot,
            bytes=size,
            embedding=self._spaces.embedder.fingerprint,
            stale=totals.stale,
            horizon=self._catalogue.horizon,
            feedback=self._feedback_totals(),
        )

    def sync(self, report: Report | None = None, *, allow_empty: bool = False) -> NoReturn:
        """Refused."""
        raise HeldToScope("synchronising with the knowledge folder")

    def doctor(self, repair: bool = False) -> NoReturn:
        """Refused."""
        raise HeldToScope("the doctor")

    def purge(self, report: Report | None = None) -> NoReturn:
        """Refused."""
        raise HeldToScope("purging")

    def reembed(self, report: Report | None = None) -> NoReturn:
        """Refused."""
        raise HeldToScope("re-embedding")

    def optimize(self) -> NoReturn:
        """Refused."""
        raise HeldToScope("optimising the index")

    def _held(self, offered: DocumentInput) -> DocumentInput:
        document_id = offered.document_id or f"{self._prefix}/{named_offer(offered).document_id}".lstrip("/")
        return replace(offered, document_id=document_id, scope=self._scope)

    def _own_part(self, receipt: Deletion) -> Deletion:
        """The receipt, without what is left of a history elsewhere."""
        try:
            left = self._catalogue.versions(receipt.document_id)
        except DocumentNotFound:
            return receipt
        seen = [version for version in left if self._sees(version.metadata)]
        if len(seen) == len(left):
            return receipt
        return replace(
            receipt,
            versions_left=len(seen),
            chunks_left=sum(version.chunks for version in seen),
            cache_entries_removed=min(receipt.cache_entries_removed, receipt.chunks_removed),
        )
