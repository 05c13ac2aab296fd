"""The servers of a profile's language models: whether anything is there.

A server is looked for before it is first asked, and again after it was away: where nothing listens that takes less than
a millisecond, and nothing of a provider's client need be loaded.
"""

from __future__ import annotations

import socket
import threading
import time
from urllib.request import getproxies

import httpx

from pipelines.errors import LlmTimeout, LlmUnavailable

AWAY = "nothing answers there; is it running?"
_REST = 5.0
_LONGEST_REST_S = 30.0


class Server:
    """One address, as all calls of a profile see it."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._there = False
        self._looked_for_from = 0.0
        self._looking = threading.Lock()

    def require(self, part: str, timeout_s: float) -> None:
        """Looks for a server that has not answered yet, or was away; one call looks, and others wait for what it sees.

        One that is away is not looked for again until five times as long has gone by as it took to find out, half a
        minute at most.

        Raises:
            LlmUnavailable: Nothing is there, or was a moment ago.
            LlmTimeout: Whatever is there did not take the connection.
        """
        with self._looking:
            if self._there:
                return
            if time.monotonic() < self._looked_for_from:
                raise LlmUnavailable(part, AWAY)
            started = time.monotonic()
            try:
                self._knock(timeout_s)
            except TimeoutError:
                self.is_away(started)
                raise LlmTimeout(part, timeout_s) from None
            except OSError:
                self.is_away(started)
                raise LlmUnavailable(part, AWAY) from None

    def has_answered(self) -> None:
        """Notes that the server is there."""
        self._there = True

    def is_away(self, since: float) -> None:
        """Notes that no connection could be made; ``since`` is when that was begun, by the monotonic clock."""
        now = time.monotonic()
        self._there = False
        self._looked_for_from = now + min(_REST * (now - since), _LONGEST_REST_S)

    def _knock(self, timeout_s: float) -> None:
        """Connects and goes away again; through a proxy, where it is the proxy that is there, this tells nothing."""
        url = httpx.URL(self._base_url)
        if not getproxies():
            port = url.port or (443 if url.scheme == "https" else 80)
            socket.create_connection((url.host, port), timeout_s).close()


class Servers:
    """The servers that a profile's calls go to.

    No connection is kept for the next call: a call is told of its own when it is made, so that it can be cut while it
    waits, and making one is nothing beside what a model takes.

    Attributes:
        http: Makes the connections.
    """

    def __init__(self) -> None:
        self.http = httpx.Client(limits=httpx.Limits(max_connections=None, max_keepalive_connections=0))
        self._by_url: dict[str, Server] = {}
        self._lock = threading.Lock()

    def at(self, base_url: str) -> Server:
        """The server of an address."""
        with self._lock:
            return self._by_url.setdefault(base_url, Server(base_url))

    def close(self) -> None:
        """Gives all connections back."""
        self.http.close()
