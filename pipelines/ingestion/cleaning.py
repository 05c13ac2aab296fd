"""Does in the vector store what a commit has promised already, when there is time for it.

A deletion is one row in SQL. Marking ten thousand chunks as ended takes half a second beside it, so readers leave the
document out by its id until that is done. What is to be done stands in the catalogue, and outlives the process.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from qdrant_client import models

from pipelines.catalogue import Catalogue, Cleanup, ContentCache
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.errors import Unavailable
from pipelines.ingestion.visibility import begun_before, chunks_of, ended_by, only, unended

_AT_ONCE = 256
_BREATH_S = 0.001
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 60.0
_log = logging.getLogger(__name__)


class GivenAnswers(Protocol):
    """Where answers are kept to be given again; see `pipelines.query.reuse.AnswerCache`."""

    def count_of(self, document_id: str, reader: str | None = None) -> int:
        """Return how many of them are made of a document, by default for all scopes."""
        ...

    def forget(self, document_id: str) -> int:
        """Forget those that are made of a document; return how many there were."""
        ...


class DerivedRecords(Protocol):
    """Records that were derived from documents."""

    def erase(self, document_id: str) -> None:
        """Erase the records derived from versions that are not kept any more."""


class Cleaner:
    """Runs a tenant's cleanups; every method may be called from several threads.

    Args:
        catalogue: Where they are written down.
        stores: Gives the store in use, which may become another one, and then those that hold its chunks too.
        caches: Where something is kept by the texts of documents.
        derived: Where records derived from documents are kept.
        given: Where answers are kept to be given again.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        stores: Callable[[], Sequence[ChunkStore]],
        caches: Sequence[ContentCache[Any]],
        derived: Sequence[DerivedRecords],
        given: GivenAnswers,
    ) -> None:
        self._catalogue = catalogue
        self._stores = stores
        self._caches = caches
        self._derived = derived
        self._given = given
        self._pending: dict[str, Cleanup] = {}
        self._at_work = threading.Lock()
        self._closing = threading.Event()
        self._background = ThreadPoolExecutor(1, thread_name_prefix="footnote-clean")

    def hidden_at(self, snapshot: int) -> Sequence[str]:
        """Return documents that a reader of ``snapshot`` must leave out: their chunks do not say yet that they are
        gone.
        """
        if not self._catalogue.owned:
            return self._erased_since(snapshot)
        pending = tuple(self._pending.values())
        newest = self._catalogue.snapshot if pending else snapshot
        return [
            cleanup.document_id
            for cleanup in pending
            if cleanup.snapshot <= (newest if cleanup.kind == "erase" else snapshot)
        ]

    def _erased_since(self, snapshot: int) -> Sequence[str]:
        """Return what a process that shares the catalogue must leave out of history; the present is marked in the
        commit.
        """
        if snapshot == self._catalogue.snapshot:
            return ()
        return [cleanup.document_id for cleanup in self._catalogue.cleanups() if cleanup.kind == "erase"]

    def hide(self, cleanup: Cleanup) -> None:
        """Let readers leave a document out, from before the commit that takes it out until it is cleaned up."""
        self._pending[cleanup.document_id] = cleanup

    def show(self, cleanup: Cleanup) -> None:
        """Take `hide` back, where the commit failed."""
        self._pending.pop(cleanup.document_id, None)

    def later(self, cleanup: Cleanup) -> None:
        """Run a cleanup in another thread, again and again while the store or the catalogue is unavailable."""
        self._background.submit(self._try, cleanup)

    def finish(self, document_ids: Sequence[str] | None = None) -> int:
        """Run the pending cleanups of these documents, by default of all; return how many chunks were removed."""
        return sum(map(self.run, self._catalogue.cleanups(document_ids)))

    def run(self, cleanup: Cleanup) -> int:
        """Run a cleanup and return how many chunks it removed; a second run does nothing.

        What was ingested since has the same document id, and stays.
        """
        self._given.forget(cleanup.document_id)
        with self._at_work:
            removed = self._change(cleanup)
            if removed is None:
                return 0
            if cleanup.kind != "trim":
                for cache in self._caches:
                    cache.forget(cleanup.document_id)
            if cleanup.kind != "retire":
                for derived in self._derived:
                    derived.erase(cleanup.document_id)
            self._catalogue.cleaned(cleanup)
            if self._pending.get(cleanup.document_id) == cleanup:
                del self._pending[cleanup.document_id]
            return removed

    def _change(self, cleanup: Cleanup) -> int | None:
        """Change the chunks, and return how many went; None where it did not come to its end, since this is closing."""
        (store, *others), document_ids = self._stores(), [cleanup.document_id]
        if cleanup.kind == "erase":
            gone = chunks_of(document_ids, begun_before(cleanup.snapshot))
            return _remove(gone, store, others)
        if cleanup.kind == "trim":
            return _remove(chunks_of(document_ids, ended_by(cleanup.snapshot)), store, others)
        ending = chunks_of(document_ids, begun_before(cleanup.snapshot), unended())
        # In small parts: Qdrant Edge lets no other thread of the process run while it writes.
        while some := store.first(ending, _AT_ONCE):
            store.set_fields({"valid_to": cleanup.snapshot}, only(some))
            if self._closing.wait(_BREATH_S):
                return None
        return 0

    def close(self) -> None:
        """End soon; the next process does what is left."""
        self._closing.set()
        self._background.shutdown(cancel_futures=True)

    def _try(self, cleanup: Cleanup) -> None:
        for pause_s in _pauses_s():
            if self._closing.is_set():
                return
            try:
                self.run(cleanup)
            except Unavailable as error:
                _log.warning("the chunks of a deleted document are not cleaned up yet: %s", error.message)
                self._closing.wait(pause_s)
            except Exception:  # noqa: BLE001 - nobody waits for it; readers leave the document out, the next start tries again
                _log.exception("the chunks of a deleted document are not cleaned up before the next start")
                return
            else:
                return


def _pauses_s() -> Iterator[float]:
    """Yield how long to wait after each attempt: twice as long every time, and a minute in the end."""
    pause_s = _FIRST_PAUSE_S
    while True:
        yield pause_s
        pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


def _remove(gone: models.Filter, store: ChunkStore, others: Sequence[ChunkStore]) -> int:
    """Remove chunks from every store; return how many the one in use held."""
    for other in others:
        other.remove(gone)
    return store.remove(gone)
