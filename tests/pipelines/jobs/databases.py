"""Databases of one's own, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.catalogue.jobs import JobRecords
from pipelines.catalogue.pools import open_database
from tests.congruence.backends import BACKENDS as ENGINES
from tests.congruence.postgres import postgres_catalogue

__all__ = ["ENGINES", "database_url", "opened_records"]


@contextmanager
def database_url(engine: str, folder: Path) -> Iterator[str]:
    """The address of a new database, which is gone afterwards."""
    if engine == "sqlite":
        yield f"sqlite:///{folder / 'catalogue.sqlite'}"
        return
    with postgres_catalogue() as url:
        yield url


@contextmanager
def opened_records(url: str, tenant: str = "acme") -> Iterator[JobRecords]:
    """A tenant's jobs in a database."""
    database = open_database(url)
    try:
        yield JobRecords(database.engine, tenant)
    finally:
        database.close()
