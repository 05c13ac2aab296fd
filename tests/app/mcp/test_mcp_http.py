"""The Model Context Protocol over real HTTP, asked by the official client: tools, errors, keys and scopes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError

from tests.app.mcp.talking import called, over_http, refused, talk
from tests.app.running import serving
from tests.fakes.ollama import ollama_server

KENNEL = """
tenant: kennel
title: the kennel
store: {engine: memory}
jobs: {run: worker}
metadata: {fields: {species: {type: keyword, values: [dog, cat]}, year: {type: integer}}}
"""
CORTX = """
tenant: cortx
store: {engine: memory}
jobs: {run: worker}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword, values: [fed, corp]}
  hierarchy: {level: level, path: [suite]}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: fed, secret: "${FED_KEY}", role: reader, scope: {suite: fed}}
"""
WRITTEN = """
tenant: written
store: {engine: memory}
jobs: {run: worker}
llm: {provider: ollama, model: crash, base_url: "URL", fallback: error}
"""
BEAGLE = "Beagles need 60 minutes of exercise a day. They howl."
QUESTION = "How much exercise does a beagle need?"

At = Callable[..., Any]


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as environment, ollama_server() as fake:
        environment.setenv("OPS_KEY", "ops")
        environment.setenv("FED_KEY", "fed")
        profiles = (KENNEL, CORTX, WRITTEN.replace("URL", fake.url))
        with serving(tmp_path_factory.mktemp("mcp"), profiles) as http:
            for tenant, document_id, content, metadata in (
                ("kennel", "dogs/beagle.md", BEAGLE, {"species": "dog"}),
                ("kennel", "dogs/beagle.md", f"{BEAGLE} A lot.", {"species": "dog"}),
                ("kennel", "cats/manx.md", "A manx has no tail.", {"species": "cat"}),
                ("cortx", "fed", "The ledger is reconciled daily.", {"level": "suite", "suite": "fed"}),
                ("cortx", "corp", "The ledger is reconciled weekly.", {"level": "suite", "suite": "corp"}),
                ("written", "b", BEAGLE, {}),
            ):
                body = {"content": content, "document_id": document_id, "metadata": metadata}
                answer = http.post(f"/tenants/{tenant}/documents", json=body, headers={"Authorization": "Bearer ops"})
                assert answer.status_code == 201, answer.text
            yield http


@pytest.fixture
def at(http: httpx.Client) -> At:
    """A connection to a tenant's server."""
    return lambda tenant="kennel", key=None: over_http(f"{str(http.base_url).rstrip('/')}/mcp/{tenant}", key)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_are_listed_with_their_input_and_output_schemas(at: At, mode: str) -> None:
    async def ask(client: Client) -> Any:
        return client.instructions, (await client.list_tools()).tools

    instructions, tools = talk(at(), ask, mode=mode)
    assert [tool.name for tool in tools] == ["search", "answer", "list_documents", "get_document"]
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools)
    assert [tool.input_schema["required"] for tool in tools if "required" in tool.input_schema] == [
        ["query"],
        ["question"],
        ["document_id"],
    ]
    assert all(tool.output_schema["type"] == "object" for tool in tools)
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert "The documents of the kennel." in instructions
    assert "- species: keyword, one of dog, cat\n- year: integer" in instructions


def test_search_returns_passages_with_their_places(at: At) -> None:
    reported = called(at(), "search", query=QUESTION, top_k=1, filters={"species": "dog"})
    (hit,) = reported["results"]
    assert (hit["document_id"], hit["version"], hit["span"]["start"]) == ("dogs/beagle.md", 2, 0)
    assert "60 minutes" in hit["content"]


def test_answer_returns_citations_with_verbatim_quotes(at: At) -> None:
    reported = called(at(), "answer", question=QUESTION)
    assert reported["abstained"] is False
    citation = reported["citations"][0]
    read = called(
        at(),
        "get_document",
        document_id=citation["document_id"],
        version=citation["version"],
        start=citation["span"]["start"],
        characters=citation["span"]["end"] - citation["span"]["start"],
    )
    assert read["content"] == citation["quote"]
    assert (read["end"], read["characters"]) == (citation["span"]["end"], len(f"{BEAGLE} A lot."))


def test_an_answer_starts_no_conversation_as_no_call_could_go_on_with_it(http: httpx.Client, at: At) -> None:
    called(at(), "answer", question=QUESTION)
    assert http.get("/tenants/kennel/conversations").json()["conversations"] == []


def test_results_are_also_text_for_clients_without_structured_output(at: At) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool("list_documents", {"limit": 1})

    result = talk(at(), ask)
    assert json.loads(result.content[0].text) == result.structured_content


def test_documents_are_listed_page_by_page_and_read_whole(at: At) -> None:
    first = called(at(), "list_documents", limit=1)
    second = called(at(), "list_documents", limit=1, cursor=first["next_cursor"])
    assert first["total"] == 2
    assert {page["documents"][0]["document_id"] for page in (first, second)} == {"dogs/beagle.md", "cats/manx.md"}
    assert called(at(), "get_document", document_id="dogs/beagle.md", version=1)["content"] == BEAGLE


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("get_document", {"document_id": "dogs/poodle.md"}, 'no document "dogs/poodle.md"'),
        ("search", {"query": "x", "filter": {}}, 'did you mean "filters"?'),
        ("search", {"query": "x", "filters": {"specie": "dog"}}, 'did you mean "species"?'),
        ("search", {}, "query: must be given"),
        ("search", {"query": "x", "mode": "dens"}, 'did you mean "dense"?'),
        ("search", {"query": "x", "top_k": "many"}, "top_k: "),
        ("answer", {"question": " "}, "question: "),
        ("list_documents", {"limit": 0}, "limit: "),
    ],
)
def test_errors_are_reported_in_plain_words(at: At, tool: str, arguments: dict[str, Any], reason: str) -> None:
    reported = refused(at(), tool, **arguments)
    assert reason in reported
    assert "pydantic" not in reported


def test_an_unknown_tool_is_named_with_the_nearest(at: At) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match='did you mean "search"'):
            await client.call_tool("serch", {})
        with pytest.raises(MCPError, match=r'there is no tool "order"\. There are search, '):
            await client.call_tool("order", {})

    talk(at(), ask)


def test_internal_details_stay_in_the_log(at: At) -> None:
    reported = refused(at("written"), "answer", question=QUESTION)
    assert "127.0.0.1" not in reported
    assert "log" in reported


def test_a_key_is_required_and_decides_what_is_visible(http: httpx.Client, at: At) -> None:
    for key in (None, "wrong"):
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        answer = http.post("/mcp/cortx", content="{nonsense", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert called(at("cortx", "ops"), "list_documents")["total"] == 2
    held = at("cortx", "fed")
    assert [found["document_id"] for found in called(held, "list_documents")["documents"]] == ["fed"]
    reported = called(at("cortx", "fed"), "search", query="When is the ledger reconciled?", scope={"suite": "corp"})
    assert reported["results"] == []
    assert "corp" not in refused(at("cortx", "fed"), "get_document", document_id="corp").replace('"corp"', "")
    assert http.post("/mcp/kennel/", content="{}").status_code == 404
    assert http.get("/mcp/kennel").status_code == 405


def test_instructions_do_not_name_the_places_of_a_hierarchy(at: At) -> None:
    async def ask(client: Client) -> Any:
        return client.instructions

    instructions = talk(at("cortx", "fed"), ask)
    assert "corp" not in instructions
    assert "A scope names values of suite" in instructions


def test_foreign_pages_and_large_bodies_are_refused(http: httpx.Client) -> None:
    assert http.post("/mcp/kennel", content="{}", headers={"Origin": "https://example.org"}).status_code == 421
    assert http.post("/mcp/kennel", content=b" " * 3_000_000).status_code == 413


def test_a_request_without_a_message_is_the_callers_fault(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    assert http.post("/mcp/kennel", content=b"", headers=headers).status_code == 400
