"""The documents that a commit takes out."""

from __future__ import annotations

from pipelines.catalogue import Catalogue, Cleanup, Commit, NewVersion, RemovalCount
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.visibility import retire
from pipelines.types import Origin


class Removals:
    """The documents that a commit takes out: hidden from before its end, cleaned up after it.

    Its block goes around the commit's, so that a commit that fails at its very end shows them again.
    """

    def __init__(self, catalogue: Catalogue, store: ChunkStore, cleaner: Cleaner) -> None:
        self._catalogue = catalogue
        self._store = store
        self._cleaner = cleaner
        self._cleanups: list[Cleanup] = []

    def __enter__(self) -> Removals:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for cleanup in self._cleanups:
                self._cleaner.show(cleanup)

    def drop(self, commit: Commit, document_id: str, accepted: int, origin: Origin | None = None) -> RemovalCount:
        """Take a document out, if it came from ``origin``; its history stays."""
        self._cleaner.finish([document_id])
        dropped = commit.drop(document_id, accepted, origin)
        self._hide(Cleanup(document_id, "retire", commit.snapshot))
        return dropped

    def purge(self, commit: Commit, document_id: str, accepted: int, cached_answers: int) -> None:
        """Take a document out with its history."""
        self._cleaner.finish([document_id])
        commit.purge(document_id, accepted, cached_answers)
        self._hide(Cleanup(document_id, "erase", commit.snapshot))

    def drop_replaced(self, commit: Commit, document_id: str | None, new: NewVersion) -> None:
        """Take out the document whose place ``new`` takes; see `is_replaced`."""
        if document_id is not None and is_replaced(commit, document_id, new):
            self.drop(commit, document_id, new.accepted)

    def _hide(self, cleanup: Cleanup) -> None:
        self._cleanups.append(cleanup)
        if self._catalogue.owned:
            self._cleaner.hide(cleanup)
        else:  # other processes know nothing of what this one hides
            retire(self._store, [cleanup.document_id], cleanup.snapshot)

    def clean_up(self) -> None:
        """Do what is left to do once the commit stands: what is to be erased now, the rest in time."""
        for cleanup in self._cleanups:
            if cleanup.kind == "erase" or not self._catalogue.owned:
                self._cleaner.run(cleanup)
            else:
                self._cleaner.later(cleanup)


def is_replaced(commit: Commit, document_id: str, new: NewVersion) -> bool:
    """Return whether ``new`` takes the place of a document that is there and came from where ``new`` comes from."""
    return commit.origin(document_id) == new.origin
