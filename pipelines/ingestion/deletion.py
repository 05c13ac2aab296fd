"""Deleting documents, and purging them: a deletion that leaves nothing behind, and proves it by a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.catalogue import Catalogue, Commit, ContentCache, PurgeRecords, RemovalCount
from pipelines.catalogue.write_behind import WriteBehind
from pipelines.errors import DocumentNotFound
from pipelines.ingestion.cleaning import Cleaner, GivenAnswers
from pipelines.ingestion.dropping import Removals
from pipelines.ingestion.scope_guard import Scope, ScopeGuard
from pipelines.ingestion.scrubbing import Scrubber
from pipelines.ingestion.space import CurrentSpace
from pipelines.ingestion.tickets import ticket
from pipelines.ingestion.visibility import undo_beyond
from pipelines.types import Deletion, Origin


class Deleter:
    """Takes one tenant's documents out; every method may be called from several threads.

    Args:
        catalogue: The tenant's catalogue.
        space: The store in use.
        cleaner: Changes the chunks.
        caches: What is kept by the texts of documents.
        holding: Says who may write which document.
        given: Answers that are kept to be given again.
        purges: The ledger of purges.
        logs: What is written to the catalogue a little later, and may tell of documents.
        scrubber: Erases what was purged from the files.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        space: CurrentSpace,
        cleaner: Cleaner,
        caches: Sequence[ContentCache[Any]],
        *,
        holding: ScopeGuard,
        given: GivenAnswers,
        purges: PurgeRecords,
        logs: Sequence[WriteBehind],
        scrubber: Scrubber,
    ) -> None:
        self._catalogue = catalogue
        self._space = space
        self._cleaner = cleaner
        self._caches = caches
        self._holding = holding
        self._given = given
        self._purges = purges
        self._logs = logs
        self._scrubber = scrubber

    def delete(
        self,
        document_id: str,
        scope: Scope | None = None,
        reader: str | None = None,
        *,
        origin: Origin | None = None,
    ) -> Deletion:
        """Take a document out; its history can be read with ``as_of`` until it is purged.

        Answers that were made of it and kept are counted in the receipt: those given under the scope ``reader``, by
        default all.

        Raises:
            DocumentNotFound: No such id, or none that comes from ``origin`` any more.
            OutsideScope: It may not be written under ``scope``.
        """
        self._catalogue.document(document_id)  # before the commit, which would have to be undone
        accepted = ticket()
        forgotten = sum(cache.count_of(document_id) for cache in self._caches)
        forgotten += self._given.count_of(document_id, reader)
        with self._dropping() as dropping, self._catalogue.committing(self._undo) as commit:
            self._require_own(commit, document_id, scope)
            dropped = dropping.drop(commit, document_id, accepted, origin)
        left = self._history(document_id)
        dropping.clean_up()
        return _receipt(document_id, dropped, forgotten, left, commit.snapshot)

    def purge(self, document_id: str, patience_s: float | None = None) -> Deletion:
        """Delete a document with its history and everything derived from it; a repeated call returns the same receipt.

        Args:
            document_id: The document.
            patience_s: How long to wait until no file holds it any more; None: until then. After that the receipt
                says "erasing", and the work goes on.

        Raises:
            DocumentNotFound: No such id, nor any history of one, and none was ever purged.
        """
        self.purge_unscrubbed(document_id)
        self._scrubber.scrub(patience_s)
        receipt = self._purges.receipt(document_id)
        if receipt is None:
            raise DocumentNotFound(document_id)
        return receipt

    def purge_unscrubbed(self, document_id: str) -> None:
        """Purge a document whose bytes the next scrub erases from the files; one that was purged before is left.

        Raises:
            DocumentNotFound: See `purge`.
        """
        for log in self._logs:
            log.flush()
        try:
            self._require_history(document_id)  # before the commit, which would have to be undone
            self._commit_purge(document_id)
        except DocumentNotFound:
            if self._purges.receipt(document_id) is None:
                raise

    def _commit_purge(self, document_id: str) -> None:
        accepted, answers = ticket(), self._given.count_of(document_id)
        with self._dropping() as dropping, self._catalogue.committing(self._undo) as commit:
            dropping.purge(commit, document_id, accepted, answers)
        dropping.clean_up()

    def _require_history(self, document_id: str) -> None:
        try:
            self._catalogue.document(document_id)
        except DocumentNotFound:
            self._catalogue.versions(document_id)

    def _require_own(self, commit: Commit, document_id: str, scope: Scope | None) -> None:
        if scope is None:
            return
        held = commit.metadata_of([document_id])
        if document_id not in held:
            raise DocumentNotFound(document_id)
        self._holding.require(scope, held[document_id])

    def _history(self, document_id: str) -> list[int]:
        """Return the number of chunks of each version that is left of a document that is gone."""
        try:
            return [version.chunks for version in self._catalogue.versions(document_id)]
        except DocumentNotFound:
            return []

    def _dropping(self) -> Removals:
        return Removals(self._catalogue, self._space().store, self._cleaner)

    def _undo(self, snapshot: int) -> None:
        undo_beyond(self._space().store, snapshot)


def _receipt(document_id: str, dropped: RemovalCount, forgotten: int, left: Sequence[int], snapshot: int) -> Deletion:
    return Deletion(
        document_id=document_id,
        versions_removed=dropped.versions,
        chunks_removed=dropped.chunks,
        cache_entries_removed=forgotten,
        versions_left=len(left),
        chunks_left=sum(left),
        snapshot=snapshot,
    )
