"""OpenPharma's contract over other profiles than the shipped one: with keys, without a model, without conversations."""

from __future__ import annotations

import uuid

import pytest

from tests.app.running import Serve

KEYED = """
tenant: openpharma
contract: openpharma
store: {engine: memory}
auth: {keys: [{name: r, secret: "${READER_KEY}", role: reader}]}
"""


def test_a_missing_key_is_answered_in_the_error_envelope(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER_KEY", "a-secret-of-a-reader")
    client = serve(KEYED)
    answer = client.post("/ask", json={"query": "x"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    body = client.post("/ask", json={"query": "x"}, headers={"X-API-Key": "a-secret-of-a-reader"}).json()
    assert (body["abstained"], body["reason"], body["chunks_used"]) == (True, "no_hits", [])


def test_a_profile_without_a_model_ignores_the_requested_provider(serve: Serve) -> None:
    client = serve("tenant: openpharma\ncontract: openpharma\nstore: {engine: memory}\n")
    body = client.post("/ask", json={"query": "x", "llm_provider": "openai"}).json()
    assert (body["llm_provider"], body["model"]) == ("openai", "extractive")
    assert client.post("/ask", json={"query": "x", "llm_provider": "other"}).status_code == 400


def test_without_stored_conversations_an_answer_still_has_an_id(serve: Serve) -> None:
    client = serve("tenant: openpharma\ncontract: openpharma\nstore: {engine: memory}\nconversations: {ttl_hours: 0}\n")
    assert uuid.UUID(client.post("/ask", json={"query": "x"}).json()["conversation_id"])


def test_a_section_that_the_profile_does_not_declare_is_shown_as_text(serve: Serve) -> None:
    client = serve("tenant: openpharma\ncontract: openpharma\nstore: {engine: memory}\n")
    sections = {"a": 3, "b": ["Results", "Methods"], "c": {"part": 1}}
    for name, section in sections.items():
        document = {
            "content": f"Zebrafish fins regrow, says {name}.",
            "document_id": name,
            "metadata": {"section": section},
        }
        assert client.post("/tenants/openpharma/documents", json=document).status_code == 201
    found = client.post("/search", json={"query": "zebrafish fins"}).json()["results"]
    assert {one["document_id"]: one["section"] for one in found} == {"a": "3", "b": "Results", "c": "{'part': 1}"}
