"""How long a connection may stay half-sent: headers as a whole, a body or an answer between two of its pieces."""

from __future__ import annotations

import asyncio
from typing import Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_CONNECTIONS = 1_000
_MOST_HEAD_BYTES = 64 * 1024
_INVALID = "Invalid HTTP request received."


class _NotOneHost(ValueError):
    """A request names no host, or several; RFC 9112 wants it refused, and the parser does not look."""


class PatientProtocol(HttpToolsProtocol):
    """HTTP/1.1 that hangs up on a caller that begins a request and does not finish it, or does not read its answer."""

    patience_s = 15.0
    reading_s = 60.0  # a slow connection takes what is buffered for it in bursts, seconds apart
    _hang_up: asyncio.TimerHandle | None = None
    _cut_off: asyncio.TimerHandle | None = None
    _expected: Literal["head", "body", "nothing"] = "head"
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # or the end of an answer that nobody reads would wait unnoticed
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what was sent; headers must end in time, and a body must go on."""
        if self._expected == "nothing":  # whatever comes begins another request
            self._expected, self._head_bytes = "head", 0
        self._head_bytes += len(data) if self._expected == "head" else 0
        super().data_received(data)
        if self._expected == "head":
            if self._head_bytes > _MOST_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response(_INVALID)
            elif self._hang_up is None:
                self._wait()
        else:
            self._stop_waiting()
            if self._expected == "body":
                self._wait()

    def on_message_begin(self) -> None:
        """Expect the headers of a request."""
        super().on_message_begin()
        self._expected = "head"

    def on_headers_complete(self) -> None:
        """Answer a request, whose body may follow."""
        if self.parser.get_http_version() == "1.1" and sum(name == b"host" for name, _ in self.headers) != 1:
            raise _NotOneHost
        super().on_headers_complete()
        self._expected, self._head_bytes = "body", 0

    def on_message_complete(self) -> None:
        """Expect no more of this request."""
        super().on_message_complete()
        self._expected = "nothing"

    def pause_writing(self) -> None:
        """Wait for the caller to read on."""
        super().pause_writing()
        self._expect_less(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Go on: everything was taken."""
        self._stop_expecting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        self._stop_expecting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._hang_up = self.loop.call_later(self.patience_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._hang_up is not None:
            self._hang_up.cancel()
            self._hang_up = None

    def _give_up(self) -> None:
        if self.flow.read_paused:  # the server is the one that is slow
            self._wait()
        else:
            self.transport.close()

    def _expect_less(self, unread: int) -> None:
        self._cut_off = self.loop.call_later(self.reading_s, self._look, unread)

    def _look(self, unread: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < unread:
            self._expect_less(left)
        else:
            self.transport.abort()  # closing would wait for the caller

    def _stop_expecting(self) -> None:
        if self._cut_off is not None:
            self._cut_off.cancel()
            self._cut_off = None
