"""Runs the jobs of several tenants in one process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pipelines.errors import Unavailable
from pipelines.jobs.attempts import Attempts
from pipelines.jobs.database import open_jobs_database
from pipelines.jobs.liveness import Liveness, PostgresLiveness, SqliteLiveness
from pipelines.jobs.queues import open_queues
from pipelines.jobs.scheduler import Scheduler
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_ROUND_SECONDS = 0.5


@contextmanager
def run_jobs(works: Iterable[Work], data: Path) -> Iterator[None]:
    """Run the jobs of ``works`` until the block ends; then stop at the next report and leave the rest.

    Args:
        works: The tenants whose jobs are run; with none, nothing is started.
        data: The data folder, where DBOS keeps ``jobs.sqlite`` for tenants whose catalogue is SQLite.

    Raises:
        ProfileError: The catalogues are neither in one PostgreSQL database nor all on SQLite.
        JobsRunElsewhere: This process runs jobs already, or another one does for a catalogue on SQLite.
        StoreUnavailable: The database does not answer.
    """
    served = tuple(works)
    if not served:
        yield
        return
    runner = JobRunner(served, data)
    runner.start()
    try:
        yield
    finally:
        runner.stop()


class JobRunner:
    """A thread that schedules the tenants' jobs, and DBOS, which runs the attempts.

    DBOS is launched in the thread because the caller may have an event loop, which DBOS would use.
    """

    def __init__(self, works: tuple[Work, ...], data: Path) -> None:
        self._works = works
        self._data = data
        self._started: Future[None] = Future()
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._attempts = Attempts({work.tenant: work for work in works}, self._wake)
        self._thread = threading.Thread(target=self._run, name="footnote-jobs", daemon=True)

    def start(self) -> None:
        """Return once jobs are run; see `run_jobs` for the errors."""
        self._thread.start()
        try:
            self._started.result()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Return when every attempt has reached its next report and DBOS is shut down."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with ExitStack() as opened:
                scheduler = self._open(opened)
                scheduler.run_once()
                self._started.set_result(None)
                self._run_scheduler(scheduler)
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    def _open(self, opened: ExitStack) -> Scheduler:
        database = open_jobs_database(self._works, self._data)
        opened.callback(database.dispose)
        liveness: Liveness = (
            PostgresLiveness(database) if database.dialect.name == "postgresql" else SqliteLiveness(self._works)
        )
        opened.callback(liveness.close)
        concurrency = {work.tenant: work.settings.concurrency for work in self._works}
        queues = opened.enter_context(open_queues(database, liveness.executor, concurrency, self._attempts.make))
        scheduler = Scheduler(self._works, queues, liveness, self._attempts)
        opened.callback(scheduler.await_outcomes)
        opened.callback(self._attempts.end)
        return scheduler

    def _run_scheduler(self, scheduler: Scheduler) -> None:
        while not self._stopping.is_set():
            self._wake.wait(_ROUND_SECONDS)
            self._wake.clear()
            try:
                scheduler.run_once()
            except Unavailable as error:
                _log.warning("job scheduler failed; retrying: %s", error.message)
            except Exception:  # noqa: BLE001 - a failing round must not be the last, or jobs would wait for ever
                _log.exception("job scheduler failed; retrying")
