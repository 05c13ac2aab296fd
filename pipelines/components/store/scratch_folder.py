"""Temporary folders of data, and the removal of those that killed processes left."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.components.store.edge.lock import hold
from pipelines.errors import DataFolderHeld, StoreUnavailable

_PREFIX = "footnote-"
_MARK = ".scratch"
"""Written once the folder is locked: a folder with it that nobody locks is abandoned."""


@contextmanager
def scratch_folder(place: Path | None = None, prefix: str = _PREFIX) -> Iterator[Path]:
    """Yield an empty folder that is removed when the block ends, or by the next call if the process is killed.

    It is made in ``place``, by default where temporary files are, and its name begins with ``prefix``.

    Raises:
        OSError: It cannot be made.
        StoreUnavailable: It cannot be locked.
    """
    place = place or Path(tempfile.gettempdir())
    _remove_abandoned(place, prefix)
    with tempfile.TemporaryDirectory(dir=place, prefix=prefix) as name:
        folder = Path(name)
        lock = hold(folder)
        try:
            (folder / _MARK).touch()
            yield folder
        finally:
            (folder / _MARK).unlink(missing_ok=True)
            lock.release()


def _remove_abandoned(place: Path, prefix: str) -> None:
    """Remove this user's marked folders that no process holds; what resists is tried again by the next call."""
    for folder in place.glob(f"{prefix}*"):
        if not _is_own_folder(folder) or not (folder / _MARK).exists():
            continue
        try:
            lock = hold(folder)
        except (DataFolderHeld, StoreUnavailable):
            continue
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def _is_own_folder(path: Path) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
