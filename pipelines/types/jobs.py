"""Work that takes longer, and how far it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pipelines.types.documents import Deletion, IngestResult

JobKind = Literal["ingest", "sync", "reembed", "optimize", "purge", "rebuild", "compact"]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
FileState = Literal["waiting", "ready", "unchanged", "failed", "renamed", "removed", "busy"]


@dataclass(frozen=True, slots=True)
class FileProgress:
    """What became of one file of a piece of work, with the chunks and bytes that it brought."""

    path: str
    state: FileState
    reason: str | None = None
    chunks: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a load has come; the total is None while the documents are still being counted.

    ``latest`` are the files that were done since the last report.
    """

    documents_done: int
    documents_total: int | None
    chunks: int
    latest: tuple[FileProgress, ...] = ()


@dataclass(frozen=True, slots=True)
class Rename:
    """A document whose file has another name now; both changes were one commit."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, repr=False)
class SyncResult:
    """What a synchronisation did.

    Attributes:
        results: What became of each file of the folder; those that were not read again are ``unchanged``.
        removed: The documents that went because their file did.
        renamed: Files that were found again under another name.
        busy: Files that were being written, and are left for the next time.
        reread: Files that had to be read again because former readers had read them.
    """

    results: tuple[IngestResult, ...]
    removed: tuple[Deletion, ...]
    renamed: tuple[Rename, ...] = ()
    busy: tuple[str, ...] = ()
    reread: tuple[str, ...] = ()

    def __repr__(self) -> str:
        states = Counter[str](result.state for result in self.results)
        others = {"removed": self.removed, "renamed": self.renamed, "busy": self.busy}
        counted = {**states, **{name: len(those) for name, those in others.items()}}
        facts = ", ".join(f"{number:,} {name}" for name, number in counted.items() if number)
        return f"SyncResult({facts or 'no files'})"


@dataclass(frozen=True, slots=True)
class Purge:
    """What a purge took away: versions that retention no longer keeps, and the snapshot up to which history is gone."""

    versions_removed: int
    chunks_removed: int
    horizon: int


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is. Rates and the estimate are None before there is anything to reckon with."""

    files_total: int | None
    files_done: int
    files_failed: int
    chunks: int
    bytes: int
    files_per_second: float | None = None
    estimated_completion: datetime | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of durable work. ``reason`` says why it failed; ``attempt`` counts how often it was begun."""

    job_id: str
    kind: JobKind
    state: JobState
    progress: JobProgress
    priority: int
    attempt: int
    reason: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    files: tuple[FileProgress, ...] = ()


@dataclass(frozen=True, slots=True)
class JobPage:
    """Some of a tenant's jobs, newest first and without their files, and where the next page begins."""

    jobs: tuple[Job, ...]
    next_cursor: str | None
