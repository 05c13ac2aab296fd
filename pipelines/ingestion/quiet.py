"""Waits until files are no longer written to, and reads them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.catalogue.database import is_storable
from pipelines.catalogue.files import Stamp
from pipelines.errors import UnreadableDocument
from pipelines.ingestion.folder import look, read_whole
from pipelines.ingestion.tickets import ticket


@dataclass(frozen=True, slots=True)
class Timing:
    """How long is waited for a folder, in seconds.

    Attributes:
        quiet: What has not changed for so long is taken for done.
        patience: The most that is waited in all for files to become quiet.
        granularity: How coarse the time stamps of a file system may be; FAT's are the coarsest.
    """

    quiet: float = 1.0
    patience: float = 3.0
    granularity: float = 2.0


DEFAULT_TIMING = Timing()


@dataclass(frozen=True, slots=True)
class QuietFile:
    """A file that did not change while it was read.

    Attributes:
        path: Relative to the folder.
        stamp: What it looked like.
        content: Its bytes; its path where they are not to be had, or not wanted, so that the attempt tells why.
        sha256: Of its bytes; empty where these are not known.
        settled: Whether an equal stamp will prove that it is still the same. That of a file which was changed just
            before it was read does not, since it could be changed again within the same tick of the file system's
            clock: git calls such files racily clean, and looks into them as well (its documentation, "Use of index
            and Racy Git problem").
        accepted: The time (nanoseconds since 1970) at which it began to be read.
    """

    path: str
    stamp: Stamp
    content: bytes | Path
    sha256: str
    settled: bool
    accepted: int


class QuietFiles:
    """Reads ``files`` of ``folder`` as they become quiet, in order where none has to be waited for.

    A file is quiet when its time of change is long enough ago, or when it was seen unchanged for as long: the clock of
    a network drive may be wrong. A file that vanishes in between is left out.

    Args:
        folder: Where the files are.
        files: What they looked like when they were seen.
        most_bytes: Larger files are not read.
        timing: How long is waited for them.

    Attributes:
        busy: When all is read: the files that did not become quiet.
    """

    def __init__(self, folder: Path, files: Mapping[str, Stamp], most_bytes: int, timing: Timing) -> None:
        self._folder = folder
        self._files = files
        self._most_bytes = most_bytes
        self._timing = timing
        self.busy: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[QuietFile]:
        seen_at = time.monotonic()
        restless: dict[str, tuple[Stamp, float]] = {}
        for path, stamp in self._files.items():
            file = self._read(path, stamp) if self._is_old(stamp) else None
            if file is None:
                restless[path] = (stamp, seen_at)
            else:
                yield file
        yield from self._wait_for(restless)
        self.busy = tuple(sorted(restless))

    def _wait_for(self, restless: dict[str, tuple[Stamp, float]]) -> Iterator[QuietFile]:
        """Take files out of ``restless``: those that become quiet, and those that vanish."""
        step = min(self._timing.quiet / 4, 0.1)
        waits = int(self._timing.patience / step) if step else 0
        yield from self._quiet_among(restless)
        for _ in range(waits):
            if not restless:
                return
            time.sleep(step)
            yield from self._quiet_among(restless)

    def _quiet_among(self, restless: dict[str, tuple[Stamp, float]]) -> Iterator[QuietFile]:
        for path, (stamp, since) in list(restless.items()):
            now = self._look(path, stamp)
            if now is None:
                del restless[path]
            elif now != stamp:
                restless[path] = (now, time.monotonic())
            elif self._is_old(stamp) or time.monotonic() - since >= self._timing.quiet:
                file = self._read(path, stamp)
                if file is None:
                    restless[path] = (stamp, time.monotonic())
                else:
                    del restless[path]
                    yield file

    def _look(self, path: str, before: Stamp) -> Stamp | None:
        try:
            return look(self._folder, path)
        except OSError:
            return before  # reading it will tell why

    def _is_old(self, stamp: Stamp) -> bool:
        return self._age(stamp) >= self._timing.quiet

    def _age(self, stamp: Stamp) -> float:
        return (time.time_ns() - stamp.modified_ns) / 1e9

    def _read(self, path: str, stamp: Stamp) -> QuietFile | None:
        """Return the file, if it still looks like ``stamp`` after it was read."""
        file = self._folder / path
        age, accepted = self._age(stamp), ticket()
        not_read = QuietFile(path, stamp, file, "", settled=False, accepted=accepted)
        if stamp.size > self._most_bytes or not is_storable(path):
            return not_read
        try:
            content = read_whole(file, stamp)
        except FileNotFoundError:
            return None
        except (OSError, UnreadableDocument):
            return not_read
        if content is None:
            return None
        settled = age > self._timing.granularity
        return QuietFile(path, stamp, content, hashlib.sha256(content).hexdigest(), settled, accepted)
