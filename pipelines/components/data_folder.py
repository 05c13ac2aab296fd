"""A tenant's folder of data: held by one process, and measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pipelines.components.edge_lock import hold
from pipelines.errors import StoreUnavailable


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Makes ``folder`` where it is missing, and keeps other processes out of it until the block ends.

    Raises:
        DataFolderHeld: Another process is in it, or another engine of this one.
        StoreUnavailable: It cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = hold(folder)
    except OSError as error:
        detail = f"{error.strerror or type(error).__name__}; name a folder that can be written with --data"
        raise StoreUnavailable(f"the data folder {folder}", detail) from error
    with closing(lock):
        yield


def disk_usage(folder: Path) -> int:
    """Bytes that a folder takes on disk; files that go meanwhile do not count."""
    return _usage(folder.rglob("*"))


def log_usage(folder: Path) -> int:
    """Bytes of them that the logs of Qdrant Edge take."""
    return _usage(folder.glob("vectors/*/*/wal/*"))


def _usage(files: Iterable[Path]) -> int:
    total = 0
    for file in files:
        with suppress(FileNotFoundError):
            total += file.lstat().st_blocks * 512
    return total
