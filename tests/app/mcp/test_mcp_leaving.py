"""A caller of the protocol who leaves: the work on its answer ends."""

from __future__ import annotations

import json
import logging
import socket
import time
from pathlib import Path

import httpx
import pytest

from tests.app.running import serving
from tests.fakes.ollama import Reply, ollama_server

PROFILE = """
tenant: written
store: {engine: memory}
jobs: {run: worker}
llm: {provider: ollama, model: m, base_url: "URL", fallback: error, timeouts: {token_s: 20, call_s: 40}}
"""
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "answer", "arguments": {"question": "How much exercise does a beagle need?"}},
}


def begun(url: httpx.URL) -> socket.socket:
    """A connection on which the question was sent."""
    caller = socket.create_connection((url.host, url.port), timeout=30)
    body = json.dumps(CALL).encode()
    head = (
        f"POST /mcp/written HTTP/1.1\r\nHost: {url.host}:{url.port}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    caller.sendall(head.encode() + body)
    return caller


def test_a_disconnect_stops_the_model(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with ollama_server() as fake, serving(tmp_path, (PROFILE.replace("URL", fake.url),)) as client:
        client.post("/tenants/written/documents", json={"content": "Beagles need 60 minutes of exercise a day."})
        fake.script = lambda asked: Reply("Beagles run [1].", "slow")
        caller = begun(client.base_url)
        until = time.monotonic() + 30
        while not fake.asked and time.monotonic() < until:
            time.sleep(0.01)
        caller.close()
        with caplog.at_level(logging.ERROR):
            assert fake.asked[-1].gone.wait(5)  # the model has 20 s for its first token
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
