"""An upgrade that breaks off, or that several processes begin at once, ends with the present schema and all data."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue
from pipelines.catalogue.migrate import HEAD
from pipelines.catalogue.pools import open_database
from tests.pipelines.catalogue.test_catalogue import NEW, put
from tests.pipelines.catalogue.test_migrations import take_back

AT_ONCE = 4


class BrokenOff(Exception):
    """Stands for the end of the process."""


@contextmanager
def breaking_off_at(statement: int) -> Iterator[None]:
    """Raise before the statement of this number, whichever database it is sent to."""
    count = 0

    def break_off(*_: Any) -> None:
        nonlocal count
        count += 1
        if count == statement:
            raise BrokenOff

    sa.event.listen(sa.Engine, "before_cursor_execute", break_off)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", break_off)


def revision(url: str) -> str | None:
    engine = sa.create_engine(url)
    try:
        with engine.connect() as connection:
            return connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    finally:
        engine.dispose()


def make_earlier(url: str, earlier: str) -> None:
    catalogue = Catalogue.open(url, "acme")
    catalogue.claim("minilm", {})
    put(catalogue, NEW)
    take_back(catalogue.engine, earlier)
    catalogue.close()


@pytest.mark.parametrize("earlier", ["0006", "0014"])
def test_an_upgrade_leaves_the_earlier_schema_wherever_it_breaks_off_and_can_be_repeated(
    earlier: str, url: str
) -> None:
    make_earlier(url, earlier)
    statement = 0
    while revision(url) != HEAD:
        statement += 1
        try:
            with breaking_off_at(statement):
                open_database(url).close()
        except BrokenOff:
            assert revision(url) == earlier
    assert statement > 5
    catalogue = Catalogue.open(url, "acme")
    assert catalogue.version(NEW.document_id).text == NEW.text
    catalogue.close()


@pytest.mark.parametrize("earlier", ["base", "0003", "0014"])
def test_processes_that_upgrade_at_once_wait_for_one_another(earlier: str, url: str) -> None:
    catalogue = Catalogue.open(url, "acme")
    take_back(catalogue.engine, earlier)
    if earlier == "base":
        with catalogue.engine.begin() as connection:
            connection.execute(sa.text("DROP TABLE alembic_version"))
    catalogue.close()
    together = Barrier(AT_ONCE)

    def open_it(_: int) -> None:
        together.wait()
        open_database(url).close()

    with ThreadPoolExecutor(AT_ONCE) as processes:
        list(processes.map(open_it, range(AT_ONCE)))
    assert revision(url) == HEAD
