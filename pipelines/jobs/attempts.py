"""The attempts at jobs that this process is making."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from pipelines.errors import Unavailable
from pipelines.jobs.execution import Execution
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)


class Attempts:
    """Makes attempts at jobs, each in the thread that calls `make`.

    Args:
        works: The work of each tenant, by its name.
        ended: Set whenever an attempt has ended.
    """

    def __init__(self, works: Mapping[str, Work], ended: threading.Event) -> None:
        self._works = works
        self._ended = ended
        self._changed = threading.Condition()
        self._job_ids: set[str] = set()
        self._stop = threading.Event()

    def make(self, tenant: str, job_id: str, attempt: int) -> None:
        """Make the attempt that follows number ``attempt``, unless this process has stopped or makes it already."""
        with self._changed:
            stop = self._stop
            if stop.is_set() or job_id in self._job_ids:
                return
            self._job_ids.add(job_id)
        try:
            self._make(self._works[tenant], job_id, attempt, stop)
        finally:
            with self._changed:
                self._job_ids.remove(job_id)
                self._changed.notify_all()
            self._ended.set()

    def is_making(self, job_id: str | None) -> bool:
        """Return whether an attempt at this job is running."""
        with self._changed:
            return job_id in self._job_ids

    def stop(self) -> None:
        """Start no more attempts; running ones end at their next report."""
        with self._changed:
            self._stop.set()

    def resume(self) -> None:
        """Start attempts again; those that were stopped still end."""
        with self._changed:
            self._stop = threading.Event()

    def end(self) -> None:
        """Stop, and wait until no attempt is running."""
        self.stop()
        with self._changed:
            self._changed.wait_for(lambda: not self._job_ids)

    def _make(self, work: Work, job_id: str, attempt: int, stop: threading.Event) -> None:
        try:
            begun = work.records.attempts.begin(job_id, attempt)
        except Unavailable as error:  # the job is unfinished, so it is queued again
            _log.warning("job %s of tenant %s cannot begin: %s", job_id, work.tenant, error.message)
            return
        if begun is not None:
            Execution(work, begun, stop).run()
