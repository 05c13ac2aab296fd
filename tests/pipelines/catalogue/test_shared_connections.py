"""Tenants of one process share the connections to their PostgreSQL database, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue
from pipelines.catalogue.database import observe_failures
from pipelines.errors import StoreUnavailable
from pipelines.events import Event, PartFailed
from tests.congruence.postgres import postgres_catalogue

pytestmark = pytest.mark.postgres
MOST = 4
_BUSY = "SELECT pid FROM pg_stat_activity WHERE datname = :name"
TENANTS = [f"tenant-{number}" for number in range(60)]


class Server:
    """A database of its own, and what its server says of the connections to it."""

    def __init__(self, url: str, admin: sa.Engine) -> None:
        self.url = url
        self._admin = admin

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        """What a statement returns that is run on a connection to another database."""
        with self._admin.connect() as connection:
            name = sa.make_url(self.url).database
            return [tuple(row) for row in connection.execute(sa.text(statement), {"name": name})]

    def connections(self) -> int:
        return len(self.ask("SELECT pid FROM pg_stat_activity WHERE datname = :name"))

    def cut(self) -> int:
        """End every connection; how many there were."""
        return len(self.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"))


@pytest.fixture
def server() -> Iterator[Server]:
    with postgres_catalogue() as url:
        admin = sa.create_engine(sa.make_url(url).set(database="postgres"), isolation_level="AUTOCOMMIT")
        yield Server(url, admin)
        admin.dispose()


@contextmanager
def opened(url: str, tenants: Sequence[str] = TENANTS, connections: int = MOST) -> Iterator[list[Catalogue]]:
    with ExitStack() as left:
        catalogues = []
        for tenant in tenants:
            catalogue = Catalogue.open(url, tenant, connections=connections)
            left.callback(catalogue.close)
            catalogue.claim("model", {})
            catalogues.append(catalogue)
        yield catalogues


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def commit(catalogue: Catalogue) -> int:
    """Commit nothing, as ingestion does: with a look at the catalogue while the tenant's row is locked."""
    with catalogue.committing(lambda _: None) as begun:
        assert catalogue.cleanups() == []
        time.sleep(0.01)  # the vector store is written
    return begun.snapshot


def test_sixty_tenants_that_all_commit_at_once_need_no_more_connections_than_the_profile_allows(server: Server) -> None:
    with opened(server.url) as catalogues, ThreadPoolExecutor(len(TENANTS)) as threads:
        commits = [threads.submit(commit, catalogue) for catalogue in catalogues]
        counted = [server.connections()]
        while not all(one.done() for one in commits):
            counted.append(server.connections())
        assert [one.result() for one in commits] == [1] * len(TENANTS)
        assert 1 <= max(counted) <= MOST
    until(lambda: server.connections() == 0)


def test_readers_get_a_connection_while_every_place_for_commits_is_taken(server: Server) -> None:
    release = threading.Event()

    def hold(catalogue: Catalogue) -> None:
        with catalogue.paused():
            release.wait(60)

    with opened(server.url) as catalogues, ThreadPoolExecutor(len(TENANTS)) as threads:
        holding = [threads.submit(hold, catalogue) for catalogue in catalogues[1:]]
        try:
            until(lambda: len(server.ask(f"{_BUSY} AND state = 'idle in transaction'")) == MOST // 2)
            assert catalogues[0].snapshot == 0
        finally:
            release.set()
        for one in holding:
            one.result()


def test_a_vacuum_for_every_tenant_leaves_connections_to_readers(server: Server) -> None:
    with opened(server.url) as catalogues, ThreadPoolExecutor(len(TENANTS)) as threads:
        blocker = sa.create_engine(server.url)
        with blocker.begin() as connection:
            connection.execute(sa.text("LOCK TABLE documents IN SHARE UPDATE EXCLUSIVE MODE"))
            vacuums = [threads.submit(catalogue.scrub) for catalogue in catalogues]
            until(lambda: bool(server.ask(f"{_BUSY} AND query LIKE 'VACUUM%' AND wait_event_type = 'Lock'")))
            assert [catalogue.snapshot for catalogue in catalogues] == [0] * len(TENANTS)
            assert not any(vacuum.done() for vacuum in vacuums)
        blocker.dispose()
        for vacuum in vacuums:
            vacuum.result()


def test_a_tenant_that_is_closed_leaves_the_others_their_connections_and_the_last_one_closes_them(
    server: Server,
) -> None:
    with opened(server.url, ["acme", "globex"]) as (acme, globex):
        with globex.paused():
            acme.close()
            acme.close()  # which counts once
            assert globex.cleanups() == []
        assert commit(globex) == 1
        assert server.connections() >= 1
        globex.close()
        until(lambda: server.connections() == 0)
        with opened(server.url, ["acme"]) as (again,):
            assert commit(again) == 1


def test_connections_that_were_cut_are_replaced_for_every_tenant(server: Server) -> None:
    with opened(server.url) as catalogues:
        with ThreadPoolExecutor(MOST) as threads:
            list(threads.map(commit, catalogues))
        assert server.cut() >= 1
        assert [catalogue.snapshot for catalogue in catalogues] == [1] * len(TENANTS)
        assert [commit(catalogue) for catalogue in catalogues[:3]] == [2, 2, 2]
        assert server.connections() <= MOST


def test_a_connection_that_is_cut_in_the_middle_of_a_commit_fails_that_commit_alone(server: Server) -> None:
    told: list[tuple[str, Event]] = []
    with opened(server.url, ["acme", "globex"]) as (acme, globex):
        for catalogue in (acme, globex):
            observe_failures(catalogue.engine, lambda event, tenant=catalogue.tenant: told.append((tenant, event)))
        with pytest.raises(StoreUnavailable), acme.committing(lambda _: None):
            server.cut()
        assert (commit(globex), commit(acme)) == (1, 1)
    assert set(told) == {("acme", PartFailed("catalogue", "store_unavailable"))}


def test_addresses_that_say_more_than_the_database_have_connections_of_their_own(server: Server) -> None:
    base = sa.make_url(server.url)
    maker = sa.create_engine(base)
    with maker.begin() as connection:
        for schema in ("acme", "globex"):
            connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    maker.dispose()
    acme, globex = (
        base.update_query_dict({"options": f"-csearch_path={schema} -cstatement_timeout={limit}"})
        for schema, limit in (("acme", 7000), ("globex", 9000))
    )
    with (
        opened(acme.render_as_string(hide_password=False), ["one", "two"]) as catalogues,
        opened(globex.render_as_string(hide_password=False), ["one"]) as (other,),
    ):
        assert [commit(catalogue) for catalogue in (*catalogues, catalogues[0])] == [1, 1, 2]
        assert other.snapshot == 0
        for catalogue, expected in ((catalogues[1], ("acme", "7s")), (other, ("globex", "9s"))):
            with catalogue.engine.connect() as connection:
                shown = tuple(
                    connection.scalar(sa.text(f"SHOW {name}")) for name in ("search_path", "statement_timeout")
                )
                assert shown == expected
