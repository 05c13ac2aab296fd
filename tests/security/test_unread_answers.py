"""Callers that ask and do not read their answers hold neither connections nor the places of other callers."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack

import httpx
import pytest

from app.http.patience import PatientProtocol
from tests.app.running import Serve

PROFILE = """
tenant: pets
store: {engine: memory}
jobs: {run: worker}
"""
PLACES = 2
DOCUMENTS = 100
NOTE = "n" * 60_000
"""Found with each document: all of them are more than the system keeps on a connection that nobody reads."""
QUESTION = {"question": "Which breed sheds?", "stream": True, "top_k": DOCUMENTS}


@pytest.fixture
def http(serve: Serve) -> httpx.Client:
    """A server whose answers are large, and few of which are written at the same time."""
    http = serve(PROFILE, questions_at_once=PLACES)
    documents = [
        {"document_id": f"d{number}", "content": f"Breed {number} sheds.", "metadata": {"note": NOTE}}
        for number in range(DOCUMENTS)
    ]
    answer = http.post("/tenants/pets/documents", json={"documents": documents})
    assert {document["state"] for document in answer.json()["documents"]} == {"ready"}
    return http


def asking(http: httpx.Client, question: dict[str, object]) -> socket.socket:
    """A connection on which a question was sent, and of whose answer the system keeps little."""
    caller = socket.socket(proto=socket.IPPROTO_TCP)
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    caller.connect((http.base_url.host, http.base_url.port or 0))
    body = json.dumps(question).encode()
    head = f"POST /tenants/pets/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    caller.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
    return caller


def is_cut_off(caller: socket.socket) -> bool:
    """Whether the server hung up before the answer's end."""
    caller.settimeout(30)
    read = b""
    try:
        while piece := caller.recv(1_000_000):
            read = read[-10:] + piece
    except ConnectionError:
        return True
    return not read.endswith(b"0\r\n\r\n")


def test_streams_that_nobody_reads_end_and_leave_their_places(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PatientProtocol, "reading_s", 0.5)
    with ExitStack() as opened:
        callers = [opened.enter_context(asking(http, QUESTION)) for _ in range(PLACES)]
        time.sleep(0.3)
        answer = http.post("/tenants/pets/query", json={**QUESTION, "stream": False, "top_k": 1})
        assert answer.status_code == 200, answer.text
        time.sleep(2)  # one place was enough for that answer, and who reads now is not hung up on
        assert all(map(is_cut_off, callers))


def test_a_whole_answer_that_nobody_reads_is_given_up(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "reading_s", 0.5)
    with asking(http, {**QUESTION, "stream": False}) as caller:
        time.sleep(3)
        assert is_cut_off(caller)


def test_who_reads_slowly_gets_the_whole_answer(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "reading_s", 2.0)
    read = bytearray()
    with asking(http, QUESTION) as caller:
        while not read.endswith(b"\r\n0\r\n\r\n"):
            time.sleep(0.05)  # with the little that the system keeps, all of it takes more than four seconds
            piece = caller.recv(200_000)
            assert piece, "the server hung up"
            read += piece
    assert b"event: done" in read
