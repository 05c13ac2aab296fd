"""Which processes run jobs now, by locks of the operating system and the database, not by clocks."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from pipelines.catalogue.database import explained
from pipelines.components.store.edge.lock import hold
from pipelines.errors import DataFolderHeld, JobsRunElsewhere, StoreUnavailable
from pipelines.jobs.work import Work

_LOCKS = 0x466F6F74
"""The first half of the keys of our advisory locks."""


class Liveness(Protocol):
    """Announces that this process is alive, and lists the others."""

    executor: str
    """This process's name, new at every start."""

    def living(self) -> frozenset[str]:
        """Return the names of the processes that run jobs.

        Raises:
            StoreUnavailable: Others may already take this process for dead; see `renew`.
        """

    def renew(self) -> None:
        """Announce again that this process is alive.

        Raises:
            StoreUnavailable: The database does not answer.
        """

    def close(self) -> None:
        """Announce that this process runs no more jobs."""


class PostgresLiveness:
    """One advisory lock per process, released with its connection.

    So a killed process is noticed at once; a machine that disappears, after half a minute (see `postgres_engine`).
    """

    def __init__(self, database: sa.Engine) -> None:
        self._database = database
        self._number = 1 + secrets.randbelow(2**31 - 1)
        self.executor = str(self._number)
        self._connection: sa.Connection | None = None
        self.renew()

    def living(self) -> frozenset[str]:
        """Return the names of the processes whose locks are held."""
        query = sa.text(
            "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = :locks "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        if self._connection is None:
            raise StoreUnavailable("the jobs' database", "the connection that holds this process's lock was lost")
        try:
            with explained():
                return frozenset(str(number) for number in self._connection.scalars(query, {"locks": _LOCKS}))
        except StoreUnavailable:
            self.close()
            raise

    def renew(self) -> None:
        """Take the lock on a new connection."""
        self.close()
        with explained():
            connection = self._database.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                key = {"locks": _LOCKS, "number": self._number}
                connection.execute(sa.text("SELECT pg_advisory_lock(:locks, :number)"), key)
            except BaseException:
                connection.invalidate()
                connection.close()
                raise
        self._connection = connection

    def close(self) -> None:
        """Close the connection, which releases the lock."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


class SqliteLiveness:
    """One file lock per tenant: on SQLite, a single process runs a tenant's jobs."""

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
        """Return this process alone."""
        return frozenset((self.executor,))

    def renew(self) -> None:
        """Do nothing: a file lock cannot be lost."""

    def close(self) -> None:
        """Release the locks."""
        self._held.close()

    def _hold(self, work: Work) -> None:
        folder = Path(work.records.engine.url.database or "").parent
        try:
            self._held.callback(hold(folder / "jobs" / work.tenant).release)
        except DataFolderHeld as error:
            raise JobsRunElsewhere(work.tenant, "another process") from error
