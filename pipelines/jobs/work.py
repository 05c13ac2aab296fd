"""The calls that carry a tenant's jobs out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.catalogue.jobs import JobRecords
from pipelines.profile.sections.limits import JobsSection
from pipelines.types import DocumentInput, IngestResult, Progress

Report = Callable[[Progress], None]
"""Receives the progress of a piece of work. What it raises ends the work, and must not be caught there."""


@dataclass(frozen=True, slots=True)
class Work:
    """One tenant's kinds of work, each a call that returns when it is done.

    A call may be repeated after an interruption at any moment, and then does the rest. `Unavailable` and `PartTimeout`
    mean that a retry may help; they must not become a document's failure.

    Attributes:
        settings: The profile's section ``jobs``.
        records: The tenant's jobs in its catalogue.
        ingest: Ingest a batch of documents, so many at once; return their results in order.
        complete: Make the vectors of chunks that were stored without; return how many.
        sync: Synchronise the tenant with its knowledge folder.
        reembed: Reprocess stale documents.
        purge: Remove what retention no longer keeps.
        optimize: Optimise the index.
        rebuild: Compare index and catalogue, restore what is missing or stale, and optimise.
        compact: Purge, optimise, and release unused disk space.
    """

    settings: JobsSection
    records: JobRecords
    ingest: Callable[[Sequence[DocumentInput], Report, int], Sequence[IngestResult]]
    complete: Callable[[Callable[[int], None]], int]
    sync: Callable[[Report], object]
    reembed: Callable[[Report], object]
    purge: Callable[[Report], object]
    optimize: Callable[[], object]
    rebuild: Callable[[Report], object]
    compact: Callable[[Report], object]

    @property
    def tenant(self) -> str:
        """The tenant's name."""
        return self.records.tenant
