"""The audit log forgets entries that are older than the profile keeps them."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.audit import AuditLog
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.tables import AuditRow
from tests.congruence.backends import BACKENDS
from tests.congruence.postgres import postgres_catalogue

KEEP = timedelta(days=30)


@pytest.mark.parametrize("backend", BACKENDS)
def test_old_entries_are_neither_shown_nor_kept(backend: str, tmp_path: Path) -> None:
    if backend == "sqlite":
        _check(f"sqlite:///{tmp_path / 'catalogue.sqlite'}")
        return
    with postgres_catalogue() as url:
        _check(url)


@pytest.mark.parametrize("backend", BACKENDS)
def test_whatever_a_proxy_says_is_the_address_an_entry_is_written(backend: str, tmp_path: Path) -> None:
    with ExitStack() as opened:
        url = f"sqlite:///{tmp_path}/c.sqlite" if backend == "sqlite" else opened.enter_context(postgres_catalogue())
        database = open_database(url)
        opened.callback(database.close)
        log = AuditLog(database.engine, "kennel")
        log.add("delete_document", ["one"], "ok", address="203.0.113.7" * 20)
        assert log.list().entries[0].address == ("203.0.113.7" * 20)[:64]


def test_two_targets_are_told_from_one_whose_name_has_a_comma(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/c.sqlite")
    log = AuditLog(database.engine, "kennel")
    for targets in (["a", "b"], ["a, b"], ['a", "b'], ["", "a"], []):
        log.add("delete_document", targets, "ok")
    named = [entry.target for entry in log.list().entries]
    assert named[::-1] == ["a, b", '"a, b"', r'"a\", \"b"', '"", a', ""]
    database.close()


def _check(url: str) -> None:
    opened = open_database(url)
    database = opened.engine
    forever = AuditLog(database, "kennel")
    for target in ("old", "young"):
        forever.add("delete_document", [target], "ok")
    AuditLog(database, "others").add("delete_document", ["of others"], "ok")
    with database.begin() as connection:
        old = sa.update(AuditRow).where(AuditRow.target.in_(["old", "of others"]))
        connection.execute(old.values(at=datetime.now(UTC) - KEEP - timedelta(minutes=1)))
    log = AuditLog(database, "kennel", KEEP)
    assert [entry.target for entry in log.list().entries] == ["young"]
    assert len(forever.list().entries) == 2
    log.add("sync", ["now"], "ok")
    assert [entry.target for entry in forever.list().entries] == ["now", "young"]
    assert len(AuditLog(database, "others").list().entries) == 1
    opened.close()
