"""Bodies made to keep the server busy are refused before they are built."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest

from app.mcp import transports
from tests.app.running import serving

PROFILE = "tenant: pets\nstore: {engine: memory}\n"
DOCUMENTS = "/tenants/pets/documents"
JSON = {"Content-Type": "application/json"}


def integers(count: int) -> str:
    return "[" + "1," * (count - 1) + "1]"


BODIES: dict[str, Callable[[], str]] = {
    "a list where a text belongs": lambda: f'{{"content": {integers(6_000_000)}}}',
    "integers in metadata": lambda: f'{{"content": "x", "metadata": {{"a": {integers(12_000_000)}}}}}',
    "unknown keys": lambda: json.dumps({f"key{number}": 1 for number in range(60_000)}),
    "small documents": lambda: json.dumps({"documents": [{"content": "x"}] * 200_000}),
    "empty lists": lambda: "[" + "[]," * 1_000_000 + "[]]",
    "nested lists": lambda: "[" * 200_000,
}


@pytest.fixture(scope="module")
def pets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("bodies"), (PROFILE,)) as client:
        yield client


@pytest.mark.parametrize("attack", BODIES)
@pytest.mark.timeout(60)
def test_a_body_of_too_many_values_is_refused_before_it_is_read(attack: str, pets: httpx.Client) -> None:
    answer = pets.post(DOCUMENTS, content=BODIES[attack](), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "json_invalid")
    [problem] = answer.json()["errors"]
    assert problem["message"] in (
        "holds more than 100,000 values and keys",
        "nested deeper than 64 levels",
    )


def test_an_object_of_too_many_keys_is_refused(pets: httpx.Client) -> None:
    body = json.dumps({f"key{number}": 1 for number in range(1_001)})
    [problem] = pets.post(DOCUMENTS, content=body, headers=JSON).json()["errors"]
    assert problem["message"] == "an object holds more than 1,000 keys"


def test_punctuation_inside_texts_is_not_counted(pets: httpx.Client) -> None:
    text = r'Say "yes, no": [maybe] {or} \" not \\, ' * 20_000
    answer = pets.post(DOCUMENTS, content=json.dumps({"content": text}), headers=JSON)
    assert answer.status_code == 201


def test_json_may_hold_one_document_of_the_largest_text_and_no_more(pets: httpx.Client) -> None:
    answer = pets.post(DOCUMENTS, content=b'"' + b"a" * 40_000_000 + b'"', headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")


@pytest.mark.timeout(30)
def test_a_long_key_is_not_compared_at_length(pets: httpx.Client) -> None:
    body = json.dumps({("k" * 500_000 + str(number)): 1 for number in range(50)})
    answer = pets.post(DOCUMENTS, content=body, headers=JSON)
    assert answer.json()["code"] == "request_malformed"


@pytest.mark.parametrize("attack", BODIES)
def test_a_message_of_the_model_context_protocol_is_bounded_alike(attack: str, pets: httpx.Client) -> None:
    accepted = {**JSON, "Accept": "application/json, text/event-stream"}
    answer = pets.post("/mcp/pets", content=BODIES[attack]()[:900_000], headers=accepted)
    assert (answer.status_code, answer.json()["code"]) == (400, "json_invalid")


def test_a_message_of_the_model_context_protocol_is_built_off_the_servers_event_loop(
    pets: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, threads = transports.build_server, []
    monkeypatch.setattr(
        transports, "build_server", lambda *parts: threads.append(threading.current_thread().name) or build(*parts)
    )
    serving = {thread.name for thread in threading.enumerate() if "AnyIO" not in thread.name}
    accepted = {**JSON, "Accept": "application/json, text/event-stream"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert pets.post("/mcp/pets", json=asked, headers=accepted).status_code == 200
    assert threads
    assert not serving & set(threads)
