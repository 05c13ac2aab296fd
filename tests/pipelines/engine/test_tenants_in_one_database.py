"""Tenants of one process over one PostgreSQL database, which allows fewer connections than there are tenants."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from pipelines import DocumentInput, Engine
from tests.conftest import OpenTenant
from tests.congruence.backends import IN_POSTGRES, VARIABLE
from tests.congruence.postgres import postgres_catalogue

pytestmark = pytest.mark.postgres
PROFILE = IN_POSTGRES.replace("}\n", ", connections: 4}\n")
NAMES = [f"kennel-{number}" for number in range(12)]


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with postgres_catalogue() as made:
        monkeypatch.setenv(VARIABLE, made)
        yield made


def work(engine: Engine) -> list[str]:
    """Ingest and search a document that says whose it is."""
    engine.ingest([DocumentInput(f"A beagle howls in {engine.tenant}.", "beagle")])
    return [hit.content for hit in engine.search("Who howls?").hits]


def test_more_tenants_than_connections_ingest_and_answer_while_others_are_closed(
    url: str, open_tenant: OpenTenant
) -> None:
    engines = [open_tenant(f"tenant: {name}\n{PROFILE}") for name in NAMES]
    admin = sa.create_engine(sa.make_url(url).set(database="postgres"))
    query = sa.text("SELECT count(*) FROM pg_stat_activity WHERE datname = :name")
    counted: list[int] = []
    over = threading.Event()

    def count() -> None:
        while not over.is_set():
            with admin.connect() as connection:
                counted.append(connection.scalar(query, {"name": sa.make_url(url).database}) or 0)

    with ThreadPoolExecutor(len(NAMES) + 1) as threads:
        counting = threads.submit(count)
        try:
            assert list(threads.map(work, engines)) == [[f"A beagle howls in {name}."] for name in NAMES]
            again = [threads.submit(work, engine) for engine in engines[2:]]
            for engine in engines[:2]:
                engine.close()
            assert [one.result() for one in again] == [[f"A beagle howls in {name}."] for name in NAMES[2:]]
        finally:
            over.set()
        counting.result()
    admin.dispose()
    assert 1 <= max(counted) <= 4
