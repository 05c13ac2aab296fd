"""How long a connection may stay half-sent: headers as a whole, a body between two of its pieces."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 1_000


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that hangs up on a caller that begins a request and does not finish it."""

    patience_s = 15.0
    _hang_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what was sent; headers must end in time, and a body must go on."""
        super().data_received(data)
        if self.conn.their_state is h11.SEND_BODY:
            self._stop_waiting()
            self._wait()
        elif self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            if self._hang_up is None:
                self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
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
