"""What carrying out a tenant's jobs takes of the tenant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.catalogue.jobs import JobRecords
from pipelines.profile.schema import JobsSection
from pipelines.types import DocumentInput, IngestResult, Progress

Report = Callable[[Progress], None]
"""Takes how far a piece of work is; what it raises ends the work, and must not be caught there."""


@dataclass(frozen=True, slots=True)
class Work:
    """What can be done for one tenant, each by a call that returns when it is done.

    A call may be made again after it was broken off at any moment, and then does what is left. An error of the kinds
    Unavailable and PartTimeout says that trying again may help; it must not be made a document's failure.

    Attributes:
        settings: The profile's section ``jobs``.
        records: The tenant's jobs in its catalogue.
        ingest: Brings a batch of documents in, so many at once, and gives a result for each in their order.
        sync: Brings the tenant in line with its knowledge folder.
        reembed: Builds what is stale anew.
        purge: Takes away what retention no longer keeps.
        optimize: Puts the index in its best shape.
        rebuild: Holds index and catalogue against each other, makes anew what is missing or stale, and optimises.
        compact: Purges, optimises, and gives unused room on disk back.
    """

    settings: JobsSection
    records: JobRecords
    ingest: Callable[[Sequence[DocumentInput], Report, int], Sequence[IngestResult]]
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
