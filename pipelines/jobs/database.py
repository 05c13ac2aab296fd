"""The database of DBOS: the catalogues' PostgreSQL, or a file beside SQLite catalogues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pipelines.catalogue.database import postgres_engine
from pipelines.errors import Problem, ProfileError
from pipelines.jobs.work import Work

FILE = "jobs.sqlite"


def open_jobs_database(works: Sequence[Work], data: Path) -> sa.Engine:
    """Open the database that DBOS uses for ``works``. Its content may be lost: the catalogues hold the jobs.

    Raises:
        ProfileError: The catalogues are neither in one PostgreSQL database nor all on SQLite.
    """
    places = {_place(work) for work in works}
    if len(places) > 1:
        tenants = " and ".join(f'"{work.tenant}"' for work in works)
        message = f"{tenants} keep their jobs in different databases; serve them in separate processes"
        raise ProfileError(works[0].tenant, (Problem("catalogue -> url", message),))
    (place,) = places
    if place is not None:
        return postgres_engine(place)
    data.mkdir(parents=True, exist_ok=True)
    database = sa.create_engine(f"sqlite:///{data / FILE}")
    sa.event.listen(database, "connect", _prepare_sqlite)
    return database


def _place(work: Work) -> sa.URL | None:
    engine = work.records.engine
    return engine.url if engine.dialect.name == "postgresql" else None


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = "IMMEDIATE"  # DBOS reads before it writes in one transaction
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
