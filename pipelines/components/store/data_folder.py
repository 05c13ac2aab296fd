"""A tenant's folder of data: held by one process, and measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.components.store.edge.lock import hold
from pipelines.errors import DataFolderHeld, StoreUnavailable
from pipelines.types.holders import lock_holder, process_name

_HELD_HERE: set[Path] = set()
"""The folders that this process is in."""


_PRIVATE = 0o700


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock ``folder`` until the block ends; it is made, for this user alone, if it is missing.

    Raises:
        DataFolderHeld: Another process is in it, or another engine of this one.
        StoreUnavailable: It cannot be made or written.
    """
    try:
        folder.parent.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
        lock = hold(folder)
    except DataFolderHeld as error:
        pid = lock_holder(folder)
        holder = None if pid is None else process_name(pid)
        raise DataFolderHeld(str(folder), here=folder.resolve() in _HELD_HERE, holder=holder) from error
    except OSError as error:
        detail = f"{error.strerror or type(error).__name__}; name a folder that can be written with --data"
        raise StoreUnavailable(f"the data folder {folder}", detail) from error
    _HELD_HERE.add(folder.resolve())
    try:
        yield
    finally:
        _HELD_HERE.discard(folder.resolve())
        lock.release()
