"""The folder of an embedded store: one sub-folder for each collection, opened once and shared."""

from __future__ import annotations

import re
import shutil
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

from pipelines.components.store.edge.collection import EdgeCollection, edge_errors
from pipelines.components.store.edge.convert import refused
from pipelines.components.store.edge.lock import hold
from pipelines.errors import Conflict, NotFound, StoreUnavailable

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
_DELETED = ".deleted-"


class EdgeFolder:
    """The collections in a folder, which this process holds until `close`; safe to share between threads.

    Args:
        folder: Where the collections live; made when it is missing.

    Raises:
        DataFolderHeld: Another process, or another client of this one, works on the folder.
        StoreUnavailable: The folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, EdgeCollection] = {}
        self._opening = threading.RLock()
        self._lock = hold(folder)
        for left in folder.glob(f"{_DELETED}*"):
            shutil.rmtree(left, ignore_errors=True)  # what resists does no harm, and is tried again

    def has(self, name: str) -> bool:
        """Return whether there is such a collection."""
        return EdgeCollection.exists(self._path(name))

    def names(self) -> list[str]:
        """Return the names of all collections."""
        with edge_errors():
            return sorted(path.name for path in self._folder.iterdir() if EdgeCollection.exists(path))

    def create(self, name: str, config: Any) -> None:
        """Make an empty collection.

        Raises:
            Conflict: It exists already.
        """
        with self._opening:
            path = self._path(name)
            if EdgeCollection.exists(path):
                raise Conflict(f"Collection `{name}` already exists!")
            shutil.rmtree(path, ignore_errors=True)  # left by a process that was killed while making it
            self._opened[name] = EdgeCollection.create(path, config)

    def collection(self, name: str) -> EdgeCollection:
        """Return a collection, opened when it is first needed.

        Raises:
            NotFound: There is none of that name.
        """
        opened = self._opened.get(name)
        if opened is not None:
            return opened
        with self._opening:
            if name not in self._opened:
                if not self.has(name):
                    raise NotFound(f"Collection {name} not found")
                self._opened[name] = EdgeCollection.open(self._path(name))
            return self._opened[name]

    def delete(self, name: str) -> bool:
        """Remove a collection and its files; False when there is none."""
        with self._opening:
            if not self.has(name):
                return False
            self.collection(name).close()
            del self._opened[name]
            going = self._folder / f"{_DELETED}{uuid4().hex}"
            with edge_errors():
                self._path(name).rename(going)
        shutil.rmtree(going, ignore_errors=True)  # the next start tries again
        return True

    def flush(self) -> None:
        """Bring every open collection to disk."""
        for collection in list(self._opened.values()):
            collection.flush()

    def close(self) -> None:
        """Flush to disk and release the folder."""
        with self._opening, ExitStack() as closing:
            closing.callback(self._lock.release)
            while self._opened:
                closing.callback(self._opened.popitem()[1].close)

    def _path(self, name: str) -> Path:
        if not self._lock.is_locked:
            raise StoreUnavailable("the vector store", "it has been closed")
        if not _NAME.fullmatch(name):
            raise refused("collection_name", f'"{name}" must be letters, digits and ._- only')
        return self._folder / name
