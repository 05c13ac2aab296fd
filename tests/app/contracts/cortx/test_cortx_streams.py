"""Streams of CORTX's API that end with an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.contracts.cortx.test_cortx_routes import DOCUMENTS, PROFILE
from tests.app.running import serving
from tests.fakes.ollama import ollama_server


@pytest.mark.parametrize("model", ["crash", "broken-after-5"])
def test_an_error_within_a_stream_has_the_shape_of_an_error_response(tmp_path: Path, model: str) -> None:
    with ollama_server() as fake:
        llm = f"llm: {{provider: ollama, model: {model}, base_url: {fake.url}, fallback: error}}\n"
        with serving(tmp_path, (PROFILE + llm,)) as client:
            content, metadata = DOCUMENTS[1]
            assert client.post("/v1/ingest", json={"content": content, "metadata": metadata}).status_code == 201
            asked = {"question": "How long are audit events kept?", "stream": True}
            *_, name, data = client.post("/v1/query", json=asked).text.split("\n\n")[-2].split("\n")
    assert name == "event: error"
    error = json.loads(data.removeprefix("data: "))["error"]
    assert set(error) == {"code", "message", "details", "request_id"}
