"""One process at a time in a data folder, by a lock that the operating system drops with the process."""

from __future__ import annotations

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from pipelines.errors import DataFolderHeld, StoreUnavailable

LOCK = ".lock"
"""The file that is locked."""


def hold(folder: Path) -> BaseFileLock:
    """Lock ``folder``, made when it is missing, until the lock is released or the process ends.

    Raises:
        DataFolderHeld: Another process holds it, or another holder in this one.
        StoreUnavailable: It cannot be made, written or locked.
    """
    # Without flock, filelock would fall back to a file that outlives a killed process.
    lock = FileLock(folder / LOCK, blocking=False, thread_local=False, fallback_to_soft=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise DataFolderHeld(str(folder)) from error
    except OSError as error:
        advice = "name another --data, or let this process write there"
        detail = f"its folder {folder} cannot be used ({error.strerror}); {advice}"
        raise StoreUnavailable("the vector store", detail) from error
    return lock
