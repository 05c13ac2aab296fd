"""A tenant's jobs as its users see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import get_args

from pipelines.catalogue.jobs import JobRecords, NewJob
from pipelines.errors import InvalidRequest, NeedsWholeTenant, NothingToSync, Problem, nearest
from pipelines.ingestion.tickets import ticket
from pipelines.query.kinds import checked_page
from pipelines.types import DocumentInput, Job, JobKind, JobPage, JobState

PRIORITIES = range(-1000, 1001)
"""Valid priorities of a job; the smallest runs first."""
AT_ONCE = range(1, 17)
"""How many documents of a job may be prepared together."""
Hold = Callable[[DocumentInput], DocumentInput]
_KINDS: tuple[str, ...] = get_args(JobKind)
_STATES: tuple[str, ...] = get_args(JobState)
_MOST_KEY_CHARS = 200


class Jobs:
    """Submits, shows and cancels one tenant's jobs. Thread-safe.

    No worker needs to run: the next server or worker of the tenant picks jobs up within about a second. Every method
    raises StoreUnavailable if the database fails.
    """

    def __init__(self, records: JobRecords, held: Hold | None = None, most: int = 0, *, can_sync: bool = True) -> None:
        """Offer the jobs of ``records``.

        Args:
            records: Those of the tenant, or of one scope.
            held: Limits each document to that scope.
            most: How many jobs of the tenant may wait or run; 0: any number.
            can_sync: Whether the tenant has anything to be synchronised with.
        """
        self._records = records
        self._held = held
        self._most = most
        self._can_sync = can_sync

    def submit(
        self,
        kind: JobKind,
        documents: Iterable[DocumentInput] = (),
        *,
        priority: int = 0,
        idempotency_key: str | None = None,
        at_once: int = 1,
    ) -> Job:
        """Submit a job and return it, without its files.

        Args:
            kind: The kind of work.
            documents: The documents of an ``ingest``. With a catalogue on PostgreSQL, files are read now, so that
                another machine can ingest them; on SQLite they are read when the job runs.
            priority: In -1000..1000; the smallest runs first, and among equals the oldest.
            at_once: How many documents are prepared together, 1 to 16.
            idempotency_key: Names this request, 1 to 200 characters; the same key returns the same job.

        Raises:
            InvalidRequest: The kind, the documents, the priority or the key is invalid.
            NothingToSync: The profile names nothing for a ``sync``.
            NeedsWholeTenant: A scoped key may submit jobs of the kind ``ingest`` only.
            KeyReused: The key named another request before.
            QuotaSpent: As many jobs wait or run as the profile allows.
        """
        offered = tuple(documents)
        problems = tuple(_problems(kind, offered, priority, idempotency_key))
        if at_once not in AT_ONCE:
            problems += (Problem("at_once", f"{at_once} is not between {AT_ONCE.start} and {AT_ONCE.stop - 1}"),)
        if problems:
            raise InvalidRequest(*problems)
        if self._held is not None and kind != "ingest":
            raise NeedsWholeTenant(f"a job of the kind {kind}")
        if kind == "sync" and not self._can_sync:
            raise NothingToSync
        if self._held is not None:
            offered = tuple(map(self._held, offered))
        new = NewJob(kind, offered, priority, idempotency_key, accepted=ticket(), at_once=at_once)
        return self._records.create(new, 0 if kind == "purge" else self._most)  # retention goes on

    def job(self, job_id: str) -> Job:
        """Return a job with its files.

        Raises:
            JobNotFound: No job has this id.
        """
        return self._records.job(job_id)

    def list(self, limit: int = 50, cursor: str | None = None, state: JobState | None = None) -> JobPage:
        """Return a page of jobs, newest first; ``cursor`` is the previous page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000, or ``cursor`` or ``state`` is unknown.
        """
        checked_page(limit, cursor)
        if state is not None and state not in _STATES:
            raise InvalidRequest(Problem("state", f'there is no state "{state}"', nearest(state, _STATES)))
        return self._records.jobs(limit, cursor, state)

    def cancel(self, job_id: str) -> Job:
        """Cancel a job: a waiting one at once, a running one at its next batch or report. Finished files stay.

        A job that was cancelled before is returned unchanged.

        Raises:
            JobNotFound: No job has this id.
            JobEnded: It had already ended.
        """
        return self._records.cancel(job_id)


def _problems(kind: str, documents: tuple[DocumentInput, ...], priority: int, key: str | None) -> Iterable[Problem]:
    if kind not in _KINDS:
        yield Problem("kind", f'there is no job "{kind}"', nearest(kind, _KINDS))
    elif kind == "ingest" and not documents:
        yield Problem("documents", "is empty; give at least one document")
    elif kind != "ingest" and documents:
        yield Problem("documents", f"a job of the kind {kind} takes none")
    for number, document in enumerate(documents):
        if not isinstance(document, DocumentInput):
            yield Problem(f"documents -> {number}", f"must be a DocumentInput, not {type(document).__name__}")
    if priority not in PRIORITIES:
        yield Problem("priority", f"{priority} is not between {PRIORITIES.start} and {PRIORITIES.stop - 1}")
    if key is not None and not (1 <= len(key) <= _MOST_KEY_CHARS and key.isprintable()):
        yield Problem("idempotency_key", f"must be 1 to {_MOST_KEY_CHARS} printable characters")
