"""Sees to it that each job which is not over is queued once, or carried out by a process that is alive."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pipelines.catalogue.database import explained
from pipelines.catalogue.jobs import Unfinished
from pipelines.errors import Unavailable
from pipelines.jobs.attempts import Attempts
from pipelines.jobs.facade import PRIORITIES
from pipelines.jobs.liveness import Liveness
from pipelines.jobs.queues import Queued, Queues
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_TIDY_S = 60.0
_LOST_S = 30.0
"""After so long, an attempt that DBOS gave to this process, and that it does not make, was lost on the way."""
_OUTCOMES_S = 5.0
"""How long DBOS may take to write down that attempts are over, before it is shut down."""


class Rounds:
    """Looks after the jobs of several tenants, round by round; not thread-safe."""

    def __init__(self, works: Sequence[Work], queues: Queues, liveness: Liveness, attempts: Attempts) -> None:
        self._works = works
        self._queues = queues
        self._liveness = liveness
        self._attempts = attempts
        self._thought_dead = False
        self._unmade: dict[str, float] = {}
        self._tidied = 0.0

    def once(self) -> None:
        """Queues what is not over and nobody has; takes jobs over from processes that are gone.

        Raises:
            StoreUnavailable: A database does not answer; the next round may find it again.
        """
        if self._thought_dead:
            self._liveness.renew()
            self._thought_dead = False
            self._attempts.go_on()
        try:
            with explained():
                self._look_after()
        except Unavailable:
            self._living()
            raise

    def await_outcomes(self) -> None:
        """Waits, not for long, until DBOS has written down that this process makes no attempts any more."""
        until = time.monotonic() + _OUTCOMES_S
        with suppress(Unavailable), explained():  # otherwise, whoever comes next finds that this process is gone
            while time.monotonic() < until and any(map(self._is_ours, self._queues.live())):
                time.sleep(0.05)

    def _look_after(self) -> None:
        unfinished = list(self._unfinished())
        live = self._queues.live() if unfinished else []
        living = self._living()  # after the list: who is on it was alive before
        gone = [queued for queued in live if self._is_gone(queued, living)]
        self._queues.drop(queued.workflow_id for queued in gone)
        kept = {queued.job_id for queued in live} - {queued.job_id for queued in gone}
        for work, job in unfinished:
            if job.job_id not in kept:
                self._queues.put(work.tenant, job.job_id, job.attempt, job.priority - PRIORITIES.start + 1)
        if time.monotonic() - self._tidied >= _TIDY_S:
            self._queues.tidy()
            self._tidied = time.monotonic()

    def _unfinished(self) -> Iterator[tuple[Work, Unfinished]]:
        """The jobs whose turn it is. Their order is the catalogue's: DBOS knows it to the second only, on SQLite."""
        for work in self._works:
            for job in work.records.unfinished(work.settings.concurrency):
                yield work, job

    def _living(self) -> frozenset[str]:
        """Who is alive. Where that cannot be known, others may think that this process is not, and take its jobs."""
        try:
            return self._liveness.living()
        except Unavailable:
            self._thought_dead = True
            self._attempts.stop()
            raise

    def _is_ours(self, queued: Queued) -> bool:
        return queued.executor == self._liveness.executor

    def _is_gone(self, queued: Queued, living: frozenset[str]) -> bool:
        if queued.executor is None:
            return False
        if not self._is_ours(queued):
            return queued.executor not in living
        if self._attempts.makes(queued.job_id):
            self._unmade.pop(queued.workflow_id, None)
            return False
        since = self._unmade.setdefault(queued.workflow_id, time.monotonic())
        return time.monotonic() - since >= _LOST_S
