"""OpenPharma's document: its example, and the fields that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from tests.app.contracts.openpharma.library import library
from tests.app.contracts.published import require, shape_of
from tests.fakes.ollama import Asked, FakeOllama, ollama_server

TEXT, COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
MAY_LACK = {"type": ["string", "null"]}
AUTHORS = {"type": ["array", "null"], "items": TEXT}
SEARCH_RESULT = shape_of(
    {
        "chunk_id": TEXT,
        "document_id": TEXT,
        "section": {"type": "string"},
        "content": TEXT,
        "similarity_score": SHARE,
        "title": TEXT,
        "source_id": TEXT,
    },
    authors=AUTHORS,
    publication_date=MAY_LACK,
    journal=MAY_LACK,
    doi=MAY_LACK,
)
CITATION = shape_of(
    {"number": {"type": "integer", "minimum": 1}, "title": TEXT, "source_id": TEXT, "chunk_id": TEXT},
    authors=AUTHORS,
    publication_date=MAY_LACK,
)
ANSWER_RESULT = shape_of(
    {
        "query": TEXT,
        "answer": TEXT,
        "citations": {"type": "array", "items": CITATION},
        "chunks_used": {"type": "array", "items": SEARCH_RESULT},
        "llm_provider": {"enum": ["ollama", "openai"]},
        "generation_time_ms": COUNT,
        "conversation_id": TEXT,
    }
)
FOUND = shape_of({"query": TEXT, "results": {"type": "array", "items": SEARCH_RESULT}})
EXAMPLE = {
    "query": "What are GLP-1 agonists used for in diabetes treatment?",
    "top_k": 10,
    "llm_provider": "ollama",
}
SAID = (
    "GLP-1 agonists are used for type 2 diabetes treatment [1][2]. "
    "They provide weight loss benefits [1] and cardiovascular protection [3]."
)


SLOW = "What is metformin taken for?"
asked_slowly, go_on = Event(), Event()


def script(asked: Asked) -> str:
    if SLOW in asked.last:
        asked_slowly.set()
        assert go_on.wait(30)
    if "standalone" in asked.last or "rewrite" in asked.last.lower():
        return "What are the side effects of metformin?"
    return SAID


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeOllama]:
    with ollama_server(script) as fake:
        yield fake


@pytest.fixture(scope="module")
def client(fake: FakeOllama, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    # The model says the same whatever it is given; what no source says is to be seen all the same.
    with library(tmp_path_factory.mktemp("openpharma"), fake.url, unsupported="annotate") as client:
        yield client


def ask(client: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = client.post("/ask", json=asked)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    require(ANSWER_RESULT, body)
    return body


def test_the_example_of_a_question(client: httpx.Client) -> None:
    body = ask(client, **EXAMPLE)
    assert body["query"] == EXAMPLE["query"]
    assert body["answer"] == SAID
    assert [citation["number"] for citation in body["citations"]] == [1, 2, 3]
    assert {citation["chunk_id"] for citation in body["citations"]} <= {one["chunk_id"] for one in body["chunks_used"]}
    assert (body["llm_provider"], body["model"], body["llm_generated"]) == ("ollama", "llama3.1:8b", True)
    assert len(body["chunks_used"]) == 10


def test_an_answer_by_openai(client: httpx.Client, fake: FakeOllama) -> None:
    body = ask(client, query="Which HbA1c diagnoses diabetes?", llm_provider="openai")
    assert (body["llm_provider"], body["model"]) == ("openai", "gpt-4")
    assert fake.asked[-1].path == "/v1/chat/completions"


def test_a_request_can_ask_the_model_for_json(client: httpx.Client, fake: FakeOllama) -> None:
    client.post("/ask", json={**EXAMPLE, "format": "json"})
    assert isinstance(fake.asked[-1].form, dict)
    client.post("/ask", json=EXAMPLE)
    assert not fake.asked[-1].form
    assert client.post("/ask", json={**EXAMPLE, "format": "xml"}).status_code == 400


def test_every_claim_is_verified_against_its_citations(client: httpx.Client) -> None:
    claims = ask(client, **EXAMPLE)["claims"]
    assert {claim["verdict"] for claim in claims} <= {"supported", "partial", "unsupported"}
    assert claims[0]["citations"] == [1, 2]


def test_a_search(client: httpx.Client) -> None:
    answer = client.post("/search", json={"query": "cardiovascular outcomes", "top_k": 3})
    assert answer.status_code == 200
    body = answer.json()
    require(FOUND, body)
    assert body["query"] == "cardiovascular outcomes"
    scores = [result["similarity_score"] for result in body["results"]]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


def test_a_search_returns_ten_by_default(client: httpx.Client) -> None:
    assert len(client.post("/search", json={"query": "insulin"}).json()["results"]) == 10


def test_a_follow_up_is_completed_and_appended_to_the_earlier_messages(client: httpx.Client, fake: FakeOllama) -> None:
    first = ask(client, query="What is metformin?")
    sent_first = fake.asked[-1].messages
    second = ask(client, query="What about side effects?", conversation_id=first["conversation_id"])
    sent = fake.asked[-1].messages
    assert second["conversation_id"] == first["conversation_id"]
    assert "metformin" in second["rewritten_question"].lower()
    assert second["chunks_used"][0]["title"] == "Metformin in type 2 diabetes"
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[:2] == sent_first
    assert sent[2]["content"] == SAID
    assert fake.asked[-1].body["keep_alive"] == -1


def test_a_busy_conversation_refuses_a_second_question(client: httpx.Client) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask, client, query=SLOW, conversation_id="busy")
        assert asked_slowly.wait(30)
        second = client.post("/ask", json={"query": "What about side effects?", "conversation_id": "busy"})
        go_on.set()
        assert first.result(30)["answer"] == SAID
    assert (second.status_code, second.json()["code"]) == (409, "conversation_busy")
    assert "409" in client.get("/openapi.json").json()["paths"]["/ask"]["post"]["responses"]


def test_the_commands_of_the_page_work_as_written(client: httpx.Client) -> None:
    page = (Path(__file__).parents[4] / "docs" / "contracts" / "openpharma.md").read_text(encoding="utf-8")
    commands = re.findall(r"^curl -s localhost:8000(\S+) .*?-d '(.*?)'$", page, re.MULTILINE | re.DOTALL)
    assert [path for path, _ in commands] == ["/ask", "/search"]
    for path, body in commands:
        answer = client.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 200, answer.text
        assert answer.json().get("results") or answer.json()["citations"]
