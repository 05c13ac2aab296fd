"""Watches a knowledge folder, and tells when something in it changed."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.ingestion.folder import scan
from pipelines.ingestion.selection import Selection
from pipelines.reading.names import is_ignored

if TYPE_CHECKING:
    import watchfiles

_STEP_MS = 50
_GROUPED_MS = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a folder is watched, in seconds.

    Attributes:
        quiet: Changes are reported when there were no more for so long,
        patience: or when the first of them is so long ago.
        every: The folder counts as changed after so long without news, since not every change is reported: not those
            that another machine makes on a network drive, and not all where very many come at once.
        pause: How long is waited before what could not be watched is tried again.
        poll: How often all files are looked at, where the system does not tell of changes.
    """

    quiet: float = 0.5
    patience: float = 10.0
    every: float = 300.0
    pause: float = 1.0
    poll: float = 2.0


DEFAULT_PACE = Pace()


def watch(
    folder: Path,
    changed: Callable[[], object],
    stop: threading.Event,
    pace: Pace = DEFAULT_PACE,
    polling: bool = False,
    *,
    never: tuple[Path, ...] = (),
) -> None:
    """Call ``changed`` whenever something in ``folder`` did, and return soon after ``stop`` was set.

    It is also called when the watch begins, since earlier changes are unknown. Hidden files, and those that only
    are an unfinished state of another (see `is_ignored`), do not count. What ``changed`` raises is logged, and the
    watch goes on; so it does where the folder is removed, as soon as it is there again.

    Args:
        folder: What is watched, with everything below it.
        changed: What is called, by this thread. Changes that happen during the call are reported afterwards.
        stop: Ends the watch.
        pace: How long it waits for what.
        polling: Look at all files again and again, instead of asking the operating system to tell. That is also the
            resort where it watches no more folders, or may not watch one of them.
        never: Folders whose changes do not count, such as that of the tenant's data.
    """
    there = True
    while not stop.is_set():
        found = _identity(folder)
        if found is None:
            if there:
                _log.warning("the folder %s cannot be read; waiting for it", folder)
        else:
            polling = _Watch(folder, found, changed, stop, pace, never=never).run(polling)
        there = found is not None
        stop.wait(pace.pause)


class _Watch:
    """The watch over a folder for as long as it is the same one."""

    def __init__(
        self,
        folder: Path,
        identity: tuple[int, int],
        changed: Callable[[], object],
        stop: threading.Event,
        pace: Pace,
        *,
        never: tuple[Path, ...],
    ) -> None:
        self._folder = folder
        self._root = Path(os.path.realpath(folder))
        self._never = [inside for one in never if self._root in (inside := one.resolve()).parents]
        self._selection = Selection(never=never)
        self._identity = identity
        self._changed = changed
        self._stop = stop
        self._pace = pace
        self._begun = False
        self._first: float | None = None
        self._last = self._reported_at = time.monotonic()

    def run(self, polling: bool) -> bool:
        """Watch until that ends; return whether the next watch should poll."""
        try:
            for news in self._looked_for() if polling else self._system_events():
                if _identity(self._folder) != self._identity:
                    break
                self._note(news)
        except FileNotFoundError:
            pass  # it went away
        except (OSError, RuntimeError) as error:
            _log.warning("watching the folder %s was interrupted: %s", self._folder, error)
            return polling or not self._begun
        return polling

    def _system_events(self) -> Iterator[bool]:
        """Yield whether there is news, several times a second."""
        import watchfiles  # noqa: PLC0415 - with anyio, which questions do without

        looks = watchfiles.watch(
            self._root,
            watch_filter=None,  # changes that do not count would hold back the looks that come without any
            debounce=_GROUPED_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=_GROUPED_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            poll_delay_ms=int(self._pace.poll * 1000),
            ignore_permission_denied=False,  # it would ignore every other error as well, and watch a part of the folder
        )
        for changes in looks:
            yield any(self._counts(change, path) for change, path in changes)

    def _looked_for(self) -> Iterator[bool]:
        """Yield whether there is news since the last look."""
        before = scan(self._root, self._selection)
        yield False
        while not self._stop.wait(self._pace.poll):
            seen = scan(self._root, self._selection)
            yield seen != before
            before = seen

    def _note(self, news: bool) -> None:
        now = time.monotonic()
        if news or not self._begun:
            self._begun = True
            self._last = now
            self._first = now if self._first is None else self._first
        if self._first is None:
            due = now - self._reported_at >= self._pace.every
        else:
            due = now - self._last >= self._pace.quiet or now - self._first >= self._pace.patience
        if due:
            self._tell()

    def _tell(self) -> None:
        self._first = None
        try:
            self._changed()
        except Exception:  # noqa: BLE001 - whatever befalls one synchronisation, the next may succeed
            _log.exception("the change of the folder %s could not be followed", self._folder)
        self._reported_at = time.monotonic()

    def _counts(self, change: watchfiles.Change, path: str) -> bool:
        """Return whether a file came, changed or went that is a document's, or a folder came or went."""
        inside = os.path.relpath(path, self._root).split(os.sep)
        if any(part.startswith(".") for part in inside) or is_ignored(inside[-1]):
            return False
        if any(Path(path).is_relative_to(folder) for folder in self._never):
            return False
        return change.name != "modified" or not os.path.isdir(path)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells a folder that can be read from another."""
    try:
        status = os.stat(folder)
        os.scandir(folder).close()
    except OSError:
        return None
    return status.st_dev, status.st_ino
