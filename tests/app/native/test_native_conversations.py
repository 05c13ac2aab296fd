"""Conversations over HTTP: started, continued, listed, shown, deleted; and two turns at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.running import events_of, serving
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

PROFILE = "tenant: kennel\nstore: {engine: memory}\n"
LLM = 'llm: {provider: ollama, model: m, base_url: "URL", fallback: error, timeouts: {call_s: 20, token_s: 10}}\n'
DOCUMENTS = {
    "beagle": "Beagles need 60 minutes of exercise a day.\n\nBeagles live for 12 to 15 years.\n",
    "pug": "Pugs need 30 minutes of exercise a day.\n\nPugs live for 13 to 15 years.\n",
}
EXERCISE = "How much exercise does a beagle need?"
AGE = "How long do they live?"

Serve = Callable[..., httpx.Client]


@pytest.fixture
def kennel(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as opened:

        def start(script: Any = None, more: str = "") -> httpx.Client:
            profile = PROFILE + more
            if script is not None:
                fake: FakeOllama = opened.enter_context(ollama_server(script))
                profile += LLM.replace("URL", fake.url)
            client = opened.enter_context(serving(tmp_path, (profile,)))
            client.base_url = client.base_url.join("/tenants/kennel/")
            for name, text in DOCUMENTS.items():
                assert client.post("documents", json={"content": text, "document_id": name}).status_code == 201
            return client

        yield start


def ask(client: httpx.Client, question: str, **said: Any) -> Any:
    answer = client.post("query", json={"question": question, **said})
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(client: httpx.Client, question: str, **said: Any) -> list[tuple[str, Any]]:
    answer = client.post("query", json={"question": question, "stream": True, **said})
    return events_of(answer)


def test_a_conversation_is_started_continued_shown_and_deleted(kennel: Serve) -> None:
    client = kennel()
    name = ask(client, EXERCISE)["conversation_id"]
    second = ask(client, AGE, conversation_id=name)
    assert (second["conversation_id"], second["rewritten_question"]) == (name, f"{AGE} beagle")
    assert "12 to 15 years" in second["answer"]
    found = client.post("search", json={"query": AGE, "conversation_id": name}).json()
    assert (found["rewritten_question"], found["results"][0]["document_id"]) == (f"{AGE} beagle", "beagle")
    shown = client.get(f"conversations/{name}").json()
    assert (shown["title"], shown["length"]) == (EXERCISE, 2)
    turn = shown["turns"][1]
    assert (turn["number"], turn["question"], turn["answer"]) == (2, AGE, second["answer"])
    assert (turn["citations"], turn["answer_id"]) == (second["citations"], second["answer_id"])
    assert "exchange" not in turn
    listed = client.get("conversations").json()
    assert listed["next_cursor"] is None
    assert listed["conversations"] == [{key: value for key, value in shown.items() if key != "turns"}]
    assert client.delete(f"conversations/{name}").json() == {"conversation_id": name, "turns_removed": 2}
    for gone in (client.get(f"conversations/{name}"), client.delete(f"conversations/{name}")):
        assert (gone.status_code, gone.json()["code"]) == (404, "conversation_not_found")


def test_a_question_may_be_a_turn_of_no_conversation(kennel: Serve) -> None:
    client = kennel()
    assert ask(client, EXERCISE, keep_conversation=False)["conversation_id"] is None
    assert events(client, EXERCISE, keep_conversation=False)[-1][1]["conversation_id"] is None
    assert client.get("conversations").json()["conversations"] == []
    body = {"question": EXERCISE, "conversation_id": "walk", "keep_conversation": False}
    refused = client.post("query", json=body)
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (400, "keep_conversation")


def test_an_id_of_the_clients_own_may_hold_slashes(kennel: Serve) -> None:
    client = kennel()
    assert ask(client, EXERCISE, conversation_id="mine/1 ü")["conversation_id"] == "mine/1 ü"
    for path in ("conversations/mine/1 ü", "conversations/mine%2F1%20%C3%BC"):
        assert client.get(path).json()["conversation_id"] == "mine/1 ü"


def test_conversations_are_listed_page_by_page(kennel: Serve) -> None:
    client = kennel()
    for number in range(5):
        ask(client, EXERCISE, conversation_id=f"c{number}")
    seen, cursor = [], None
    while True:
        page = client.get("conversations", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [one["conversation_id"] for one in page["conversations"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == ["c4", "c3", "c2", "c1", "c0"]
    for wrong in ({"limit": 0}, {"limit": 1001}, {"cursor": "x"}, {"cursor": "0001-01-01T00:00:00+14:00 x"}, {"q": 1}):
        assert client.get("conversations", params=wrong).status_code in (400, 422), wrong


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", 7, "\0", ".", ".."])
def test_an_id_that_cannot_be_kept_is_refused(kennel: Serve, name: Any) -> None:
    client = kennel()
    for route, key in (("query", "question"), ("search", "query")):
        refused = client.post(route, json={key: EXERCISE, "conversation_id": name})
        assert refused.status_code in (400, 422)
        assert refused.json()["errors"][0]["path"] == "conversation_id"


def test_a_stream_names_its_conversation_and_is_a_turn_of_it(kennel: Serve) -> None:
    client = kennel()
    name = events(client, EXERCISE)[-1][1]["conversation_id"]
    _, done = events(client, AGE, conversation_id=name)[-1]
    assert (done["conversation_id"], done["rewritten_question"]) == (name, f"{AGE} beagle")
    assert client.get(f"conversations/{name}").json()["length"] == 2


def test_an_error_in_the_middle_of_a_stream_leaves_the_conversation_as_it_was(kennel: Serve) -> None:
    broken: list[bool] = []

    def script(asked: Asked) -> str | Reply:
        return Reply("So it is, and on it goes. " * 20, "error-after-3") if broken else "So it is [1]."

    client = kennel(script, "conversations: {rewrite: rule}\n")
    ask(client, EXERCISE, conversation_id="mine")
    broken.append(True)
    for name, length in (("mine", 1), ("new", None)):
        assert events(client, AGE, conversation_id=name)[-1][0] == "error"
        shown = client.get(f"conversations/{name}")
        assert (shown.status_code, shown.json().get("length")) == ((200, length) if length else (404, None))
    broken.clear()
    ask(client, AGE, conversation_id="mine")
    assert client.get("conversations/mine").json()["length"] == 2


def test_of_two_turns_of_one_conversation_at_once_one_is_refused(kennel: Serve) -> None:
    asked_once, go_on = threading.Event(), threading.Event()

    def script(asked: Asked) -> str:
        if json.dumps(EXERCISE) in asked.last:
            asked_once.set()
            assert go_on.wait(30)
        return "So it is [1]."

    client = kennel(script)
    first: list[Any] = []
    asking = threading.Thread(target=lambda: first.append(ask(client, EXERCISE, conversation_id="mine")))
    asking.start()
    assert asked_once.wait(30)
    for stream in (False, True):
        refused = client.post("query", json={"question": AGE, "conversation_id": "mine", "stream": stream})
        assert (refused.status_code, refused.json()["code"]) == (409, "conversation_busy")
    assert ask(client, AGE, conversation_id="other")["conversation_id"] == "other"
    go_on.set()
    asking.join()
    assert first[0]["conversation_id"] == "mine"
    assert ask(client, AGE, conversation_id="mine")["conversation_id"] == "mine"
    assert client.get("conversations/mine").json()["length"] == 2


def test_a_disconnect_frees_the_conversation(kennel: Serve) -> None:
    left = threading.Event()

    def script(asked: Asked) -> str | Reply:
        return "So it is [1]." if left.is_set() else Reply("So it is, and on it goes. " * 20, "drip-20ms")

    client = kennel(script, "conversations: {rewrite: rule}\n")
    body = {"question": EXERCISE, "conversation_id": "mine", "stream": True}
    with client.stream("POST", "query", json=body) as answer:
        next(answer.iter_lines())
    left.set()
    for _ in range(600):
        again = client.post("query", json={"question": AGE, "conversation_id": "mine"})
        if again.status_code != 409:
            break
    assert again.status_code == 200
    assert client.get("conversations/mine").json()["length"] == 1


def test_the_receipt_of_a_purge_counts_the_turns_that_it_erased(kennel: Serve) -> None:
    client = kennel()
    ask(client, EXERCISE, conversation_id="mine", top_k=1)
    assert client.delete("documents/beagle", params={"purge": True}).json()["turns_erased"] == 1
    [turn] = client.get("conversations/mine").json()["turns"]
    assert (turn["erased"], turn["citations"]) == (True, [])
    assert "60 minutes" not in json.dumps(turn)
