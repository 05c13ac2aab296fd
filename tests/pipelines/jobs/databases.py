"""Databases of one's own, on either engine."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.database import open_database
from pipelines.catalogue.jobs import JobRecords

ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@contextmanager
def database_url(engine: str, folder: Path) -> Iterator[str]:
    """The address of a new database, which is gone afterwards."""
    if engine == "sqlite":
        yield f"sqlite:///{folder / 'catalogue.sqlite'}"
        return
    server = os.environ.get("FOOTNOTE_TEST_POSTGRES")
    if server is None:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    name = f"footnote_test_{uuid.uuid4().hex[:12]}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield sa.make_url(server).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@contextmanager
def opened_records(url: str, tenant: str = "acme") -> Iterator[JobRecords]:
    """A tenant's jobs in a database."""
    engine = open_database(url)
    try:
        yield JobRecords(engine, tenant)
    finally:
        engine.dispose()
