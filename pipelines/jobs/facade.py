"""A tenant's jobs as its users see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import get_args

from pipelines.catalogue.jobs import JobRecords, NewJob
from pipelines.errors import HeldToScope, InvalidRequest, Problem, nearest
from pipelines.ingestion.tickets import ticket
from pipelines.types import DocumentInput, Job, JobKind, JobPage, JobState

PRIORITIES = range(-1000, 1001)
"""What a job's priority may be; the smallest comes first."""
AT_ONCE = range(1, 17)
"""How many documents of a job may be prepared together."""
Hold = Callable[[DocumentInput], DocumentInput]
_KINDS: tuple[str, ...] = get_args(JobKind)
_STATES: tuple[str, ...] = get_args(JobState)
_MOST_KEY_CHARS = 200
_MOST_LISTED = 1000


class Jobs:
    """Submits, shows and cancels one tenant's jobs; every method may be called from several threads.

    Nobody needs to carry jobs out at that moment: whoever serves the tenant, or works for it, takes them up within
    about a second, or when it starts. Every method raises StoreUnavailable when the database does not do its part.
    """

    def __init__(self, records: JobRecords, held: Hold | None = None) -> None:
        """``held``: holds each document to the scope of whoever asks; ``records`` must be those of that scope."""
        self._records = records
        self._held = held

    def submit(
        self,
        kind: JobKind,
        documents: Iterable[DocumentInput] = (),
        *,
        priority: int = 0,
        idempotency_key: str | None = None,
        at_once: int = 1,
    ) -> Job:
        """Asks for a job, and gives it back as it stands, without its files.

        Args:
            kind: What is to be done.
            documents: What an ``ingest`` brings in. Where the catalogue is on PostgreSQL, files are read now, so that
                they can be brought in from another machine; on SQLite they are read when their turn comes.
            priority: In -1000..1000; the smallest comes first, and among equals the oldest.
            at_once: How many documents are read and cut together, 1 to 16.
            idempotency_key: Names this request, 1 to 200 characters: asked again, it gives the same job.

        Raises:
            InvalidRequest: The kind, the documents, the priority or the key cannot be taken.
            HeldToScope: Under a scope, documents can be brought in and nothing else.
            KeyReused: The key named another request before.
        """
        offered = tuple(documents) if self._held is None else tuple(map(self._held, documents))
        problems = tuple(_problems(kind, offered, priority, idempotency_key))
        if at_once not in AT_ONCE:
            problems += (Problem("at_once", f"{at_once} is not between {AT_ONCE.start} and {AT_ONCE.stop - 1}"),)
        if problems:
            raise InvalidRequest(*problems)
        if self._held is not None and kind != "ingest":
            raise HeldToScope(f"a job of the kind {kind}")
        new = NewJob(kind, offered, priority, idempotency_key, accepted=ticket(), at_once=at_once)
        return self._records.create(new)

    def job(self, job_id: str) -> Job:
        """A job with its files.

        Raises:
            JobNotFound: There is none of this id.
        """
        return self._records.job(job_id)

    def list(self, limit: int = 50, cursor: str | None = None, state: JobState | None = None) -> JobPage:
        """Some of the jobs, newest first; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000, ``cursor`` is none that was given out, or ``state`` is none.
        """
        if not 1 <= limit <= _MOST_LISTED:
            raise InvalidRequest(Problem("limit", f"{limit} is not between 1 and {_MOST_LISTED}"))
        if state is not None and state not in _STATES:
            raise InvalidRequest(Problem("state", f'there is no state "{state}"', nearest(state, _STATES)))
        return self._records.jobs(limit, cursor, state)

    def cancel(self, job_id: str) -> Job:
        """Ends a job that waits at once, and one that runs at its next batch or report; finished files stay done.

        A job that was cancelled before is given back as it is.

        Raises:
            JobNotFound: There is none of this id.
            JobEnded: It was done, or had failed, before.
        """
        return self._records.cancel(job_id)


def _problems(kind: str, documents: tuple[DocumentInput, ...], priority: int, key: str | None) -> Iterable[Problem]:
    if kind not in _KINDS:
        yield Problem("kind", f'there is no job "{kind}"', nearest(kind, _KINDS))
    elif kind == "ingest" and not documents:
        yield Problem("documents", "there are none to bring in")
    elif kind != "ingest" and documents:
        yield Problem("documents", f"a job of the kind {kind} takes none")
    if priority not in PRIORITIES:
        yield Problem("priority", f"{priority} is not between {PRIORITIES.start} and {PRIORITIES.stop - 1}")
    if key is not None and not (1 <= len(key) <= _MOST_KEY_CHARS and key.isprintable()):
        yield Problem("idempotency_key", f"must be 1 to {_MOST_KEY_CHARS} printable characters")
