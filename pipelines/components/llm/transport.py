"""The HTTP transport of one language-model call: timeouts, retries and cancellation.

The providers' clients differ in all of this, and give no access to their connections. They get this transport instead.
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

from pipelines.components.http_servers import BROKEN, BUSY, refusal, retrying
from pipelines.components.llm.base import AnyLlm, part_of
from pipelines.components.llm.servers import AWAY, Server, Servers
from pipelines.errors import FootnoteError, LlmTimeout, LlmUnavailable

_MOST_REFUSAL_BYTES = 65_536
_BYTES_FOR_A_START = 1_000_000
_BYTES_PER_TOKEN = 4096  # with everything that a line or an event says around it


class Call(httpx.BaseTransport):
    """Sends one call's requests to ``server``, one of ``servers``; closes the connection when the block ends.

    ``secret`` is the key, which no error may show. ``failure`` keeps our own error, because the providers' clients wrap
    or swallow what is raised here.
    """

    def __init__(self, servers: Servers, server: Server, section: AnyLlm, max_tokens: int) -> None:
        self.failure: FootnoteError | None = None
        self.part = part_of(section)
        self._servers = servers
        self._server = server
        self._section = section
        self.secret = section.api_key.get_secret_value()
        self._bytes_left = _BYTES_FOR_A_START + max_tokens * _BYTES_PER_TOKEN
        self._deadline: float | None = None
        self._timeouts: dict[str, float] = {"connect": section.timeouts.connect_s, "pool": section.timeouts.call_s}
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
        """Close the connection unless the answer is complete, which tells the server to stop."""
        if self._response is not None:
            self._response.close()

    def require_server(self) -> None:
        """Check that the server is reachable before loading anything else; see `Server.require`."""
        self._server.require(self.part, self._section.timeouts.connect_s)

    def cut(self) -> None:
        """Cancel the call from another thread; the waiting thread sees a broken connection."""
        self._is_cut.set()
        if self._socket is not None:
            with suppress(OSError):  # it may have ended already
                # Closing the socket would leave a reading thread blocked; shut it down below TLS.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, with retries while that is safe; the answer's body obeys the timeouts.

        The time runs from the first one: loading a provider's client can take seconds, in which no server was asked.
        """
        if self._deadline is None:
            self._deadline = time.monotonic() + self._section.timeouts.call_s
        request.headers.pop("authorization", None)  # the client may have read one from the environment
        if self.secret:
            request.headers["authorization"] = f"Bearer {self.secret}"
        request.extensions = {**request.extensions, "timeout": self._timeouts, "trace": self._notice}
        response = self._response = self._answered(request)
        if response.status_code >= 300:
            self._fail(
                LlmUnavailable(self.part, refusal(response.status_code, self._refusal_text(response), self.secret))
            )
        self._timeouts["read"] = self._section.timeouts.token_s  # read when the body begins
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
                    self._fail(LlmUnavailable(self.part, "its answer is too long"))
                self._remaining_s()
                yield chunk
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.timeouts.token_s))
        except (httpx.HTTPError, httpx.StreamError):
            self._fail(LlmUnavailable(self.part, "the connection broke in the middle of its answer"))

    def _answered(self, request: httpx.Request) -> httpx.Response:
        """Return the answer. Nothing was read yet, so a refused or lost request may be sent again."""
        try:
            return retrying(self._pause)(self._once, request)
        except httpx.HTTPStatusError as error:
            return error.response
        except BROKEN:
            self._fail(LlmUnavailable(self.part, "the connection broke before it answered"))

    def _pause(self, seconds: float) -> None:
        self._is_cut.wait(min(seconds, self._remaining_s()))

    def _once(self, request: httpx.Request) -> httpx.Response:
        """Return the answer; raise httpx's own errors if another attempt may succeed.

        A failed connection is not retried: an absent server stays absent for longer than the pauses.
        """
        self._timeouts["read"] = self._timeouts["write"] = self._remaining_s()
        began = time.monotonic()
        try:
            response = self._servers.http.send(request, stream=True)
        except httpx.ConnectTimeout:
            self._server.is_away(began)
            self._fail(LlmTimeout(self.part, self._section.timeouts.connect_s))
        except httpx.ConnectError:
            self._server.is_away(began)
            self._fail(LlmUnavailable(self.part, AWAY))
        except httpx.TimeoutException:
            self._fail(LlmTimeout(self.part, self._section.timeouts.call_s))
        except BROKEN:
            if self._is_cut.is_set():
                self._fail(LlmUnavailable(self.part, "the connection broke before it answered"))
            raise
        except (httpx.HTTPError, httpx.InvalidURL):
            self._fail(LlmUnavailable(self.part, "the request cannot be made; see llm -> base_url and api_key"))
        self._server.has_answered()
        if response.status_code in BUSY:
            raise httpx.HTTPStatusError("busy", request=request, response=response)
        return response

    def _notice(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the socket once it is open, and again once TLS wraps it."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._is_cut.is_set():
                self.cut()

    def _refusal_text(self, response: httpx.Response) -> str:
        raw = b""
        try:
            for chunk in response.iter_bytes():
                raw += chunk
                if len(raw) > _MOST_REFUSAL_BYTES:
                    break
        except httpx.HTTPError:  # only the explanation was lost
            return ""
        return raw.decode(errors="replace")

    def _remaining_s(self) -> float:
        assert self._deadline is not None, "a request was sent"
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._fail(LlmTimeout(self.part, self._section.timeouts.call_s))
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
        """Close the connection, unless the answer is complete."""
        self._call.__exit__()
