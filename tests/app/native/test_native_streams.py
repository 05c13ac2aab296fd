"""Answers as server-sent events, over real HTTP, with a stand-in for Ollama that records who went away."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.http import streaming
from tests.app.running import events_of, sent, serving
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server, patience_of

PROFILE = """
tenant: kennel
store: {engine: memory}
llm:
  {provider: ollama, model: MODEL, base_url: "URL", fallback: FALLBACK, timeouts: {call_s: 120, token_s: TOKEN_S}, LLM}
"""
BEAGLE = "Beagles need 60 minutes of exercise a day. A bored beagle howls.\n"
SUPPORTED = "Beagles need 60 minutes of exercise a day [1]. A bored beagle howls [1]. And"
ASKED = {"question": "How much exercise does a beagle need?", "stream": True}

_CHAT = "/openai/v1/chat/completions"
_CHATTED = {"model": "kennel", "messages": [{"role": "user", "content": ASKED["question"]}]}

Serve = Callable[..., tuple[httpx.Client, FakeOllama]]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as opened:

        def start(
            said: str | Reply | None = None,
            model: str = "m",
            fallback: str = "extractive",
            more: str = "",
            llm: str = "",
        ) -> tuple[httpx.Client, FakeOllama]:
            fake = opened.enter_context(ollama_server(None if said is None else lambda asked: said))
            profile = (
                PROFILE.replace("LLM", llm)
                .replace("MODEL", model)
                .replace("URL", fake.url)
                .replace("FALLBACK", fallback)
                .replace("TOKEN_S", patience_of(model))
                + more
            )
            client = opened.enter_context(serving(tmp_path, (profile,)))
            client.base_url = client.base_url.join("/tenants/kennel/")
            assert client.post("documents", json={"content": BEAGLE, "document_id": "b"}).status_code == 201
            return client, fake

        yield start


def events(answer: httpx.Response) -> list[tuple[str, Any]]:
    assert answer.headers["content-type"].startswith("text/event-stream")
    return events_of(answer)


def test_an_answer_comes_as_sources_tokens_citations_and_the_whole(served: Serve) -> None:
    client, _ = served("Beagles need 60 minutes of exercise a day [1].\nThey howl [2].")
    found = events(client.post("query", json=ASKED))
    names = [name for name, _ in found]
    assert (names[0], names[1], names[-1]) == ("sources", "token", "done")
    assert set(names) == {"sources", "token", "citation", "done"}
    done = found[-1][1]
    assert "".join(data["text"] for name, data in found if name == "token") == done["answer"]
    assert [data for name, data in found if name == "citation"] == done["citations"]
    assert found[0][1]["sources"] == done["sources"]
    assert done["removed_citations"] == [2]
    assert done["claims"][0]["evidence"][0]["quote"] == "Beagles need 60 minutes of exercise a day."


def test_the_whole_answer_is_the_same_without_a_stream(served: Serve) -> None:
    client, _ = served("Beagles need 60 minutes [1].")
    streamed = events(client.post("query", json=ASKED))[-1][1]
    at_once = client.post("query", json={**ASKED, "stream": False}).json()
    changing = {"answer_id", "timings_ms", "conversation_id"}
    assert {name: value for name, value in streamed.items() if name not in changing} == {
        name: value for name, value in at_once.items() if name not in changing
    }


def test_a_request_that_cannot_be_answered_is_a_problem_and_no_stream(served: Serve) -> None:
    client, fake = served()
    answer = client.post("query", json={**ASKED, "llm": {"model": "gpt"}})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "llm -> model")
    assert client.post("query", json={**ASKED, "llm": {"modle": "m"}}).status_code == 400
    assert client.post("query", json={**ASKED, "top_k": 0}).status_code == 422
    assert fake.asked == []


@pytest.mark.parametrize(
    ("model", "status", "code"),
    [("crash", 503, "llm_unavailable"), ("cut-after-3", 503, "llm_unavailable"), ("stall-after-2", 504, "llm_timeout")],
)
def test_a_failure_in_the_middle_arrives_as_an_error(served: Serve, model: str, status: int, code: str) -> None:
    client, fake = served(model=model, fallback="error")
    answer = client.post("query", json=ASKED)
    found = events(answer)
    assert (answer.status_code, found[0][0], found[-1][0]) == (200, "sources", "error")
    problem = found[-1][1]
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert fake.url not in answer.text


def test_without_a_stream_the_same_failure_has_its_status(served: Serve) -> None:
    client, _ = served(model="crash", fallback="error")
    answer = client.post("query", json={**ASKED, "stream": False})
    assert (answer.status_code, answer.json()["code"]) == (503, "llm_unavailable")


def test_a_model_that_is_busy_says_when_to_ask_again(served: Serve) -> None:
    client, fake = served(model="slow+m", fallback="error", llm="concurrency: 1, queue: 0")
    reader = _begun(client, b"event: sources")
    while not fake.asked:
        time.sleep(0.01)
    for answer in (
        client.post("query", json=ASKED | {"stream": False}),
        client.post(client.base_url.join(_CHAT), json=_CHATTED),
    ):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert "llm_busy" in answer.text
    reader.close()


def test_extracts_stand_in_for_a_model_that_did_not_begin(served: Serve) -> None:
    client, _ = served(model="crash")
    found = events(client.post("query", json=ASKED))
    assert [name for name, _ in found].count("sources") == 1
    assert (found[-1][0], found[-1][1]["degraded"], found[-1][1]["model"]) == ("done", True, "extractive")


def test_empty_retrieval_streams_an_abstention(served: Serve) -> None:
    client, fake = served()
    client.delete("documents/b")
    found = events(client.post("query", json=ASKED))
    assert [name for name, _ in found] == ["sources", "token", "done"]
    assert (found[-1][1]["abstained"], found[-1][1]["reason"]) == (True, "no_hits")
    assert fake.asked == []


def test_a_heartbeat_keeps_the_stream_alive(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "HEARTBEAT_S", 0.05)
    client, _ = served("Yes [1].", model="slow-1s")
    with client.stream("POST", "query", json=ASKED) as answer:
        assert ": ping" in list(answer.iter_lines())


@pytest.mark.parametrize(
    ("more", "until"), [("", b"event: token"), ("answer: {unsupported: withhold}", b"event: sources")]
)
def test_a_disconnect_stops_the_model(served: Serve, more: str, until: bytes) -> None:
    words = " ".join(f"word{n}" for n in range(5000))
    client, fake = served(Reply(f"{SUPPORTED} {words}", "drip-20ms"), more=more)
    reader = _begun(client, until)
    (asked,) = _soon(fake)
    reader.close()
    assert asked.gone.wait(30)
    assert 0 < len(asked.sent) < 2000


@pytest.mark.parametrize("form", ["text", "json"])
def test_sources_come_before_a_silent_model_and_a_disconnect_stops_it(served: Serve, form: str) -> None:
    client, fake = served(model="slow", more=f"answer: {{format: {form}}}")
    reader = _begun(client, b"event: sources")
    while not fake.asked:
        time.sleep(0.01)
    reader.close()
    assert fake.asked[0].gone.wait(10)  # the model has 120 s for its first token
    assert fake.asked[0].sent == []


def test_a_disconnect_before_a_whole_answer_stops_the_model_and_keeps_the_conversation(served: Serve) -> None:
    client, fake = served(Reply(" ".join(f"word{n}" for n in range(5000)), "drip-20ms"))
    whole = {"question": ASKED["question"], "conversation_id": "walk"}
    reader = sent(client, "query", whole)
    (asked,) = _soon(fake)
    reader.close()
    assert asked.gone.wait(10)
    assert len(asked.sent) < 1000
    fake.script = lambda asked: "60 minutes."
    while (answer := client.post("query", json=whole)).status_code == 409:  # until the turn that was left is over
        time.sleep(0.05)
    assert answer.json()["answer"] == "60 minutes."
    assert len(client.get("conversations/walk").json()["turns"]) == 1


def test_a_disconnect_before_a_silent_model_frees_its_turn(served: Serve) -> None:
    client, fake = served(model="slow")
    reader = sent(client, "query", {"question": ASKED["question"]})
    while not fake.asked:
        time.sleep(0.01)
    reader.close()
    assert fake.asked[0].gone.wait(10)  # the model has 120 s for its first token


def _soon(fake: FakeOllama) -> list[Asked]:
    """What the model was asked, when it has begun to answer."""
    while not (fake.asked and fake.asked[0].sent):
        time.sleep(0.01)
    return fake.asked


def _begun(client: httpx.Client, until: bytes) -> socket.socket:
    """A bare connection on which a stream has begun."""
    reader = sent(client, "query", ASKED)
    came = b""
    while until not in came:
        came += reader.recv(65536)
    return reader
