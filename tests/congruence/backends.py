"""Where the catalogue of a test's tenants lives: SQLite in the data folder, or a PostgreSQL database of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.congruence.postgres import postgres_catalogue

VARIABLE = "FOOTNOTE_TEST_CATALOGUE"
IN_POSTGRES = f"catalogue: {{url: '${{{VARIABLE}}}'}}\n"
"""The line of a profile whose catalogue is in the database that the environment's `VARIABLE` names."""

BACKENDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@contextmanager
def catalogue_of(backend: str) -> Iterator[str]:
    """The lines for a profile whose catalogue is on ``backend``, in a database of its own."""
    if backend == "sqlite":
        yield ""
        return
    with postgres_catalogue() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, url)
        yield IN_POSTGRES
