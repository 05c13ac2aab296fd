"""Files and folders that commands write: refused before what goes into them has taken its time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def require_own_file(option: str, file: Path, kind: str, is_own: Callable[[Path], bool]) -> None:
    """Refuse a file that cannot be written, or holds anything but an older ``kind``, which may be replaced.

    Raises:
        InvalidRequest: As for ``require_file``, or it holds something else.
    """
    require_file(option, file)
    if os.path.exists(file) and not (os.path.isfile(file) and is_own(file)):
        raise InvalidRequest(Problem(option, f"{file} exists and is no {kind}; name another file, or remove it"))


def require_folder(option: str, folder: Path) -> None:
    """Refuse a folder that can be neither written nor made.

    Raises:
        InvalidRequest: It, or the nearest folder above it that is there, cannot be written, or is a file.
    """
    _require_writable(option, next(place for place in (folder, *folder.parents) if os.path.exists(place)))


def path_in_profile(file: Path, folder: Path) -> Path:
    """Return the path by which a profile in ``folder`` names a file: from there, or in full if it lies elsewhere."""
    real, beside = Path(os.path.realpath(file.parent), file.name), Path(os.path.realpath(folder))
    return real.relative_to(beside) if real.is_relative_to(beside) else real


@contextmanager
def writing(option: str, target: Path) -> Iterator[None]:
    """Report what hinders writing a target.

    Raises:
        InvalidRequest: The block raised an ``OSError``.
    """
    try:
        yield
    except OSError as error:
        reason = f"{error.filename or target} cannot be written ({error.strerror}); name another place"
        raise InvalidRequest(Problem(option, reason)) from error


def deliver(report: Path | None, write: Callable[[Path], None], show: Callable[[], None]) -> None:
    """Write the report that is asked for, and show the figures even where it cannot be written.

    Raises:
        InvalidRequest: It cannot be written.
    """
    try:
        if report is not None:
            with writing("--report", report):
                write(report)
    finally:
        show()


def write_whole(file: Path, text: str) -> None:
    """Write a text file; a reader sees the old file or the new one.

    Raises:
        OSError: It cannot be written.
    """
    real = Path(os.path.realpath(file))
    draft = real.with_name(f".{real.name}-{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, real)
    finally:
        draft.unlink(missing_ok=True)


def _require_writable(option: str, folder: Path) -> None:
    if not os.path.isdir(folder):
        raise InvalidRequest(Problem(option, f"{folder} is a file; name another folder"))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidRequest(Problem(option, f"{folder} cannot be written; name another folder"))
