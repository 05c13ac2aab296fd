"""What a tenant takes of the machine, and the limit of its room on disk."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipelines.catalogue.files import FileRecords
from pipelines.catalogue.settings import Settings
from pipelines.components.resources import resources
from pipelines.components.store.dense_vectors import DenseVectors
from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.view import TenantView
from pipelines.engine.upkeep.maintenance import Maintenance
from pipelines.errors import DocumentNotFound, Unavailable
from pipelines.ingestion.deletion import Deleter
from pipelines.ingestion.pipeline import Report
from pipelines.types import Document, Progress, Purge, Resources

_STORAGE = "storage"
_PAGE = 1000
_ROOMY = 0.9
"""How full the room is after documents were removed."""
_MORE = 1.1
"""Making room that did not get below the limit is tried again when so many times as much is taken."""
_log = logging.getLogger(__name__)


class Storage:
    """Figures of memory and disk."""

    def __init__(self, view: TenantView, folder: Path) -> None:
        self._view = view
        self._folder = folder

    def resources(self) -> Resources:
        """Return the memory and the disk that the tenant takes, in bytes."""
        return resources(self._folder)

    def vector_bytes(self) -> int:
        """Return the bytes that one vector takes on disk, as the profile has vectors kept."""
        kept = DenseVectors.of(self._view.profile.store)
        return round(kept.bytes_per_dimension * self._view.indexes.current.dimensions)

    def vectors_stored(self) -> int:
        """Count the chunks that can be read now and have a vector; with words first, fewer than there are chunks."""
        readable = self._view.readable(self._view.snapshot(), self._view.bounds)
        return self._view.indexes.current.store.count_vectors(readable)


class LimitedStorage(Storage):
    """Storage with a limit; beyond it, the documents that were not used for longest are removed.

    Args:
        view: The whole tenant.
        folder: Its data.
        settings: Where the limit is kept.
        files: The files of the knowledge folder.
        usage: When documents were used.
        deleter: Removes documents.
        maintenance: Purges history, and gives room back to the disk.
    """

    def __init__(
        self,
        view: TenantView,
        folder: Path,
        *,
        settings: Settings,
        files: FileRecords,
        usage: UsageStatistics,
        deleter: Deleter,
        maintenance: Maintenance,
    ) -> None:
        super().__init__(view, folder)
        self._settings = settings
        self._files = files
        self._usage = usage
        self._deleter = deleter
        self._maintenance = maintenance
        self._lock = threading.Lock()
        self._unreclaimed = True  # whether there may be something whose room was not given back
        self._in_vain = 0  # bytes beyond which it may help to make room, where it did not before

    @property
    def most_bytes(self) -> int | None:
        """The limit of `resources().documents`; None: there is none."""
        most = self._settings.get(_STORAGE).get("most_bytes")
        return int(most) if most else None

    def keep_below(self, most_bytes: int | None) -> None:
        """Set `most_bytes`."""
        self._settings.put(_STORAGE, {"most_bytes": most_bytes})

    def note_removal(self) -> None:
        """Remember that there is room to give back."""
        self._unreclaimed = True

    def compact(self, report: Report | None = None) -> Purge:
        """Purge what retention no longer keeps, give its room back, and remove documents until the limit is kept."""
        with self._lock:
            purged = self._maintenance.trim()
            self._give_back()
            self._remove_unused(())
        if report is not None:
            report(Progress(0, 0, purged.chunks_removed))
        return purged

    def reclaim(self) -> None:
        """Give back the room of what was deleted or is no longer kept, unless that was done."""
        with self._lock:
            if self._unreclaimed:
                self._maintenance.trim()
                self._give_back()

    def make_room(self, new: Collection[str]) -> None:
        """Get below the limit, if there is one, without removing the documents ``new``; log a failure."""
        self._unreclaimed = True
        most = self.most_bytes
        if most is None:
            return
        with self._lock:
            if self.resources().documents <= max(most, self._in_vain):
                return
            try:
                self._maintenance.trim()
                self._give_back()
                self._remove_unused(new)
            except Unavailable:  # the documents are in; they only take more than they may
                _log.exception("no room could be made for tenant %s", self._view.profile.tenant)

    def beyond_limit(self, new: Collection[str] = ()) -> list[str]:
        """Return the ids of the documents that must go for the rest to fit, the longest unused first.

        What is ``new`` stays, and what the knowledge folder has a file of: the next synchronisation would bring it
        back, or take it for deleted on purpose where it was ingested over its file. A document's share of the room is
        that of its chunks, so the room of deleted documents must be given back before.
        Some room is made beyond what is needed, so that it need not be made again at once.
        """
        most = self.most_bytes
        used = self.resources().documents if most is not None else 0
        if most is None or used <= most:
            return []
        kept = self._view.catalogue.ids_from("knowledge").union(new, self._files.document_ids())
        uses, documents = self._usage.uses_of(), self._all_documents()
        of_chunk = used / max(sum(document.chunks for document in documents), 1)
        found = []
        for document in sorted(documents, key=lambda one: _last_use(one, uses)):
            if used <= round(most * _ROOMY):
                break
            if document.document_id not in kept:
                found.append(document.document_id)
                used -= round(of_chunk * document.chunks)
        return found

    def _give_back(self) -> None:
        self._unreclaimed = False
        self._maintenance.give_back()

    def _remove_unused(self, new: Collection[str]) -> None:
        while beyond := self.beyond_limit(new):
            for document_id in beyond:
                with suppress(DocumentNotFound):
                    self._deleter.purge_unscrubbed(document_id)
                    _log.info("%s: %r was removed to make room", self._view.profile.tenant, document_id)
            self._give_back()
        used, most = self.resources().documents, self.most_bytes
        self._in_vain = round(used * _MORE) if most is not None and used > most else 0

    def _all_documents(self) -> list[Document]:
        page = self._view.catalogue.documents(_PAGE, None)
        found = list(page.documents)
        while page.next_cursor is not None:
            page = self._view.catalogue.documents(_PAGE, page.next_cursor)
            found += page.documents
        return found


def _last_use(document: Document, uses: dict[str, Any]) -> Any:
    use = uses.get(document.document_id)
    return max(document.updated_at, use.last) if use is not None else document.updated_at
