"""Answers with tools over real HTTP: what is told of them, as it is asked and when nobody waits any more."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.app.mcp.talking import called, over_http
from tests.app.running import events_of, serving
from tests.fakes.ollama import Asked, FakeOllama, ollama_server
from tests.fakes.tool_server import ToolServer, tool_server

PROFILE = """
tenant: kennel
contract: smartbreeds
store: {engine: memory}
jobs: {run: worker}
metadata: {fields: {doc_type: {type: keyword}, breed: {type: keyword}}}
llm: {provider: ollama, model: m, base_url: "URL"}
tools: {servers: [{name: shop, transport: http, url: "TOOLS"}]}
"""
BEAGLE = "Beagles need 60 minutes of exercise a day. They howl.\n"
QUESTION = "What does an orthopedic bed cost?"
PRICE = "The CozyRest orthopedic dog bed costs 64.90 EUR"
SEARCH = {"tool": "shop/search_products", "arguments": {"query": "orthopedic bed"}}


@pytest.fixture(scope="module")
def shop() -> Iterator[ToolServer]:
    with tool_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def llm() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, shop: ToolServer, llm: FakeOllama) -> Iterator[httpx.Client]:
    folder: Path = tmp_path_factory.mktemp("native-tools")
    with serving(folder, (PROFILE.replace("URL", llm.url).replace("TOOLS", shop.url),)) as client:
        body = {"content": BEAGLE, "document_id": "b", "metadata": {"doc_type": "breed"}}
        assert client.post("/tenants/kennel/documents", json=body).status_code == 201
        yield client


def decide(llm: FakeOllama, call: dict[str, Any]) -> None:
    """Lets the model ask one tool beside the documents, and answer with the price of the bed."""

    def script(asked: Asked) -> str:
        if asked.messages[0]["content"].startswith("You decide"):
            return json.dumps({"knowledge": True, "calls": [call]})
        lines = [json.loads(line) for line in asked.last.splitlines() if line.startswith('{"source"')]
        bed = next((line["source"] for line in lines if "CozyRest" in line["text"]), 1)
        return f"{PRICE} [{bed}]."

    llm.script = script


def test_an_answer_lists_the_called_tools_and_their_results(root: httpx.Client, llm: FakeOllama) -> None:
    decide(llm, SEARCH)
    answer = root.post("/tenants/kennel/query", json={"question": QUESTION}).json()
    (tool,) = answer["tools"]
    assert (tool["name"], tool["arguments"], tool["error"]) == (SEARCH["tool"], SEARCH["arguments"], None)
    (citation,) = answer["citations"]
    assert (citation["document_id"], citation["version"]) == (tool["source"], 0)
    assert tool["output"][citation["span"]["start"] : citation["span"]["end"]] == citation["quote"]
    assert answer["answer"] == f"{PRICE} [1]."
    without = root.post("/tenants/kennel/query", json={"question": QUESTION, "tools": False}).json()
    assert without["tools"] == []


def test_a_stream_reports_tools_before_its_sources(root: httpx.Client, llm: FakeOllama) -> None:
    decide(llm, SEARCH)
    answer = root.post("/tenants/kennel/query", json={"question": QUESTION, "stream": True})
    found = events_of(answer)
    assert [name for name, _ in found][:3] == ["tools", "sources", "token"]
    assert found[-1][0] == "done"
    assert found[0][1]["tools"] == found[-1][1]["tools"]


def test_a_forbidden_request_is_a_problem_and_not_a_stream(root: httpx.Client, llm: FakeOllama) -> None:
    decide(llm, SEARCH)
    for wrong in ({"as_of": 10**6}, {"filters": {"doc_typ": "breed"}}, {"question": ""}):
        answer = root.post("/tenants/kennel/query", json={"question": QUESTION, "stream": True, **wrong})
        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


def test_the_contract_lists_tools_and_shows_their_results_as_sources(root: httpx.Client, llm: FakeOllama) -> None:
    decide(llm, SEARCH)
    data = root.post("/api/v1/rag/query", json={"question": QUESTION}).json()["data"]
    assert data["answer"] == f"{PRICE} [1]."
    assert data["sources"][0]["source_file"] == "tool:shop/search_products"
    assert "price: 64.90 EUR" in data["sources"][0]["content"]
    (tool,) = data["tools"]
    assert tool.keys() == {"name", "arguments", "ms", "error"}
    assert tool["name"] == "shop/search_products"


def test_the_mcp_answer_includes_the_quotes_of_its_footnotes(root: httpx.Client, llm: FakeOllama) -> None:
    decide(llm, SEARCH)
    reported = called(over_http(f"{str(root.base_url).rstrip('/')}/mcp/kennel"), "answer", question=QUESTION)
    assert reported["citations"][0]["quote"] in reported["tools"][0]["output"]


def test_a_disconnect_stops_the_tool(root: httpx.Client, llm: FakeOllama, shop: ToolServer) -> None:
    decide(llm, {"tool": "shop/slow", "arguments": {}})
    address = urlsplit(str(root.base_url))
    body = json.dumps({"question": QUESTION, "stream": True}).encode()
    head = f"POST /tenants/kennel/query HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
    with socket.create_connection((address.hostname or "", address.port or 0)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert shop.running.wait(30)
    assert shop.cancelled.wait(30)
