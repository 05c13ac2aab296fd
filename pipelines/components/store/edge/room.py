"""Room on disk: Edge writes through memory maps, and where the disk is full, the operating system ends the process.

So changes stop while there is still room to open the collection, to search it and to delete.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pipelines.errors import DiskFull

_MB = 1 << 20
TO_CHANGE = 128 * _MB
TO_OPEN = 64 * _MB  # measured: opening may write up to 50 MB, mostly logs made in advance
TO_DELETE = 16 * _MB
_OF_A_POINT = 32 << 10  # payload, vectors and word vectors, in the log and in the segment
_OF_A_VECTOR = 2 << 10  # one of several that a point has under one name


def require_room(folder: Path, wanted: int) -> None:
    """Return if the disk of ``folder`` has ``wanted`` bytes left.

    Raises:
        DiskFull: It has fewer.
    """
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise DiskFull(free, wanted)


def room_for(points: int, vectors: int) -> int:
    """Return the free bytes needed to write this many points, with this many vectors in multivectors."""
    return TO_CHANGE + points * _OF_A_POINT + vectors * _OF_A_VECTOR if points else TO_DELETE


def room_for_copies(folder: Path, number: int) -> int:
    """Return the bytes that must be free before so many copies of a collection are made."""
    return TO_CHANGE + number * disk_usage(folder)


def disk_usage(folder: Path) -> int:
    """Return bytes that a folder takes on disk; files that vanish during the count are left out."""
    return _usage(Path(parent, name) for parent, folders, files in os.walk(folder) for name in (*folders, *files))


def log_usage(folder: Path) -> int:
    """Return bytes of them that the logs of Qdrant Edge take."""
    return _usage(folder.glob("vectors/*/*/wal/*"))


def _usage(files: Iterable[Path]) -> int:
    total = 0
    for file in files:
        with suppress(FileNotFoundError):
            total += file.lstat().st_blocks * 512
    return total
