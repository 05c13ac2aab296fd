"""Ids that no document may have."""

import pytest

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant


@pytest.mark.parametrize("name", [".", ".."])
def test_an_id_that_is_a_step_in_an_address_is_refused_and_not_listed(open_tenant: OpenTenant, name: str) -> None:
    engine = open_tenant("tenant: kennel\n")
    offers = [
        DocumentInput("Beagles are hounds.", document_id=name),
        DocumentInput("Beagles are hounds.", source=name),
        DocumentInput("Beagles follow scents.", document_id=f"{name}/beagle"),
    ]
    results = engine.ingest(offers)
    assert [result.state for result in results] == ["failed", "failed", "ready"]
    assert {result.reason for result in results[:2]} == {
        f'document_id: "{name}" is a step in an address, so that no client could ask for it; use another id'
    }
    assert [document.document_id for document in engine.documents().documents] == [f"{name}/beagle"]
