"""Every schema there has been becomes the present one, and what was stored stays, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from pipelines.catalogue import Catalogue, migrations
from pipelines.catalogue.migrate import HEAD
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.settings import Settings
from pipelines.catalogue.tables import Base
from pipelines.catalogue.usage import UsageLog
from pipelines.errors import CatalogueNewer, StoreUnavailable
from tests.congruence.postgres import postgres_database
from tests.pipelines.catalogue.test_catalogue import NEW, put


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm", {})
    yield opened
    opened.close()


def take_back(engine: sa.Engine, revision: str) -> None:
    """Makes the schema one of earlier."""
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.set_main_option("path_separator", "os")
        command.downgrade(config, revision)


def test_every_schema_of_earlier_becomes_the_one_that_the_tables_describe(url: str) -> None:
    for revision in ("base", *(f"{number:04}" for number in range(1, int(HEAD)))):
        database = open_database(url)
        engine = database.engine
        take_back(engine, revision)
        database.close()
        database = open_database(url)
        engine = database.engine
        with engine.connect() as connection:
            # SQLite has no types to compare.
            options = {"compare_type": engine.dialect.name != "sqlite"}
            present = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(present, Base.metadata) == [], revision
        database.close()


def schema(engine: sa.Engine) -> dict[str, object]:
    """What a database has: each table's columns in any order, its keys, indexes and constraints."""
    found = sa.inspect(engine)
    return {
        table: (
            {column["name"]: (column["nullable"], column["default"]) for column in found.get_columns(table)},
            found.get_pk_constraint(table),
            sorted(map(str, found.get_foreign_keys(table))),
            sorted(map(str, found.get_indexes(table))),
            sorted(map(str, found.get_unique_constraints(table))),
        )
        for table in found.get_table_names()
    }


def test_a_new_database_has_the_schema_that_the_migrations_make(url: str) -> None:
    database = open_database(url)
    engine = database.engine
    new = schema(engine)
    take_back(engine, "base")
    database.close()
    database = open_database(url)
    engine = database.engine
    assert schema(engine) == new
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == HEAD
    database.close()


def test_a_database_whose_making_broke_off_is_made_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalogue.db"
    database = open_database(url)
    engine = database.engine
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE alembic_version"))
        connection.execute(sa.text("DROP TABLE turn_sources"))
    database.close()
    database = open_database(url)
    engine = database.engine
    assert sa.inspect(engine).has_table("turn_sources")
    database.close()


@pytest.mark.postgres
def test_a_database_with_tables_of_others_is_refused_and_left_as_it_is() -> None:
    with postgres_database() as url:
        theirs = sa.create_engine(url)
        with theirs.begin() as connection:
            connection.execute(sa.text("CREATE TABLE documents (id INTEGER)"))
        with pytest.raises(StoreUnavailable, match="DuplicateTable"):
            open_database(url)
        assert sa.inspect(theirs).get_table_names() == ["documents"]
        theirs.dispose()


def test_the_catalogue_of_a_newer_release_is_refused_and_left_as_it_is(catalogue: Catalogue, url: str) -> None:
    with catalogue.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(CatalogueNewer, match="its schema is 9999"):
        Catalogue.open(url, "acme")
    with catalogue.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == "9999"


def test_documents_from_before_use_counts_are_kept_and_counted_from_now_on(catalogue: Catalogue, url: str) -> None:
    put(catalogue, NEW)
    take_back(catalogue.engine, "0003")
    again = Catalogue.open(url, "acme")
    assert again.document(NEW.document_id).chunks == NEW.chunks
    assert put(again, replace(NEW, text="# A\nOther.", sha256="1" * 64)) == 2
    log = UsageLog(again.engine, "acme")
    log.searched("fed", "how so", [NEW.document_id], 0.5, 10.0)
    log.close()
    assert log.uses_of(None)[NEW.document_id].count == 1
    assert Settings(again.engine, "acme").get("profile") == {}
    again.close()
