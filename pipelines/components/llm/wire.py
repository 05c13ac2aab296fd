"""One call's way to a language model's server: its timeouts, its retries, and its end.

The clients of the providers know none of this in the same way, and keep their connections where nobody can close them.
They are given this transport instead.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn, Self

import httpx

from pipelines.components.http_servers import ATTEMPTS, BROKEN, BUSY, pause_s, refusal
from pipelines.components.llm.servers import AWAY, Server
from pipelines.errors import FootnoteError, LlmTimeout, LlmUnavailable
from pipelines.profile.llms import LlmSection

_MOST_REFUSAL_BYTES = 65_536
_BYTES_FOR_A_START = 1_000_000
_BYTES_PER_TOKEN = 4096  # with everything that a line or an event says around it


class Call(httpx.BaseTransport):
    """Sends one call's requests to ``server`` by ``http``, and closes the connection when the block ends.

    ``secret`` is the key, which no error may show. ``failure`` is what went wrong, in our words: the providers' clients
    wrap or swallow what is raised here.
    """

    def __init__(self, http: httpx.Client, server: Server, section: LlmSection, max_tokens: int) -> None:
        self.failure: FootnoteError | None = None
        self.part = f"the language model ({section.provider}, {section.model})"
        self._http = http
        self._server = server
        self._section = section
        self.secret = section.api_key.get_secret_value()
        self._bytes_left = _BYTES_FOR_A_START + max_tokens * _BYTES_PER_TOKEN
        self._deadline = time.monotonic() + section.timeout_s
        self._timeouts: dict[str, float] = {"connect": section.connect_timeout_s, "pool": section.timeout_s}
        self._response: httpx.Response | None = None
        self._socket: socket.socket | None = None
        self._is_cut = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        """Closes the connection if the answer is not over, which is how a server learns that it can stop."""
        if self._response is not None:
            self._response.close()

    def require_server(self) -> None:
        """Makes sure that there is a server, before anything else is made ready; see `Server.require`."""
        self._server.require(self.part, self._section.connect_timeout_s)

    def cut(self) -> None:
        """Ends the call from another thread than the one that waits for it, which learns that the connection broke."""
        self._is_cut.set()
        if self._socket is not None:
            with suppress(OSError):  # it may have ended meanwhile
                # Closing it would leave a thread that reads where it is; TLS is not to say goodbye first.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, again where that is safe, and gives an answer whose body obeys the timeouts."""
        request.headers.pop("authorization", None)  # the providers' clients look for keys in the environment
        if self.secret:
            request.headers["authorization"] = f"Bearer {self.secret}"
        request.extensions = {**request.extensions, "timeout": self._timeouts, "trace": self._notice}
        response = self._response = self._answered(request)
        if response.status_code >= 300:
            self._fail(LlmUnavailable(self.part, refusal(response.status_code, self._said(response), self.secret)))
        self._timeouts["read"] = self._section.token_timeout_s  # is looked at when the body is begun
        return httpx.Response(
            response.status_code, headers=response.headers, stream=_Body(self), extensions=response.extensions
        )

    def body(self) -> Iterator[bytes]:
        """The answer's bytes as they arrive."""
        assert self._response is not None
        try:
            for chunk in self._response.iter_raw():
                self._bytes_left -= len(chunk)
                if self._bytes_left < 0:
                    self._fail(LlmUnavailable(self.part, "its answer has no end"))
                if time.monotonic() > self._deadline:
                    self._fail(LlmTimeout(self.part, self._section.timeout_s))
                yield chunk
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.token_timeout_s))
        except (httpx.HTTPError, httpx.StreamError):
            self._fail(LlmUnavailable(self.part, "the connection broke in the middle of its answer"))

    def _answered(self, request: httpx.Request) -> httpx.Response:
        """The server's answer: nothing was said before it, so what is refused or lost may be asked again."""
        for attempt in range(1, ATTEMPTS + 1):
            self._timeouts["read"] = self._timeouts["write"] = self._left_s()
            response = self._once(request, last=attempt == ATTEMPTS)
            if response is not None and (attempt == ATTEMPTS or response.status_code not in BUSY):
                return response
            asked = ""
            if response is not None:
                asked = response.headers.get("retry-after", "")
                response.close()
            self._is_cut.wait(min(pause_s(attempt, asked), self._left_s()))
        raise AssertionError("the last attempt answers or fails")

    def _once(self, request: httpx.Request, *, last: bool) -> httpx.Response | None:
        """The answer, or None where the connection broke before there was one and may be tried again.

        A connection that cannot be made is not tried again: a server that is away is so for longer than a pause.
        """
        began = time.monotonic()
        try:
            response = self._http.send(request, stream=True)
        except httpx.ConnectTimeout:
            self._server.is_away(began)
            self._fail(LlmTimeout(self.part, self._section.connect_timeout_s))
        except httpx.ConnectError:
            self._server.is_away(began)
            self._fail(LlmUnavailable(self.part, AWAY))
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.timeout_s))
        except BROKEN:
            if last or self._is_cut.is_set():
                self._fail(LlmUnavailable(self.part, "the connection broke before it answered"))
            return None
        except (httpx.HTTPError, httpx.InvalidURL):
            self._fail(LlmUnavailable(self.part, "the request cannot be made; see llm -> base_url and api_key"))
        self._server.has_answered()
        return response

    def _notice(self, event: str, info: Mapping[str, Any]) -> None:
        """Learns of the socket when it is opened, and when TLS is put around it."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._is_cut.is_set():
                self.cut()

    def _said(self, response: httpx.Response) -> str:
        raw = b""
        try:
            for chunk in response.iter_bytes():
                raw += chunk
                if len(raw) > _MOST_REFUSAL_BYTES:
                    break
        except httpx.HTTPError:  # what it said of the refusal got lost, not the refusal
            return ""
        return raw.decode(errors="replace")

    def _left_s(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._fail(LlmTimeout(self.part, self._section.timeout_s))
        return left

    def _fail(self, failure: FootnoteError) -> NoReturn:
        self.failure = failure
        raise failure


class _Body(httpx.SyncByteStream):
    """The body of a call's answer."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __iter__(self) -> Iterator[bytes]:
        return self._call.body()

    def close(self) -> None:
        """Closes the connection, unless the answer is over."""
        self._call.__exit__()
