"""How a tenant is used: what is searched, answered and ingested, and which answers are reused."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from pipelines.catalogue.usage import UsageLog
from pipelines.query.kinds import checked_texts
from pipelines.query.reuse import AnswerCache
from pipelines.types import AbstainReason, CacheUse, Caller, DocumentUse, Hit, IngestResult, Usage


class UsageStatistics:
    """Counts the use of a tenant from one place, and reports it.

    Args:
        log: Where use is counted.
        cache: The answers that may be reused.
        reader: The name of the place; None: the whole tenant.
    """

    def __init__(self, log: UsageLog, cache: AnswerCache, reader: str | None) -> None:
        self._log = log
        self._cache = cache
        self._reader = reader

    def record_search(
        self, query: str, hits: Sequence[Hit], best: float, took_ms: float | None, caller: Caller
    ) -> None:
        """Count a search; ``took_ms`` is None where nothing was searched because the answer was reused."""
        documents = (hit.document_id for hit in hits)
        self._log.searched(self._reader, query, documents, best, took_ms, key=caller.key)

    def record_answer(self, question: str, reason: AbstainReason | None, caller: Caller) -> None:
        """Count a question that was answered, or why it was not."""
        self._log.answered(self._reader, question, reason, key=caller.key)

    def record_ingestion(self, results: Iterable[IngestResult], began: float) -> list[IngestResult]:
        """Count the documents that a load changed since ``began`` (`time.perf_counter`), and return them."""
        new = [result for result in results if result.state == "ready"]
        took_ms = (time.perf_counter() - began) * 1000
        self._log.ingested(self._reader, len(new), sum(result.chunks_created for result in new), took_ms)
        return new

    def usage(self, most: int, caller: Caller) -> Usage:
        """Return how ``caller``'s key uses the tenant, for an admin how all keys do; see `UseAccess.usage`."""
        return self._log.usage(self._reader, most, key=None if caller.sees_all else caller.key)

    def uses_of(self, document_ids: Sequence[str] | None = None) -> dict[str, DocumentUse]:
        """Return how often and when documents, by default all, were among the hits; those never found are left out.

        Raises:
            InvalidRequest: ``document_ids`` is no list of ids.
        """
        if document_ids is not None:
            checked_texts("document_ids", document_ids)
        return self._log.uses_of(self._reader, document_ids)

    def cache_use(self) -> CacheUse:
        """Return how often this process reused answers, and how many it keeps."""
        return self._cache.use(self._reader)
