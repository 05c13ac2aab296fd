"""One attempt at a job: its work in batches, its retries, and its end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeVar

from pipelines.catalogue.job_attempts import Attempt
from pipelines.errors import (
    DataFolderHeld,
    DeviceMissing,
    EmbeddingChanged,
    FootnoteError,
    MissingPackage,
    ModelMissing,
    PartTimeout,
    ProfileError,
    Unavailable,
)
from pipelines.jobs.ledger import BatchReport, Cancelled, FolderReport, Ledger, Stopped
from pipelines.jobs.work import Work

_log = logging.getLogger(__name__)
_BATCH_FILES = 64
_BATCH_BYTES = 16 * 1024 * 1024
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
_CHECK_SECONDS = 0.5
"""How often a pause checks whether the job was cancelled."""
_T = TypeVar("_T")


class Execution:
    """Carries a job out until it ends or this process must leave it.

    Args:
        work: The tenant's work.
        attempt: The attempt, already begun.
        stop: Set when this process must leave the job, which then continues elsewhere or later.
    """

    def __init__(self, work: Work, attempt: Attempt, stop: threading.Event) -> None:
        self._work = work
        self._attempts = work.records.attempts
        self._attempt = attempt
        self._stop = stop
        self._failures = 0  # in a row, in which no file was newly done
        self._name = f"job {attempt.job_id} of tenant {work.tenant}"

    def run(self) -> None:
        """Do the job, and record how it ended."""
        try:
            self._try_until_done()
        except Stopped:
            _log.info("%s stopped; it continues later or in another process", self._name)
            return
        except Cancelled:
            self._end("cancelled")
        except FootnoteError as error:
            _log.error("%s failed: %s", self._name, error.message)
            self._end("failed", reason_of(error, self._failures))
        except Exception as error:  # noqa: BLE001 - any error must be recorded as the job's failure
            _log.exception("%s failed", self._name)
            self._end("failed", reason_of(error))
        else:
            self._end("done")
            return
        self._complete_ended()

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
                with suppress(Unavailable):  # the files are offered again, and found unchanged
                    ledger.flush()
                self._failures = 1 if ledger.advanced else self._failures + 1
                retryable = isinstance(error, Unavailable | PartTimeout)
                if not retryable or self._failures >= self._work.settings.attempts:
                    raise
                _log.warning("%s failed; retrying: %s", self._name, error)
            self._pause()
            self._begin_again()

    def _do(self, ledger: Ledger) -> None:
        match self._attempt.kind:
            case "ingest":
                self._ingest(ledger)
                self._work.complete(lambda _: ledger.put(()))
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

    def _complete_ended(self) -> None:
        """Make the vectors of what a job brought in before it was cancelled or failed."""
        if self._attempt.kind != "ingest":
            return
        try:
            self._work.complete(lambda _: self._leave_if_stopping())
        except Stopped:
            _log.info("%s ended with chunks without vectors; the next ingestion makes them", self._name)
        except Exception:  # noqa: BLE001 - the job's end is recorded; the next ingestion tries again
            _log.exception("%s ended with chunks without vectors; the next ingestion makes them", self._name)

    def _leave_if_stopping(self) -> None:
        if self._stop.is_set():
            raise Stopped

    def _folder_report(self, ledger: Ledger) -> FolderReport:
        return FolderReport(ledger, self._attempts.files(self._attempt))

    def _pause(self) -> None:
        """Wait before the next try, twice as long each time."""
        until = time.monotonic() + min(_FIRST_PAUSE_S * 2 ** (self._failures - 1), _LONGEST_PAUSE_S)
        while (left := until - time.monotonic()) > 0:
            if self._stop.wait(min(left, _CHECK_SECONDS)):
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
        """Return what ``write`` returns once the database accepts it; None if this process stops first."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                return write()
            except Unavailable as error:
                _log.warning("%s cannot be stored; retrying: %s", self._name, error.message)
            if self._stop.wait(pause):
                return None
            pause = min(2 * pause, _LONGEST_PAUSE_S)


# Their messages name folders, addresses and settings, which belong in the log only.
_PRIVATE = (ProfileError, MissingPackage, ModelMissing, DeviceMissing, DataFolderHeld, EmbeddingChanged, Unavailable)
_SEE_LOG = "see the log of the process that ran it"


def reason_of(error: Exception, attempts: int = 1) -> str:
    """Return why a job failed after ``attempts`` tries in a row."""
    tries = f" (tried {attempts} times)" if attempts > 1 else ""
    if isinstance(error, Unavailable):
        return f"a required component is unavailable: {error.code}{tries}; {_SEE_LOG}"
    if isinstance(error, FootnoteError) and not isinstance(error, _PRIVATE):
        return f"{error.message}{tries}"
    name = error.code if isinstance(error, FootnoteError) else f"an unexpected error, {type(error).__name__}"
    return f"it failed: {name}; {_SEE_LOG}"
