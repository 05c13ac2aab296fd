"""One process at a time in a data folder, by a lock that the operating system drops with the process."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import IO

from pipelines.errors import DataFolderHeld, StoreUnavailable

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # the last two are Windows's words for it

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def hold(folder: Path) -> IO[bytes]:
    """Holds ``folder``, made when it is missing, until the file that is returned is closed or the process ends.

    Raises:
        DataFolderHeld: Someone else holds it, be it in this process.
        StoreUnavailable: It cannot be made, written or locked.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise _unusable(folder, error) from error
    try:
        _lock(file)
    except OSError as error:
        file.close()
        if error.errno in _TAKEN:
            raise DataFolderHeld(str(folder)) from error
        raise _unusable(folder, error) from error
    return file


def _unusable(folder: Path, error: OSError) -> StoreUnavailable:
    advice = "name another --data, or let this process write there"
    return StoreUnavailable("the vector store", f"its folder {folder} cannot be used ({error.strerror}); {advice}")
