"""Files and folders that commands write: refused before what goes into them has taken its time."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from pipelines.errors import InvalidRequest, Problem


def require_file(option: str, file: Path) -> None:
    """Refuse a file that cannot be written.

    Raises:
        InvalidRequest: It is a folder, or its own folder is missing or cannot be written.
    """
    if os.path.isdir(file):
        raise InvalidRequest(Problem(option, f"{file} is a folder; name a file"))
    if not os.path.isdir(file.parent):
        raise InvalidRequest(Problem(option, f"there is no folder {file.parent}; make it, or name another file"))
    _require_writable(option, file.parent)


def require_own_file(option: str, file: Path, kind: str, is_own: Callable[[bytes], bool]) -> None:
    """Refuse a file that cannot be written, or holds anything but an older ``kind``, which may be replaced.

    Raises:
        InvalidRequest: As for ``require_file``, or it holds something else.
    """
    require_file(option, file)
    if os.path.exists(file) and not is_own(file.read_bytes()):
        raise InvalidRequest(Problem(option, f"{file} is there and is no {kind}; name another file"))


def require_folder(option: str, folder: Path) -> None:
    """Refuse a folder that can be neither written nor made.

    Raises:
        InvalidRequest: It, or the nearest folder above it that is there, cannot be written, or is a file.
    """
    _require_writable(option, next(place for place in (folder, *folder.parents) if os.path.exists(place)))


def _require_writable(option: str, folder: Path) -> None:
    if not os.path.isdir(folder):
        raise InvalidRequest(Problem(option, f"{folder} is a file; name another folder"))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidRequest(Problem(option, f"{folder} cannot be written; name another folder"))
