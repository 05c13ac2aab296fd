"""Tests that back a tenant up are marked `embedded`: tenants on servers refuse to, and suites on servers omit them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.engine.upkeep.backup import Backup, Manifest

MARK = "embedded"


@pytest.fixture(autouse=True)
def unmarked_backups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that makes a backup without the mark; a run on a server, which is seldom made, would fail there."""
    made: list[Manifest] = []
    write = Backup.write

    def recorded(self: Backup, file: Path) -> Manifest:
        made.append(write(self, file))
        return made[-1]

    monkeypatch.setattr(Backup, "write", recorded)
    yield
    if made and request.node.get_closest_marker(MARK) is None:
        pytest.fail(f"it makes a backup, which only an embedded tenant has: mark it @pytest.mark.{MARK}", pytrace=False)
