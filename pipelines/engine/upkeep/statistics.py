"""How much a tenant holds."""

from __future__ import annotations

from pathlib import Path

from pipelines.catalogue.jobs import JobRecords
from pipelines.components.llm import Llm
from pipelines.components.store.edge.room import disk_usage
from pipelines.engine.asking.feedback import FeedbackLog
from pipelines.engine.parts.view import TenantView
from pipelines.types import Figures, Stats


class Statistics:
    """Counts documents, chunks and versions."""

    def __init__(self, view: TenantView, feedback: FeedbackLog, folder: Path) -> None:
        self._view = view
        self._feedback = feedback
        self._folder = folder

    def stats(self) -> Stats:
        """Return how much can be seen.

        For the whole tenant, ``bytes`` is what its folder takes. Within bounds it is the size of the documents, and
        documents that failed are not counted.
        """
        view = self._view
        if view.bounds is None:
            totals, size = view.catalogue.totals(), disk_usage(self._folder)
        else:
            totals, size = view.catalogue.tally(view.sees)
        return Stats(
            tenant=view.profile.tenant,
            documents=totals.documents,
            failed=totals.failed,
            chunks=totals.chunks,
            versions=totals.versions,
            snapshot=view.catalogue.snapshot,
            bytes=size,
            embedding=view.indexes.embedder.fingerprint,
            stale=totals.stale,
            horizon=view.catalogue.horizon,
            feedback=self._feedback.totals(),
        )


def figures(view: TenantView, jobs: JobRecords, llm: Llm | None) -> Figures:
    """Return how the whole tenant stands at the moment; unlike `Statistics.stats`, nothing is measured for it."""
    totals = view.catalogue.totals()
    return Figures(
        documents={"current": totals.documents - totals.stale, "stale": totals.stale, "failed": totals.failed},
        chunks=totals.chunks,
        versions=totals.versions,
        snapshot=view.catalogue.snapshot,
        jobs=jobs.counts(),
        llm_calls=None if llm is None else llm.calls,
    )
