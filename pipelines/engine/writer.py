"""Documents that are ingested into a tenant and deleted from it."""

from __future__ import annotations

import time
from collections.abc import Iterable

from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.writing import Writing
from pipelines.engine.upkeep.maintenance import Maintenance
from pipelines.engine.upkeep.storage import LimitedStorage
from pipelines.ingestion.offers import Offer, offered_documents
from pipelines.ingestion.pipeline import Report
from pipelines.query.kinds import checked_flag, checked_text
from pipelines.types import Deletion, IngestResult


class Writer:
    """Ingests and deletes documents of the whole tenant.

    Args:
        writing: Does so.
        usage: Counts what is ingested.
        storage: Makes room.
        maintenance: Optimises the index.
    """

    def __init__(
        self, writing: Writing, usage: UsageStatistics, storage: LimitedStorage, maintenance: Maintenance
    ) -> None:
        self._writing = writing
        self._usage = usage
        self._storage = storage
        self._maintenance = maintenance

    def ingest(
        self, documents: Offer | Iterable[Offer], progress: Report | None = None, at_once: int = 1
    ) -> list[IngestResult]:
        """Ingest documents, and return what became of each; one that cannot be read fails alone.

        ``at_once`` of them are read and cut at the same time.
        """
        began = time.perf_counter()
        results = self._writing.ingestor.ingest(offered_documents(documents), progress, at_once)
        new = self._usage.record_ingestion(results, began)
        if new:
            self._storage.make_room({result.document_id for result in new})
        self._maintenance.optimize_if_needed()
        return results

    def delete(self, document_id: str, purge: bool, patience_s: float | None) -> Deletion:
        """Delete a document, and return what was removed; see `pipelines.engine.document_access.DocumentAccess`.

        Raises:
            InvalidRequest: ``document_id`` is no text, or ``purge`` neither true nor false.
            DocumentNotFound: There is no document of this id; with ``purge``, nor any history or receipt of one.
        """
        checked_text("document_id", document_id)
        checked_flag("purge", purge)
        self._storage.note_removal()
        deleter = self._writing.deleter
        return deleter.purge(document_id, patience_s) if purge else deleter.delete(document_id)
