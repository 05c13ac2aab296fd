"""PostgreSQL and its clients notice that the other end's machine has disappeared: nobody waits for hours."""

from __future__ import annotations

from contextlib import closing

import pytest
import sqlalchemy as sa

from pipelines.catalogue.pools import open_database
from tests.congruence.postgres import postgres_catalogue


def told(url: str) -> tuple[dict[str, str], dict[str, str]]:
    """What a connection to ``url`` was made with, and what the server does for it."""
    database = open_database(url)
    try:
        with closing(database.engine.raw_connection()) as connection:
            mine = connection.driver_connection.info.get_parameters()
            query = "SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives_%'"
            return mine, dict(connection.driver_connection.execute(query).fetchall())
    finally:
        database.close()


@pytest.mark.postgres
def test_either_end_notices_within_half_a_minute_that_the_other_one_is_lost() -> None:
    with postgres_catalogue() as url:
        mine, theirs = told(url)
    assert int(mine["connect_timeout"]) == 10
    assert int(mine["tcp_user_timeout"]) == 30_000
    assert int(mine["keepalives_idle"]) + 4 * int(mine["keepalives_interval"]) == 30
    assert int(mine["keepalives_count"]) == 4
    assert theirs == {
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "4",
    }


@pytest.mark.postgres
def test_an_address_may_ask_for_other_times() -> None:
    with postgres_catalogue() as url:
        given = sa.make_url(url).update_query_dict({"connect_timeout": "3", "tcp_user_timeout": "9000"})
        mine, _ = told(given.render_as_string(hide_password=False))
    assert (mine["connect_timeout"], mine["tcp_user_timeout"], mine["keepalives_idle"]) == ("3", "9000", "10")
