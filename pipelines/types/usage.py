"""How much there is, and how it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pipelines.types.answers import AbstainReason
from pipelines.types.feedback import FeedbackTotals


@dataclass(frozen=True, slots=True)
class Stats:
    """What a tenant holds, and the feedback on its answers; ``bytes`` is what its data folder takes on disk."""

    tenant: str
    documents: int
    failed: int
    chunks: int
    versions: int
    snapshot: int
    bytes: int
    embedding: str
    stale: int
    horizon: int
    feedback: FeedbackTotals = field(default_factory=FeedbackTotals)


@dataclass(frozen=True, slots=True)
class Figures:
    """How a tenant stands at the moment, in counts that are cheap to have.

    Attributes:
        documents: Readable documents, by whether they are `current` or `stale`, and those that `failed`.
        chunks: Chunks of the readable documents.
        versions: Versions that are kept, past ones too.
        snapshot: The last committed point of the tenant's history.
        jobs: Jobs by their states.
        llm_calls: Calls of the language model that run and that wait; None where the profile names none.
    """

    documents: Mapping[str, int]
    chunks: int
    versions: int
    snapshot: int
    jobs: Mapping[str, int]
    llm_calls: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class DocumentUse:
    """How often a document was among the hits, and when last."""

    document_id: str
    count: int
    last: datetime


@dataclass(frozen=True, slots=True)
class QueryUse:
    """How often something was asked, when last, and the mean score of its best hit."""

    query: str
    count: int
    relevance: float
    last: datetime


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that the documents do not answer: why not, how often it was asked, and when last."""

    question: str
    reason: AbstainReason
    count: int
    last: datetime


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How often an answer that was given before was looked for and found (``hits``) or not, and what is kept of them.

    ``bytes`` is about what they take; counts are of this process, since it began.
    """

    mode: Literal["off", "exact", "semantic"]
    hits: int
    misses: int
    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a kind of work took: how often it was done, on how many items, and in how much time altogether.

    Percentiles are of the time of one piece of work, to within 5 %.
    """

    count: int
    items: int
    total_ms: float
    p95_ms: float
    p99_ms: float

    @property
    def average_ms(self) -> float:
        """The mean time of one piece of work."""
        return self.total_ms / self.count if self.count else 0.0

    def per_second(self, number: int) -> float:
        """Return how many of ``number`` things were done in a second."""
        return number / self.total_ms * 1000 if self.total_ms else 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """How a tenant is used: searches, ingestion (an item is a chunk), and what is found and asked most.

    ``unanswered`` are questions that were not answered, nor ever since, the most frequent first.
    """

    searches: Timing
    ingestion: Timing
    documents: tuple[DocumentUse, ...]
    queries: tuple[QueryUse, ...]
    unanswered: tuple[Unanswered, ...] = ()


@dataclass(frozen=True, slots=True)
class Resources:
    """What a tenant takes, in bytes: memory of the whole process, its data on disk, and what is free there.

    ``documents`` is what they take of ``disk``: all but the log of the embedded store, which grows to some 100 MB with
    what is written, whatever is deleted.
    """

    memory: int
    disk: int
    documents: int
    free: int
    total: int
