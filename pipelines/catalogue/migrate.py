"""Brings a catalogue's schema up to date. Alembic is loaded only where there is something to do."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from pipelines.catalogue.tables import Base
from pipelines.errors import CatalogueNewer

HEAD = "0015"
_SCRIPTS = Path(__file__).parent / "migrations"
_REVISIONS = "alembic_version"


def migrate(engine: sa.Engine) -> None:
    """Run the migrations that ``engine``'s database lacks, in one transaction; a second caller waits for the first.

    A new database gets the present schema at once, for there is nothing to convert.

    Raises:
        CatalogueNewer: A later release has migrated it.
    """
    with engine.connect() as connection:
        before = _checked_revision(connection)
    if before == HEAD:
        return
    if before is not None and engine.dialect.name == "sqlite":
        _vacuum(engine)  # first: one that is cut off is done again
    with engine.begin() as connection:
        _wait_for_others(connection)
        if _checked_revision(connection) is not None:
            _upgrade(connection)
        else:
            _create(connection)


def _wait_for_others(connection: sa.Connection) -> None:
    """Begin the transaction that writes; SQLite's driver would make each table in one of its own."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else "SELECT pg_advisory_xact_lock(7205759403792793)")


def _vacuum(engine: sa.Engine) -> None:
    """Write the file again: earlier releases left what they deleted in the pages that they freed."""
    with engine.connect() as connection:
        at_once = connection.execution_options(isolation_level="AUTOCOMMIT")
        for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            at_once.exec_driver_sql(statement)


def _checked_revision(connection: sa.Connection) -> str | None:
    """Return the number of the database's schema: empty before the first migration, None without Alembic's table."""
    if not sa.inspect(connection).has_table(_REVISIONS):
        return None
    revision = connection.execute(sa.text(f"SELECT version_num FROM {_REVISIONS}")).scalar() or ""  # noqa: S608 - a constant
    if revision > HEAD:
        raise CatalogueNewer(revision, HEAD)
    return revision


def _create(connection: sa.Connection) -> None:
    """Make the tables, and Alembic's own table last: without it this is done again.

    SQLite keeps the tables that were made before this broke off. Tables in another database are somebody else's: they
    are an error, and nothing is made.
    """
    for statement in _schema(connection.dialect.name):
        connection.exec_driver_sql(statement)
    number = sa.Column("version_num", sa.String(32), nullable=False)
    revisions = sa.Table(_REVISIONS, sa.MetaData(), number, sa.PrimaryKeyConstraint(number, name=f"{_REVISIONS}_pkc"))
    revisions.create(connection)
    connection.execute(revisions.insert().values(version_num=HEAD))


@cache
def _schema(name: str) -> list[str]:
    """Return the statements that make the tables; compiling them takes most of the time that a new database takes."""
    again, dialect = name == "sqlite", sa.make_url(f"{name}://").get_dialect()()
    statements: list[CreateTable | CreateIndex] = []
    for table in Base.metadata.sorted_tables:
        statements.append(CreateTable(table, if_not_exists=again))
        statements += [CreateIndex(index, if_not_exists=again) for index in table.indexes]
    return [str(statement.compile(dialect=dialect)) for statement in statements]


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_SCRIPTS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
