"""Keeps every unfinished job queued once, or running in a living process."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress

from pipelines.catalogue.database import explained
from pipelines.catalogue.jobs import UnfinishedJob
from pipelines.errors import Unavailable
from pipelines.jobs.attempts import Attempts
from pipelines.jobs.facade import PRIORITIES
from pipelines.jobs.liveness import Liveness
from pipelines.jobs.queues import QueuedWorkflow, Queues
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_TIDY_SECONDS = 60.0
_LOST_SECONDS = 30.0
"""An attempt that DBOS assigned to this process but that never started counts as lost after this time."""
_OUTCOME_SECONDS = 5.0
"""How long DBOS may take to record ended attempts before it is shut down."""


class Scheduler:
    """Schedules the jobs of several tenants, round by round; not thread-safe."""

    def __init__(self, works: Sequence[Work], queues: Queues, liveness: Liveness, attempts: Attempts) -> None:
        self._works = works
        self._queues = queues
        self._liveness = liveness
        self._attempts = attempts
        self._presumed_dead = False
        self._unstarted: dict[str, float] = {}
        self._tidied = 0.0
        self._away: frozenset[str] = frozenset()

    def run_once(self) -> None:
        """Queue unfinished jobs that no process has; take over jobs of dead processes.

        Raises:
            StoreUnavailable: A database does not answer; the next round tries again.
        """
        if self._presumed_dead:
            self._liveness.renew()
            self._presumed_dead = False
            self._attempts.resume()
        try:
            with explained():
                self._requeue()
        except Unavailable:
            self._living()
            raise

    def await_outcomes(self) -> None:
        """Wait briefly until DBOS has recorded that this process makes no more attempts."""
        until = time.monotonic() + _OUTCOME_SECONDS
        with suppress(Unavailable), explained():  # otherwise the next process notices that this one is gone
            while time.monotonic() < until and any(map(self._is_ours, self._queues.live())):
                time.sleep(0.05)

    def _requeue(self) -> None:
        unfinished = self._unfinished()
        live = self._queues.live() if unfinished else []
        living = self._living()  # read after the list: every executor on it was alive before
        gone = [queued for queued in live if self._is_gone(queued, living)]
        there = {queued.workflow_id for queued in live}
        self._unstarted = {name: since for name, since in self._unstarted.items() if name in there}
        self._queues.drop(queued.workflow_id for queued in gone)
        kept = {queued.job_id for queued in live} - {queued.job_id for queued in gone}
        for work, job in unfinished:
            if job.job_id not in kept:
                self._queues.put(work.tenant, job.job_id, job.attempt, job.priority - PRIORITIES.start + 1)
        if time.monotonic() - self._tidied >= _TIDY_SECONDS:
            self._queues.tidy()
            self._tidied = time.monotonic()

    def _unfinished(self) -> list[tuple[Work, UnfinishedJob]]:
        """The jobs that may run now, in the catalogue's order; on SQLite, DBOS knows times to the second only.

        Those of a tenant whose database does not answer wait until it does; the others' do not wait for them.

        Raises:
            StoreUnavailable: No tenant's database answers.
        """
        found: list[tuple[Work, UnfinishedJob]] = []
        away: dict[str, Unavailable] = {}
        for work in self._works:
            try:
                with explained():
                    found += [(work, job) for job in work.records.unfinished(work.settings.concurrency)]
            except Unavailable as error:
                away[work.tenant] = error
        if away and len(away) == len(self._works):
            raise next(iter(away.values()))
        for tenant in away.keys() - self._away:
            _log.warning("%s: its jobs wait until its database answers: %s", tenant, away[tenant].message)
        self._away = frozenset(away)
        return found

    def _living(self) -> frozenset[str]:
        """Return the living processes. If that fails, others may take this process for dead and take its jobs."""
        try:
            return self._liveness.living()
        except Unavailable:
            self._presumed_dead = True
            self._attempts.stop()
            raise

    def _is_ours(self, queued: QueuedWorkflow) -> bool:
        return queued.executor == self._liveness.executor

    def _is_gone(self, queued: QueuedWorkflow, living: frozenset[str]) -> bool:
        if queued.executor is None:
            return False
        if not self._is_ours(queued):
            return queued.executor not in living
        if self._attempts.is_making(queued.job_id):
            self._unstarted.pop(queued.workflow_id, None)
            return False
        since = self._unstarted.setdefault(queued.workflow_id, time.monotonic())
        return time.monotonic() - since >= _LOST_SECONDS
