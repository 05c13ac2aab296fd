"""Answers that are given again, and what is asked most and in vain, over real HTTP, also under keys held to a scope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.running import events_of, serving
from tests.fakes.ollama import FakeOllama, ollama_server

PROFILE = """
tenant: kennel
store: {engine: memory}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
llm: {provider: ollama, model: m, base_url: "URL"}
answer: {cache: {mode: exact}}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: fed, secret: "${FED_KEY}", role: writer, scope: {suite: fed}}
    - {name: corp, secret: "${CORP_KEY}", role: reader, scope: {suite: corp}}
"""
CANARY = "CANARY-7731"
QUESTION = "How much exercise does a beagle need?"
SECRETS = {name: f"{name}-secret-of-16-characters" for name in ("ops", "fed", "corp")}


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeOllama]:
    with ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as fake:
        yield fake


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, fake: FakeOllama) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        for name, secret in SECRETS.items():
            patch.setenv(f"{name.upper()}_KEY", secret)
        with serving(tmp_path_factory.mktemp("stats"), (PROFILE.replace("URL", fake.url),)) as client:
            client.base_url = client.base_url.join("/tenants/kennel/")
            document = {"content": "Beagles need 60 minutes of exercise a day.", "metadata": {"level": "platform"}}
            assert client.post("documents", json=document, headers=key("ops")).status_code == 201
            yield client


def key(name: str) -> dict[str, str]:
    return {"X-API-Key": SECRETS[name]}


def ask(server: httpx.Client, name: str, question: str = QUESTION, **asked: Any) -> dict[str, Any]:
    answer = server.post("query", json={"question": question, **asked}, headers=key(name))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def stats(server: httpx.Client, name: str, **asked: int) -> dict[str, Any]:
    return dict(server.get("stats", params=asked, headers=key(name)).json())


def test_an_answer_that_is_given_again_says_so_whole_and_streamed(server: httpx.Client, fake: FakeOllama) -> None:
    before = len(fake.asked)
    assert not ask(server, "ops")["cached"]
    again = ask(server, "ops", conversation_id="walk")
    assert (again["cached"], list(again["timings_ms"]), again["conversation_id"]) == (True, ["cache"], "walk")
    streamed = server.post("query", json={"question": QUESTION, "stream": True}, headers=key("ops"))
    events = events_of(streamed)
    assert [name for name, _ in events] == ["sources", "token", "citation", "token", "done"]
    done = events[-1][1]
    assert done["cached"]
    assert "".join(data["text"] for name, data in events if name == "token") == done["answer"] == again["answer"]
    assert len(fake.asked) == before + 1
    assert stats(server, "ops")["answer_cache"]["hits"] == 2


def test_figures_are_of_the_own_scope(server: httpx.Client) -> None:
    secret = f"What is {CANARY}?"
    document = {"content": f"{CANARY} is secret.", "document_id": "s", "metadata": {"level": "suite", "suite": "fed"}}
    assert server.post("documents", json=document, headers=key("fed")).status_code == 201
    assert CANARY in str(ask(server, "fed", secret))
    assert ask(server, "fed", secret)["cached"]
    ask(server, "fed", secret, filters={"suite": "none"})
    before = stats(server, "corp")
    answer = ask(server, "corp", secret)
    assert (answer["cached"], CANARY in str(answer)) == (False, False)
    assert CANARY not in str(before)
    assert before["answer_cache"] == {"mode": "exact", "hits": 0, "misses": 0, "entries": 0, "bytes": 0}
    own = stats(server, "fed")
    assert [(one["question"], one["count"]) for one in own["top_questions"]] == [(secret, 3)]
    assert (own["answer_cache"]["hits"], own["answer_cache"]["entries"]) == (1, 1)
    assert [(one["question"], one["reason"], one["count"]) for one in own["unanswered"]] == [
        (secret, "filtered_out", 1)
    ]
    assert secret in str(stats(server, "ops"))


def test_as_many_questions_are_listed_as_are_asked_for(server: httpx.Client) -> None:
    for number in range(2):
        ask(server, "ops", f"Question {number}?")
    assert len(stats(server, "ops", most=1)["top_questions"]) == 1
    assert stats(server, "ops", most=0)["top_questions"] == []
    refused = server.get("stats", params={"most": 1001}, headers=key("ops"))
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (400, "most")
