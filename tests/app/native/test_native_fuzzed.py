"""Whatever is sent to the native API, it keeps what its OpenAPI document promises, over OpenPharma's papers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.contracts.openpharma.library import PROFILE
from tests.app.fuzzing import fuzz, served_with_key
from tests.fakes.on_server import VARIABLE

MISSED = {
    "POST /{tenant}/feedback",  # bodies that cover the schema cannot be given an answer's id
    "GET /{tenant}/conversations/{conversation_id}",  # all conversations may have been erased before
    "DELETE /{tenant}/conversations/{conversation_id}",
    "GET /{tenant}/documents/{document_id}/pages/{page}",  # no paper of this tenant is a PDF
    "GET /{tenant}/documents/{document_id}/pictures/{number}",  # nor does one have pictures
}
if VARIABLE in os.environ:
    MISSED.add("GET /{tenant}/backup")  # a backup is of an embedded store


@pytest.fixture
def unmarked_backups() -> None:
    """Let it make backups on Qdrant Edge, and be refused on a server."""


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_native_api(tmp_path: Path) -> None:
    with served_with_key(tmp_path, f"{PROFILE.replace('UNSUPPORTED', 'withhold')}llm: null\n") as client:
        answer = client.post("/tenants/openpharma/query", json={"question": "What does metformin do?"}).json()
        given = client.post("/tenants/openpharma/feedback", json={"answer_id": answer["answer_id"], "helpful": True})
        assert given.is_success, given.text
        fuzz(client, tmp_path, "openpharma", api="/tenants", answer=answer["answer_id"], missed=MISSED)
