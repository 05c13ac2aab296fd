"""Where the catalogue of a test's tenants lives: SQLite in the data folder, or a PostgreSQL database of their own."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

VARIABLE = "FOOTNOTE_TEST_CATALOGUE"
IN_POSTGRES = f"catalogue: {{url: '${{{VARIABLE}}}'}}\n"
"""The line of a profile whose catalogue is in the database that the environment's `VARIABLE` names."""

BACKENDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@contextmanager
def catalogue_of(backend: str) -> Iterator[str]:
    """The lines for a profile whose catalogue is on ``backend``; a database is made, and dropped at the end."""
    if backend == "sqlite":
        yield ""
        return
    with postgres_database() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, url)
        yield IN_POSTGRES


@contextmanager
def postgres_database() -> Iterator[str]:
    """The URL of a new, empty database, which is dropped at the end."""
    server = os.environ.get("FOOTNOTE_TEST_POSTGRES")
    if server is None:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    name = f"footnote_test_{uuid.uuid4().hex[:12]}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with admin.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}"))
            # No test kills the server: nobody needs to wait for its disk.
            connection.execute(sa.text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
        yield sa.make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        admin.dispose()
