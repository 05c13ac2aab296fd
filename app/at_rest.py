"""Who may read the files of tenants on this machine."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@contextmanager
def private_files() -> Iterator[None]:
    """Let this user alone read the files and folders that the process makes within the block."""
    before = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def exposed_paths(folder: Path) -> list[Path]:
    """Return the folder and the files in it that other users of this machine may read or change.

    Nothing is exposed in a folder that is closed to them; on Windows modes say nothing, and none is found.
    """
    if os.name == "nt" or not folder.is_dir() or not _is_open(folder):
        return []
    return [folder, *filter(_is_open, sorted(folder.rglob("*")))]


def _is_open(path: Path) -> bool:
    with suppress(FileNotFoundError):  # deleted since it was listed
        return bool(path.lstat().st_mode & _OTHERS) and not path.is_symlink()
    return False
