"""Which processes carry jobs out at present, as the operating system and the database know it, and no clock."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from pipelines.catalogue.database import explained
from pipelines.components.edge_lock import hold
from pipelines.errors import CarriedOutElsewhere, DataFolderHeld, StoreUnavailable
from pipelines.jobs.work import Work

_LOCKS = 0x466F6F74
"""The first half of the keys of our advisory locks."""
_KEEPALIVE = ("SET tcp_keepalives_idle = 10", "SET tcp_keepalives_interval = 5", "SET tcp_keepalives_count = 4")
"""A machine that went without a word is given up after half a minute; a process that was killed, at once."""


class Liveness(Protocol):
    """Says that this process is alive, and which others are."""

    executor: str
    """This process's name among them, another one each time."""

    def living(self) -> frozenset[str]:
        """The names of those that carry jobs out.

        Raises:
            StoreUnavailable: The others may think by now that this process is dead; see `renew`.
        """

    def renew(self) -> None:
        """Says again that this process is alive.

        Raises:
            StoreUnavailable: It could not be said.
        """

    def close(self) -> None:
        """Says that this process carries out no more."""


class PostgresLiveness:
    """A lock of the database for each process, which goes with its connection."""

    def __init__(self, database: sa.Engine) -> None:
        self._database = database
        self._number = 1 + secrets.randbelow(2**31 - 1)
        self.executor = str(self._number)
        self._connection: sa.Connection | None = None
        self.renew()

    def living(self) -> frozenset[str]:
        """The names of those whose locks are held."""
        query = sa.text(
            "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = :locks "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        if self._connection is None:
            raise StoreUnavailable("the jobs' database", "the connection that says this process is alive was lost")
        try:
            with explained():
                return frozenset(str(number) for number in self._connection.scalars(query, {"locks": _LOCKS}))
        except StoreUnavailable:
            self.close()
            raise

    def renew(self) -> None:
        """Takes the lock, on a new connection."""
        self.close()
        with explained():
            connection = self._database.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                for setting in _KEEPALIVE:
                    connection.execute(sa.text(setting))
                key = {"locks": _LOCKS, "number": self._number}
                connection.execute(sa.text("SELECT pg_advisory_lock(:locks, :number)"), key)
            except BaseException:
                connection.invalidate()
                connection.close()
                raise
        self._connection = connection

    def close(self) -> None:
        """Ends the connection, and the lock with it."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


class SqliteLiveness:
    """A lock of the operating system for each tenant: on SQLite, one process carries its jobs out."""

    def __init__(self, works: Iterable[Work]) -> None:
        self.executor = secrets.token_hex(8)
        self._held = ExitStack()
        try:
            for work in works:
                self._hold(work)
        except BaseException:
            self._held.close()
            raise

    def living(self) -> frozenset[str]:
        """This process alone."""
        return frozenset((self.executor,))

    def renew(self) -> None:
        """Nothing: a file's lock is not lost."""

    def close(self) -> None:
        """Gives the locks back."""
        self._held.close()

    def _hold(self, work: Work) -> None:
        folder = Path(work.records.engine.url.database or "").parent
        try:
            self._held.enter_context(hold(folder / "jobs" / work.tenant))
        except DataFolderHeld as error:
            raise CarriedOutElsewhere(work.tenant, "another process") from error
