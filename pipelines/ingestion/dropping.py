"""The documents that a commit takes out."""

from __future__ import annotations

from pipelines.catalogue import Catalogue, Cleanup, Commit, NewVersion
from pipelines.components.vector_store import ChunkStore
from pipelines.ingestion.cleaning import Cleaner
from pipelines.ingestion.visibility import retire


class Dropping:
    """The documents that a commit takes out: hidden from before its end, cleaned up after it.

    Its block goes around the commit's, so that a commit that fails at its very end shows them again.
    """

    def __init__(self, catalogue: Catalogue, store: ChunkStore, cleaner: Cleaner) -> None:
        self._catalogue = catalogue
        self._store = store
        self._cleaner = cleaner
        self._cleanups: list[Cleanup] = []

    def __enter__(self) -> Dropping:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for cleanup in self._cleanups:
                self._cleaner.show(cleanup)

    def drop(self, commit: Commit, document_id: str, accepted: int, purge: bool) -> tuple[int, int]:
        """Takes a document out; gives how many versions and chunks that were."""
        self._cleaner.finish([document_id])
        gone = commit.drop(document_id, accepted, purge)
        cleanup = Cleanup(document_id, "erase" if purge else "retire", commit.snapshot)
        self._cleanups.append(cleanup)
        if self._catalogue.owned:
            self._cleaner.hide(cleanup)
        else:  # other processes know nothing of what this one hides
            retire(self._store, [document_id], commit.snapshot)
        return gone

    def drop_replaced(self, commit: Commit, document_id: str | None, new: NewVersion) -> None:
        """Takes out the document whose place ``new`` takes, if it is there and came from where ``new`` comes from."""
        if document_id is not None and commit.origin(document_id) == new.origin:
            self.drop(commit, document_id, new.accepted, purge=False)

    def clean_up(self) -> None:
        """Does what is left to do once the commit stands: what is to be erased now, the rest in time."""
        for cleanup in self._cleanups:
            if cleanup.kind == "erase" or not self._catalogue.owned:
                self._cleaner.run(cleanup)
            else:
                self._cleaner.later(cleanup)
