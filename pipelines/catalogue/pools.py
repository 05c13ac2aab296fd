"""Databases that are open in this process; tenants in one PostgreSQL database share its connections."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import sqlalchemy as sa

from pipelines.catalogue.database import ALL_IN_USE, CONNECTIONS, explained, postgres_engine, sqlite_engine
from pipelines.catalogue.migrate import migrate
from pipelines.errors import CatalogueClosed, StoreUnavailable

_WAIT_SECONDS = 30.0  # as long as for a connection
_Key = tuple[int, sa.URL, int]
"""The process, the address, and the number of connections: a forked process uses none of its parent's."""


class OpenDatabase:
    """One user's access to a database, until it is closed.

    Args:
        engine: The database. Its options are this user's own, its connections may be shared.
        leave: Called once, when the user has gone.
        vacuuming: Held during a VACUUM: PostgreSQL runs one at a time, and others would wait with a connection each.
        commits: Places for commits, of which there are fewer than connections; None: any number.
    """

    def __init__(
        self,
        engine: sa.Engine,
        leave: Callable[[], None],
        vacuuming: threading.Lock,
        commits: threading.Semaphore | None = None,
    ) -> None:
        self.engine = engine
        self.vacuuming = vacuuming
        self._commits = commits
        self._closed = False
        self._open = ExitStack()
        self._open.callback(leave)
        sa.event.listen(engine, "engine_connect", self._require_open)

    @contextmanager
    def place_to_commit(self) -> Iterator[None]:
        """Take a place among those that commit at the same time.

        A commit holds its connection while the vector store is written, and asks for further connections in between:
        if commits could take them all, each might wait for the others, and no reader would get one.

        Raises:
            StoreUnavailable: None became free in 30 seconds.
        """
        if self._commits is None:
            yield
            return
        if not self._commits.acquire(timeout=_WAIT_SECONDS):
            raise StoreUnavailable("the catalogue's database", ALL_IN_USE)
        try:
            yield
        finally:
            self._commits.release()

    def close(self) -> None:
        """Give the connections back; the last of several users closes them. Nothing is read or written afterwards."""
        self._closed = True
        self._open.close()

    def _require_open(self, connection: sa.Connection) -> None:
        if self._closed:
            connection.invalidate()  # a pool that was disposed of would keep it open
            raise CatalogueClosed


class _Pool:
    """The connections that several users share."""

    def __init__(self, url: sa.URL, connections: int) -> None:
        self.engine = postgres_engine(url, connections)
        self.commits = threading.BoundedSemaphore(connections // 2)
        self.vacuuming = threading.Lock()
        self.users = 0


class Pools:
    """The pools of this process, each as long as it has users."""

    def __init__(self) -> None:
        self._pools: dict[_Key, _Pool] = {}
        self._lock = threading.Lock()

    def join(self, url: sa.URL, connections: int) -> OpenDatabase:
        """Return a PostgreSQL database, open through the pool of its address; no connection is made."""
        key = (os.getpid(), url, connections)
        with self._lock:
            pool = self._pools.get(key) or _Pool(url, connections)
            self._pools[key] = pool
            pool.users += 1
        own = pool.engine.execution_options()  # the same connections, with options of its own
        return OpenDatabase(own, lambda: self._leave(key, pool), pool.vacuuming, pool.commits)

    def _leave(self, key: _Key, pool: _Pool) -> None:
        with self._lock:
            pool.users -= 1
            if pool.users:
                return
            del self._pools[key]
        pool.engine.dispose()


_pools = Pools()


def open_database(url: str, connections: int = CONNECTIONS) -> OpenDatabase:
    """Return the database of ``url`` (SQLAlchemy's form), with its tables made or migrated.

    Args:
        url: The database.
        connections: The most that this process opens to it, 4 or more; SQLite has no use for it.

    Raises:
        StoreUnavailable: It does not answer, or cannot be migrated.
        CatalogueNewer: A later release wrote it.
    """
    if url.startswith("sqlite"):
        engine = sqlite_engine(url)
        opened = OpenDatabase(engine, engine.dispose, threading.Lock())
    else:
        opened = _pools.join(sa.make_url(url), connections)
    try:
        with explained():
            migrate(opened.engine)
    except BaseException:
        opened.close()
        raise
    return opened
