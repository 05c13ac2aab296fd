"""One attempt at a job: its work in batches, tries that are worth making again, and its end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeVar

from pipelines.catalogue.job_attempts import Attempt
from pipelines.errors import FootnoteError, PartTimeout, Unavailable
from pipelines.jobs.ledger import BatchReport, Cancelled, FolderReport, Ledger, Stopped
from pipelines.jobs.reasons import reason_of
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_BATCH_FILES = 64
_BATCH_BYTES = 16 * 1024 * 1024
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
_LOOK_S = 0.5
"""How often a pause looks whether the job was cancelled."""
_T = TypeVar("_T")


class Execution:
    """Carries a job out, until it is over or this process is to leave it alone.

    Args:
        work: The tenant's work.
        attempt: The attempt, which has begun.
        stop: Set when this process may no longer carry the job out; it then goes on elsewhere, or later.
    """

    def __init__(self, work: Work, attempt: Attempt, stop: threading.Event) -> None:
        self._work = work
        self._attempts = work.records.attempts
        self._attempt = attempt
        self._stop = stop
        self._failures = 0  # in a row, without a file done in between
        self._name = f"job {attempt.job_id} of tenant {work.tenant}"

    def run(self) -> None:
        """Does the job, and writes down how it ended."""
        try:
            self._try_until_done()
        except Cancelled:
            self._end("cancelled")
        except Stopped:
            _log.info("%s is left, to go on later or elsewhere", self._name)
        except FootnoteError as error:
            _log.error("%s failed: %s", self._name, error.message)
            self._end("failed", reason_of(error, self._failures))
        except Exception as error:  # noqa: BLE001 - whatever it is, the job has to say that it failed
            _log.exception("%s failed", self._name)
            self._end("failed", reason_of(error))
        else:
            self._end("done")

    def _try_until_done(self) -> None:
        while True:
            ledger = Ledger(self._attempts, self._attempt, self._stop.is_set)
            try:
                self._do(ledger)
                ledger.flush()
                return
            except (Cancelled, Stopped):
                raise
            except Exception as error:
                with suppress(Unavailable):  # then it is done again, and found to be there
                    ledger.flush()
                self._failures = 1 if ledger.recorded else self._failures + 1
                worth_it = isinstance(error, Unavailable | PartTimeout)
                if not worth_it or self._failures >= self._work.settings.attempts:
                    raise
                _log.warning("%s is tried again: %s", self._name, error)
            self._pause()
            self._begin_again()

    def _do(self, ledger: Ledger) -> None:
        match self._attempt.kind:
            case "ingest":
                self._ingest(ledger)
            case "sync":
                self._work.sync(self._folder_report(ledger))
            case "reembed":
                self._work.reembed(self._folder_report(ledger))
            case "purge":
                self._work.purge(self._folder_report(ledger))
            case "optimize":
                self._work.optimize()
            case "rebuild":
                self._work.rebuild(self._folder_report(ledger))
            case "compact":
                self._work.compact(self._folder_report(ledger))

    def _ingest(self, ledger: Ledger) -> None:
        done = -1
        while batch := self._attempts.pending(self._attempt, done, _BATCH_FILES, _BATCH_BYTES):
            ledger.put(())
            report = BatchReport(ledger, batch)
            documents = [file.document for file in batch]
            report.settle(batch, self._work.ingest(documents, report, self._attempt.at_once))
            done = batch[-1].number

    def _folder_report(self, ledger: Ledger) -> FolderReport:
        return FolderReport(ledger, self._attempts.files(self._attempt))

    def _pause(self) -> None:
        """Waits before the next try, longer from one to the next."""
        until = time.monotonic() + min(_FIRST_PAUSE_S * 2 ** (self._failures - 1), _LONGEST_PAUSE_S)
        while (left := until - time.monotonic()) > 0:
            if self._stop.wait(min(left, _LOOK_S)):
                raise Stopped
            with suppress(Unavailable):
                if self._attempts.standing(self._attempt) == "cancelled":
                    raise Cancelled

    def _begin_again(self) -> None:
        begun = self._persist(lambda: self._attempts.begin(self._attempt.job_id, self._attempt.number))
        if begun is None:
            raise Stopped
        self._attempt = begun

    def _end(self, state: Literal["done", "failed", "cancelled"], reason: str | None = None) -> None:
        self._persist(lambda: self._attempts.finish(self._attempt, state, reason))

    def _persist(self, write: Callable[[], _T]) -> _T | None:
        """What ``write`` gives once the database takes it; None if this process stops before."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                return write()
            except Unavailable as error:
                _log.warning("%s cannot be written down, which is tried again: %s", self._name, error.message)
            if self._stop.wait(pause):
                return None
            pause = min(2 * pause, _LONGEST_PAUSE_S)
