"""A database of one's own, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipelines.jobs.databases import ENGINES, database_url


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a new database, which is gone afterwards."""
    with database_url(request.param, tmp_path) as found:
        yield found
