"""The SQL database of a catalogue: its engines, a tenant's part of it, and its errors explained."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.shared_statements import sharing_engine
from pipelines.errors import CatalogueDamaged, StoreUnavailable
from pipelines.events import Observe, PartFailed

T = TypeVar("T")
CONNECTIONS = 15
"""The most connections that a process opens to one PostgreSQL database, if the profile does not say it."""
ALL_IN_USE = "all connections are in use; try again later"
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_OF_THE_DISK = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN")
_NO_JSON = (ValueError, TypeError, RecursionError)  # SQLite may turn text into a number
_PER_STATEMENT = 500
_OBSERVER = "footnote_observer"
_LOST_SERVER = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
"""libpq's parameters: a server that disappears without a word is noticed after half a minute."""
_LOST_CLIENT = (
    "SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false), "
    "set_config('tcp_keepalives_count', '4', false)"
)
"""The same for a client, whose locks would be held for two hours."""


def sqlite_engine(url: str) -> sa.Engine:
    """Return an engine on a SQLite file."""
    engine = sharing_engine(url, json_deserializer=_parsed)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return _watched(engine)


def postgres_engine(url: sa.URL, connections: int = CONNECTIONS) -> sa.Engine:
    """Return an engine of which both ends notice that the other one has disappeared; ``url`` may say otherwise.

    Args:
        url: The database.
        connections: The most that are open at a time; they stay open until the engine is disposed of.
    """
    unsaid = {name: value for name, value in _LOST_SERVER.items() if name not in url.query}
    pool = {"pool_size": connections, "max_overflow": 0, "pool_pre_ping": True}
    engine = sa.create_engine(url, connect_args=unsaid, **pool)
    sa.event.listen(engine, "connect", _notice_lost_client)
    return _watched(engine)


def observe_failures(engine: sa.Engine, observe: Observe) -> None:
    """Report each call through ``engine`` that fails: the database is unreachable, locked, full or damaged.

    Calls through other tenants' engines on the same pool are not reported.
    """
    engine.update_execution_options(**{_OBSERVER: observe})


class Database:
    """One tenant's part of a database; every method raises StoreUnavailable where the database does not do its own.

    Args:
        engine: The database.
        tenant: Whose part it is.
    """

    def __init__(self, engine: sa.Engine, tenant: str) -> None:
        self._engine = engine
        self._tenant = tenant

    @property
    def engine(self) -> sa.Engine:
        """The database, for the neighbours of this class in the catalogue."""
        return self._engine

    @property
    def tenant(self) -> str:
        """The tenant whose part it is."""
        return self._tenant

    def _insert(self, table: type[Any]) -> Any:
        """An insertion in the database's own dialect, which can say what happens where the row is there already."""
        return insert_into(self._engine, table)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with explained(), Session(self._engine, expire_on_commit=False) as session:
            yield session


def insert_into(engine: sa.Engine, table: Any) -> Any:
    """Return an insertion in the database's own dialect, which can say what happens where the row is there already."""
    return import_module(f"sqlalchemy.dialects.{engine.dialect.name}").insert(table)


def one_at_a_time(session: Session, name: str) -> None:
    """Let the rest of the session's transaction, which has written, wait for others that called this with ``name``."""
    if session.get_bind().dialect.name != "sqlite":  # there one transaction at a time writes
        lock = sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(name, 0))
        session.execute(sa.select(lock))


@contextmanager
def explained() -> Iterator[None]:
    """Turns what a database driver raises into an error that says so, without the address and the statement."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _explanation(error.orig) from error
    except sa.exc.TimeoutError as error:
        raise StoreUnavailable("the catalogue's database", ALL_IN_USE) from error


def is_damage(error: BaseException | None) -> bool:
    """Return whether a driver's error says that the file of a SQLite database is damaged."""
    return getattr(error, "sqlite_errorname", "") in _DAMAGED


def is_json(text: str | bytes) -> bool:
    """Return whether a stored value can be read as JSON."""
    try:
        json.loads(text)
    except _NO_JSON:
        return False
    return True


def _parsed(text: str) -> Any:
    """Parse a JSON column of a SQLite database, which does not check what it keeps."""
    try:
        return json.loads(text)
    except _NO_JSON as error:
        raise CatalogueDamaged("broken JSON") from error


def _explanation(error: BaseException | None) -> StoreUnavailable:
    if not isinstance(error, sqlite3.Error):
        return StoreUnavailable("the catalogue's database", type(error).__name__)
    if is_damage(error):
        return CatalogueDamaged(str(error))
    advice = "; is there room on its disk?" if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_DISK) else ""
    return StoreUnavailable("the catalogue's database", f"{error}{advice}")


def is_storable(text: str) -> bool:
    """Return whether every database takes ``text``: not half a character, as in a file name that is no UTF-8, nor a
    NUL.
    """
    return "\0" not in text and not any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def parts(values: Collection[T]) -> Iterator[list[T]]:
    """``values`` in lists short enough for one statement each."""
    listed = list(values)
    for start in range(0, len(listed), _PER_STATEMENT):
        yield listed[start : start + _PER_STATEMENT]


def _watched(engine: sa.Engine) -> sa.Engine:
    sa.event.listen(engine, "checkin", _roll_back)
    sa.event.listen(engine, "handle_error", _report)
    return engine


def _report(context: sa.engine.ExceptionContext) -> None:
    """Tell the observer of the engine that was used; engines on one pool share their listeners."""
    observe: Observe | None = context.engine.get_execution_options().get(_OBSERVER) if context.engine else None
    error = context.sqlalchemy_exception
    not_its_own = isinstance(error, (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError))
    if observe and not_its_own and not context.is_pre_ping:  # a lost connection is replaced before it is used
        observe(PartFailed("catalogue", StoreUnavailable.code))


def _roll_back(connection: Any, _: object) -> None:
    """Forget what a commit that failed may have left in the connection: its next user would commit it."""
    if connection is not None:
        connection.rollback()


def _notice_lost_client(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_LOST_CLIENT)
    connection.commit()


def _prepare_sqlite(connection: Any, _: object) -> None:
    # secure_delete: what is purged is overwritten, and not merely no longer linked.
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "busy_timeout=10000",
        "foreign_keys=ON",
        "secure_delete=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
