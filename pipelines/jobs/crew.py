"""Who carries out the jobs of the tenants of one process."""

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
from pipelines.jobs.rounds import Rounds
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_ROUND_S = 0.5


@contextmanager
def carrying_out(works: Iterable[Work], data: Path) -> Iterator[None]:
    """Carries out the jobs of ``works`` until the block ends; then stops at the next report, and leaves the rest.

    Args:
        works: The tenants whose jobs are carried out; with none, nothing is started.
        data: The data folder, where DBOS keeps ``jobs.sqlite`` for tenants whose catalogue is SQLite.

    Raises:
        ProfileError: Their catalogues are not in one PostgreSQL database, nor all on SQLite.
        CarriedOutElsewhere: This process carries jobs out already, or another one does for a catalogue on SQLite.
        StoreUnavailable: The database does not answer.
    """
    served = tuple(works)
    if not served:
        yield
        return
    crew = Crew(served, data)
    crew.start()
    try:
        yield
    finally:
        crew.stop()


class Crew:
    """A thread that looks after the jobs of its tenants, and DBOS, which makes the attempts.

    DBOS is launched in the thread, since it has no event loop, and whoever starts it may have one.
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
        """Returns when jobs are carried out; see `carrying_out` for the errors."""
        self._thread.start()
        try:
            self._started.result()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Returns when every attempt has come to its next report, and DBOS is shut down."""
        self._stopping.set()
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with ExitStack() as opened:
                rounds = self._open(opened)
                rounds.once()
                self._started.set_result(None)
                self._go_round(rounds)
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)

    def _open(self, opened: ExitStack) -> Rounds:
        database = open_jobs_database(self._works, self._data)
        opened.callback(database.dispose)
        liveness: Liveness = (
            PostgresLiveness(database) if database.dialect.name == "postgresql" else SqliteLiveness(self._works)
        )
        opened.callback(liveness.close)
        concurrency = {work.tenant: work.settings.concurrency for work in self._works}
        queues = opened.enter_context(open_queues(database, liveness.executor, concurrency, self._attempts.make))
        rounds = Rounds(self._works, queues, liveness, self._attempts)
        opened.callback(rounds.await_outcomes)
        opened.callback(self._attempts.end)
        return rounds

    def _go_round(self, rounds: Rounds) -> None:
        while not self._stopping.is_set():
            self._wake.wait(_ROUND_S)
            self._wake.clear()
            try:
                rounds.once()
            except Unavailable as error:
                _log.warning("jobs are looked after again in a moment: %s", error.message)
            except Exception:  # noqa: BLE001 - a round that fails must not be the last, or jobs would wait for ever
                _log.exception("jobs are looked after again in a moment")
