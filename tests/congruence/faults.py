"""A process that dies, or a part that fails once, just before the n-th thing that would outlast it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
import sqlalchemy as sa

from pipelines.components.store.edge.collection import Change, EdgeCollection
from pipelines.engine import Engine
from pipelines.errors import StoreUnavailable

Kind = Literal["death", "failure"]


class Dead(BaseException):
    """The process is dead: nothing that it still tries comes to pass."""


class Fuse:
    """Counts what outlasts a process: changes of the vector store, and commits of the database.

    Only those of the thread that acts count, so that the same steps fail at the same place every time.
    """

    def __init__(self) -> None:
        self._left: int | None = None
        self._kind: Kind = "death"
        self._dead = False
        self.blown = False

    @contextmanager
    def armed(self, kind: Kind, after: int) -> Iterator[None]:
        """Lets what follows ``after`` effects fail: once, or from then on."""
        self._kind, self._left, self._dead, self.blown = kind, after, False, False
        try:
            yield
        finally:
            self._left, self._dead = None, False

    def burn(self, *_: object) -> None:
        """Something is about to be done that outlasts the process.

        Raises:
            Dead: The process died before.
            StoreUnavailable: It fails, this once.
        """
        if self._dead:
            raise Dead
        if self._left is None or threading.current_thread() is not threading.main_thread():
            return
        self._left -= 1
        if self._left >= 0:
            return
        self._left, self.blown = None, True
        if self._kind == "failure":
            raise StoreUnavailable("the part under test", "it fails this once")
        self._dead = True
        raise Dead

    def watch(self, engine: Engine) -> None:
        """Counts the commits of a tenant's database too."""
        sa.event.listen(engine._parts.catalogue.engine, "commit", self.burn)


@contextmanager
def fused_store() -> Iterator[Fuse]:
    """A fuse that counts the changes of every embedded vector store until the block ends."""
    fuse, write = Fuse(), EdgeCollection.write

    def fused(collection: EdgeCollection, change: Change) -> None:
        fuse.burn()
        write(collection, change)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EdgeCollection, "write", fused)
        yield fuse
