"""Front matter that nests deep: a store must read again what it has written."""

from __future__ import annotations

import pytest

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = "tenant: kennel\n"


def page(levels: int) -> str:
    return f"---\nlevels: {'[' * levels}{']' * levels}\n---\n\nBeagles howl.\n"


@pytest.mark.parametrize(("levels", "state"), [(63, "ready"), (64, "failed"), (130, "failed")])
def test_what_is_taken_can_be_read_after_a_restart(open_tenant: OpenTenant, levels: int, state: str) -> None:
    engine = open_tenant(PROFILE)
    (result,) = engine.ingest(DocumentInput(page(levels), source="deep.md"))
    assert result.state == state
    engine.ingest(DocumentInput("Pugs snore.", source="pug.md"))
    engine.close()
    engine = open_tenant(PROFILE)
    assert engine.doctor().healthy
    assert engine.search("Who snores?").hits[0].document_id == "pug.md"
