"""A question counts under the key that asked it, on every surface: no other reader sees it, and an admin does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.running import serving

PROFILE = """
tenant: {contract}
contract: {contract}
store: {{engine: memory}}
metadata: {metadata}
limits: {{question_chars: [1, 4000]}}
auth:
  keys:
    - {{name: ops, secret: "${{OPS_KEY}}", role: admin}}
    - {{name: ann, secret: "${{ANN_KEY}}", role: reader}}
    - {{name: bob, secret: "${{BOB_KEY}}", role: reader}}
"""
FIELDS = {
    "cortx": "{fields: {level: {type: keyword, values: [platform, suite, module, entity]}, suite: {type: keyword},"
    " module: {type: keyword}, entity_id: {type: keyword}, source: {type: keyword}},"
    " hierarchy: {level: level, path: [suite, module, entity_id]}}",
    "textbook": "{fields: {chapter: {type: integer}, section: {type: keyword}, page: {type: integer}}}",
    "openpharma": "{fields: {journal: {type: keyword}, date: {type: datetime}}}",
    "pocketpal": "{fields: {}}",
}
QUESTION = "Will the merger with Initech be announced"


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "cortx", "messages": [{"role": "user", "content": text}], **more}


SURFACES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "native search": ("cortx", "/tenants/cortx/search", {"query": QUESTION}),
    "native query": ("cortx", "/tenants/cortx/query", {"question": QUESTION}),
    "native stream": ("cortx", "/tenants/cortx/query", {"question": QUESTION, "stream": True}),
    "mcp search": ("cortx", "/mcp/cortx", tool("search", query=QUESTION)),
    "mcp answer": ("cortx", "/mcp/cortx", tool("answer", question=QUESTION)),
    "openai": ("cortx", "/openai/v1/chat/completions", said(QUESTION)),
    "openai stream": ("cortx", "/openai/v1/chat/completions", said(QUESTION, stream=True)),
    "cortx query": ("cortx", "/cortx/v1/query", {"question": QUESTION}),
    "cortx search": ("cortx", "/cortx/v1/search", {"query": QUESTION}),
    "textbook query": ("textbook", "/textbook/query", {"question": QUESTION}),
    "openpharma ask": ("openpharma", "/openpharma/ask", {"query": QUESTION}),
    "openpharma search": ("openpharma", "/openpharma/search", {"query": QUESTION}),
    "pocketpal search": ("pocketpal", "/pocketpal/api/rag/context/retrieve", {"query": QUESTION}),
}


def key(name: str) -> str:
    return f"a-secret-0123456789-{name}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    profiles = [PROFILE.format(contract=contract, metadata=metadata) for contract, metadata in FIELDS.items()]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ops", "ann", "bob"):
            patch.setenv(f"{name.upper()}_KEY", key(name))
        with serving(tmp_path_factory.mktemp("owners"), tuple(profiles)) as client:
            yield client


def questions(client: httpx.Client, tenant: str, name: str) -> str:
    stats = client.get(f"/tenants/{tenant}/stats?most=100", headers={"X-API-Key": key(name)})
    return json.dumps(stats.json())


@pytest.mark.parametrize("surface", SURFACES)
def test_a_question_counts_under_the_key_that_asked_it(surface: str, client: httpx.Client) -> None:
    tenant, path, body = SURFACES[surface]
    asked = json.loads(json.dumps(body).replace(QUESTION, f"{QUESTION} {surface}?"))
    headers = {"X-API-Key": key("ann"), "Accept": "application/json, text/event-stream"}
    answer = client.post(path, json=asked, headers=headers)
    assert answer.status_code == 200, answer.text
    assert surface in questions(client, tenant, "ann"), answer.text
    assert surface not in questions(client, tenant, "bob")
    assert surface in questions(client, tenant, "ops")
