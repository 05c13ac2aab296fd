"""Erases from the files what purges took out: their bytes stay there until the files are written again.

One run does so for all purges that are waiting for it, so that many purges cost as much as one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as OutOfPatience

from pipelines.catalogue import Catalogue, PurgeRecords
from pipelines.errors import FootnoteError
from pipelines.ingestion.cleaning import Cleaner

_log = logging.getLogger(__name__)


class Scrubber:
    """Scrubs one tenant's files in a thread of its own; every method may be called from several threads.

    Args:
        catalogue: The tenant's catalogue.
        purges: The ledger of purges, which outlives the process.
        cleaner: Removes the chunks of purged documents.
        scrub_stores: Erases removed chunks from the files of every vector store of the tenant.
    """

    def __init__(
        self, catalogue: Catalogue, purges: PurgeRecords, cleaner: Cleaner, scrub_stores: Callable[[], None]
    ) -> None:
        self._catalogue = catalogue
        self._purges = purges
        self._cleaner = cleaner
        self._scrub_stores = scrub_stores
        self._running = threading.Lock()
        self._background = ThreadPoolExecutor(1, thread_name_prefix="footnote-scrub")

    def scrub(self, patience_s: float | None = None) -> None:
        """Erase what is waiting, and wait for that until ``patience_s`` is over; None: until it is done."""
        waiting = self._background.submit(self._try)
        try:
            waiting.result(patience_s)
        except OutOfPatience:
            return

    def resume(self) -> None:
        """Go on, in the background, where a process was killed that had purges to finish."""
        if self._purges.pending():
            self._background.submit(self._try)

    def scrub_all(self) -> None:
        """Erase everything that was ever removed.

        Raises:
            StoreUnavailable: A store or the database cannot do its part.
        """
        with self._running:
            pending = self._purges.pending()
            self._scrub_stores()
            self._catalogue.scrub()
            self._purges.finish(pending)

    def close(self) -> None:
        """Abort the running work; the next process continues it."""
        self._background.shutdown(wait=False, cancel_futures=True)

    def _try(self) -> None:
        try:
            self._cleaner.finish()
            if self._purges.pending():  # another run may have done it
                self.scrub_all()
        except FootnoteError:  # the documents cannot be read; the receipts still say "erasing"
            _log.exception("%s: purged documents are not erased from the files yet", self._catalogue.tenant)
