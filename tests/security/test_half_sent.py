"""Requests that are begun and not ended, or are not whole, do not hold connections."""

from __future__ import annotations

import re
import socket
import time

import httpx
import pytest

from app.http.patience import PatientProtocol
from tests.app.running import Serve

PROFILE = "tenant: pets\nstore: {engine: memory}\n"
HEAD = b"POST /tenants/pets/search HTTP/1.1\r\nHost: localhost\r\n"
HALF_SENT = {
    "nothing": b"",
    "half of the headers": HEAD,
    "half of a body": HEAD + b'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"qu',
}


def connection(client: httpx.Client) -> socket.socket:
    return socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=30)


@pytest.mark.parametrize("what", HALF_SENT)
def test_a_half_sent_request_is_hung_up_on(what: str, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 0.5)
    with connection(serve(PROFILE)) as caller:
        caller.sendall(HALF_SENT[what])
        assert caller.recv(1) == b""


def test_dripping_headers_do_not_prolong_it(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 0.5)
    with connection(serve(PROFILE)) as caller:
        caller.sendall(HEAD)
        with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe, by chance
            for _ in range(200):
                caller.sendall(b"X-A: b\r\n")
                time.sleep(0.05)


def test_a_body_that_keeps_arriving_is_awaited(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 0.5)
    body = b'{"question": "x"}'
    head = b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    with connection(serve(PROFILE)) as caller:
        caller.sendall(HEAD + head)
        for number in range(0, len(body), 4):
            time.sleep(0.2)
            caller.sendall(body[number : number + 4])
        assert caller.recv(12).startswith(b"HTTP/1.1 ")


def test_headers_without_an_end_are_refused(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 120)
    with connection(serve(PROFILE)) as caller:
        caller.sendall(HEAD)
        try:
            for _ in range(400):
                caller.sendall(b"X-A: " + b"b" * 1000 + b"\r\n")
            answer = caller.recv(12)
        except ConnectionError:  # it hangs up while there is more to read, which can take the answer with it
            return
    assert answer == b"HTTP/1.1 400"


@pytest.mark.parametrize("hosts", [b"", b"Host: localhost\r\nHost: evil.example\r\n"])
def test_a_request_names_one_host(hosts: bytes, serve: Serve) -> None:
    with connection(serve(PROFILE)) as caller:
        caller.sendall(b"GET /healthz HTTP/1.1\r\n" + hosts + b"\r\n")
        assert caller.recv(12) == b"HTTP/1.1 400"


def test_the_next_request_may_begin_with_a_large_body_s_end(serve: Serve) -> None:
    body = b'{"query": "%s"}' % (b"x" * 70_000)
    head = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    with connection(serve(PROFILE)) as caller:
        caller.sendall(HEAD + head + body + b"GET /healthz HTTP/1.1\r\n")
        time.sleep(0.2)
        caller.sendall(b"Host: localhost\r\nConnection: close\r\n\r\n")
        with caller.makefile("rb") as answers:
            assert re.findall(rb"HTTP/1.1 (\d+)", answers.read()) == [b"422", b"200"]
