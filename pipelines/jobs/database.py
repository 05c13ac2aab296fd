"""The database of DBOS: the catalogues' PostgreSQL, or a file beside SQLite catalogues."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pipelines.catalogue.database import is_damage, postgres_engine
from pipelines.errors import Problem, ProfileError, StoreUnavailable
from pipelines.jobs.work import Work

FILE = "jobs.sqlite"
_log = logging.getLogger(__name__)


def open_jobs_database(works: Sequence[Work], data: Path) -> sa.Engine:
    """Open the database that DBOS uses for ``works``. Its content may be lost: the catalogues hold the jobs.

    Raises:
        ProfileError: The catalogues are neither in one PostgreSQL database nor all on SQLite.
        StoreUnavailable: The file cannot be used.
    """
    places: dict[sa.URL | None, list[str]] = {}
    for work in works:
        places.setdefault(_place(work), []).append(f'"{work.tenant}"')
    if len(places) > 1:
        kept = "; ".join(f"{', '.join(tenants)} in {_described(place)}" for place, tenants in places.items())
        message = f"jobs are kept in different databases: {kept}. Serve the tenants of each in a process of their own"
        raise ProfileError(works[0].tenant, (Problem("catalogue -> url", message),))
    (place,) = places
    if place is not None:
        return postgres_engine(place)
    data.mkdir(parents=True, exist_ok=True)
    database = _open_file(data / FILE)
    if not _is_whole(database):
        database.dispose()
        _put_aside(data / FILE)
        database = _open_file(data / FILE)
    return database


def _open_file(file: Path) -> sa.Engine:
    database = sa.create_engine(f"sqlite:///{file}")
    sa.event.listen(database, "connect", _prepare_sqlite)
    return database


def _is_whole(database: sa.Engine) -> bool:
    try:
        with database.connect() as connection:
            return connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() == "ok"
    except sa.exc.DatabaseError as error:
        if is_damage(error.orig):
            return False
        raise StoreUnavailable("the jobs' database", f"{error.orig} ({database.url.database})") from error


def _put_aside(file: Path) -> None:
    """Rename a damaged file and its log, which a new one takes the place of."""
    _log.warning("%s is damaged; it is made again, and kept as %s.damaged; no job is lost", file, file.name)
    for part in (file, *(file.with_name(f"{file.name}-{log}") for log in ("wal", "shm"))):
        if part.exists():
            part.replace(f"{part}.damaged")


def _place(work: Work) -> sa.URL | None:
    engine = work.records.engine
    return engine.url if engine.dialect.name == "postgresql" else None


def _described(place: sa.URL | None) -> str:
    """Return where jobs are kept, without the secrets that an address may hold."""
    if place is None:
        return f"{FILE} of the data folder"
    return str(sa.URL.create("postgresql", place.username, None, place.host, place.port, place.database))


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = "IMMEDIATE"  # DBOS reads before it writes in one transaction
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
