"""What is said of a database that its disk has no room for."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from pipelines.catalogue.database import explained
from pipelines.errors import StoreUnavailable


def test_a_database_without_room_asks_for_the_disk() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 4")
        connection.exec_driver_sql("CREATE TABLE kept (text TEXT)")
        with pytest.raises(StoreUnavailable, match=r"is full; is there room on its disk\?"), explained():
            connection.exec_driver_sql("INSERT INTO kept VALUES (?)", ("a" * 100_000,))


def test_a_statement_that_is_wrong_does_not() -> None:
    connection = sa.create_engine("sqlite://").connect()
    with connection, pytest.raises(StoreUnavailable) as refused, explained():
        connection.exec_driver_sql("SELECT missing")
    assert "no such column" in str(refused.value)
    assert "disk" not in str(refused.value)
