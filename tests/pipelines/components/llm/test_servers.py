"""Whether a language model's server is there, at real ports."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from pipelines.components.llm.servers import Server
from pipelines.errors import LlmTimeout, LlmUnavailable

PART = "the language model"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        yield opened


def server_at(listener: socket.socket) -> Server:
    return Server(f"http://127.0.0.1:{listener.getsockname()[1]}")


def found(server: Server) -> bool:
    """Whether it is there, when it is looked for again."""
    for _ in range(1000):
        try:
            server.require(PART, 0.2)
        except LlmUnavailable:
            time.sleep(0.01)
        else:
            return True
    return False


def test_a_closed_port_is_unavailable_until_a_server_listens(listener: socket.socket) -> None:
    server = server_at(listener)
    for _ in range(3):
        with pytest.raises(LlmUnavailable, match="no server answers there; is it running"):
            server.require(PART, 5)
    listener.listen()
    assert found(server)


def test_a_port_that_takes_no_connection_is_waited_for_once_and_then_left_alone_for_a_while(
    listener: socket.socket,
) -> None:
    server = server_at(listener)
    listener.listen(0)
    with ExitStack() as filling:
        while _joins(filling, listener):
            pass
        with pytest.raises(LlmTimeout):
            server.require(PART, 0.2)
        with pytest.raises(LlmUnavailable):
            server.require(PART, 0.2)
    listener.listen(9)
    assert found(server)


def test_a_server_that_has_answered_is_not_looked_for(listener: socket.socket) -> None:
    server = server_at(listener)
    server.has_answered()
    server.require(PART, 5)
    server.is_away(time.monotonic())
    with pytest.raises(LlmUnavailable):
        server.require(PART, 5)


def test_behind_a_proxy_the_port_is_not_probed(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    server_at(listener).require(PART, 5)


def _joins(filling: ExitStack, listener: socket.socket) -> bool:
    """Takes one more place of those that wait to be accepted, if one is left."""
    one = filling.enter_context(socket.socket())
    one.settimeout(0.2)
    try:
        one.connect(listener.getsockname())
    except TimeoutError:
        return False
    return True
