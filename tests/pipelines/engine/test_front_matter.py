"""Front matter as it is kept and filtered on."""

from __future__ import annotations

import pytest

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = "tenant: kennel\n"


def page(levels: int) -> str:
    return f"---\nlevels: {'[' * levels}{']' * levels}\n---\n\nBeagles howl.\n"


@pytest.mark.parametrize(("levels", "state"), [(29, "ready"), (30, "failed"), (130, "failed")])
def test_what_is_taken_can_be_read_after_a_restart(open_tenant: OpenTenant, levels: int, state: str) -> None:
    engine = open_tenant(PROFILE)
    (result,) = engine.ingest(DocumentInput(page(levels), source="deep.md"))
    assert result.state == state
    engine.ingest(DocumentInput("Pugs snore.", source="pug.md"))
    engine.close()
    engine = open_tenant(PROFILE)
    assert engine.doctor().healthy
    assert engine.search("Who snores?").hits[0].document_id == "pug.md"


def test_what_the_profile_declares_is_read_as_that_and_the_rest_as_it_is_written(open_tenant: OpenTenant) -> None:
    fields = "{draft: {type: boolean}, year: {type: integer}, suite: {type: keyword}}"
    engine = open_tenant(f"{PROFILE}metadata: {{fields: {fields}}}\n")
    front = "draft: yes\nyear: 02020\nsuite: 01234\nok: no\nmeeting: 12:30:00"
    (result,) = engine.ingest(DocumentInput(f"---\n{front}\n---\n\nBeagles howl.\n", source="beagle.md"))
    assert result.state == "ready"
    (hit,) = engine.search("Who howls?", filters={"draft": True, "year": 2020, "suite": "01234"}).hits
    assert hit.metadata["ok"] == "no"
    assert hit.metadata["meeting"] == "12:30:00"
