"""PostgreSQL databases for tests: new ones, and catalogues that are emptied and used again."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from pipelines.catalogue.migrate import migrate

_FREE: list[str] = []
"""URLs of catalogues without rows. Making and dropping one takes longer than most tests that need it."""
_SCHEMAS: dict[str, list[tuple[str, ...]]] = {}
"""What `_schema` found in each when it was made."""
_SCHEMA = """
SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'public'
UNION SELECT schemaname, tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
ORDER BY 1, 2, 3"""
# Of DBOS too, whose schema stays once a test has used it: it is made in some thirty transactions.
_TABLES = """
SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables
WHERE schemaname IN ('public', 'dbos') AND tablename NOT IN ('alembic_version', 'dbos_migrations')"""
_RESTART = "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences"
_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@contextmanager
def postgres_database() -> Iterator[str]:
    """The URL of a new, empty database, which is dropped at the end."""
    url = _create()
    try:
        yield url
    finally:
        _drop(url)


@contextmanager
def postgres_catalogue() -> Iterator[str]:
    """The URL of a catalogue without rows. A later test gets it too, if this one leaves its schema as it is."""
    url = _FREE.pop() if _FREE else _create_catalogue()
    try:
        yield url
    finally:
        if _empty(url):
            _FREE.append(url)
        else:
            _drop(url)


def drop_free_catalogues() -> None:
    """Drop the databases that no later test will get."""
    while _FREE:
        _drop(_FREE.pop())


def _server() -> str:
    server = os.environ.get("FOOTNOTE_TEST_POSTGRES")
    if server is None:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    return server


@contextmanager
def _connected(url: str, isolation: str = "AUTOCOMMIT") -> Iterator[sa.Connection]:
    engine = sa.create_engine(url, isolation_level=isolation)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _create() -> str:
    name = f"footnote_test_{uuid.uuid4().hex[:12]}"
    with _connected(_server()) as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        # No test kills the server: nobody needs to wait for its disk.
        connection.exec_driver_sql(f"ALTER DATABASE {name} SET synchronous_commit = off")
    return sa.make_url(_server()).set(database=name).render_as_string(hide_password=False)


def _drop(url: str) -> None:
    _SCHEMAS.pop(url, None)
    with _connected(_server()) as connection:
        connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {sa.make_url(url).database} WITH (FORCE)")


def _create_catalogue() -> str:
    url = _create()
    engine = sa.create_engine(url)
    migrate(engine)
    engine.dispose()
    with _connected(url) as connection:
        _SCHEMAS[url] = _schema(connection)
    return url


def _schema(connection: sa.Connection) -> list[tuple[str, ...]]:
    """Return every column and index, and the number of the schema."""
    found = [tuple(row) for row in connection.exec_driver_sql(_SCHEMA)]
    if any("alembic_version" in row for row in found):
        found += [tuple(row) for row in connection.exec_driver_sql("SELECT version_num FROM alembic_version")]
    return found


def _empty(url: str) -> bool:
    """Delete all rows, and return whether the database is now as it was when it was made."""
    with _connected(url, "READ COMMITTED") as connection:
        connection.exec_driver_sql(_OTHERS)
        if _schema(connection) != _SCHEMAS[url]:
            return False
        connection.exec_driver_sql("SET session_replication_role = replica")  # in any order, whatever refers to what
        for table in connection.exec_driver_sql(_TABLES).scalars().all():
            connection.exec_driver_sql(f"DELETE FROM {table}")
        connection.exec_driver_sql(_RESTART)
    return True
