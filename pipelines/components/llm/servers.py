"""The servers of a profile's language models, and whether they are reachable.

A server is probed before its first call, and again after it was unreachable. If nothing listens, the probe takes less
than a millisecond, and no provider's client is loaded.
"""

from __future__ import annotations

import socket
import threading
import time
from urllib.request import getproxies

import httpx

from pipelines.components.http_servers import add_trace, trusted_certificates
from pipelines.errors import LlmTimeout, LlmUnavailable

AWAY = "no server answers there; is it running?"
_COOLDOWN_FACTOR = 5.0
_LONGEST_COOLDOWN_SECONDS = 30.0


class Server:
    """The server at one address, shared by all calls of a profile."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._reachable = False
        self._probe_from = 0.0
        self._probing = threading.Lock()

    def require(self, part: str, timeout_s: float) -> None:
        """Probe the server unless it answered before. One call probes; others wait for its result.

        After a failed probe, the next one waits five times as long as the probe took, at most half a minute.

        Raises:
            LlmUnavailable: Nothing answers, or nothing did a moment ago.
            LlmTimeout: The connection was not accepted in time.
        """
        with self._probing:
            if self._reachable:
                return
            if time.monotonic() < self._probe_from:
                raise LlmUnavailable(part, AWAY)
            started = time.monotonic()
            try:
                self._probe(timeout_s)
            except TimeoutError:
                self.is_away(started)
                raise LlmTimeout(part, timeout_s) from None
            except OSError:
                self.is_away(started)
                raise LlmUnavailable(part, AWAY) from None

    def has_answered(self) -> None:
        """Record that the server answered."""
        self._reachable = True

    def is_away(self, since: float) -> None:
        """Record that no connection could be made; ``since`` is when the attempt began, on the monotonic clock."""
        now = time.monotonic()
        self._reachable = False
        self._probe_from = now + min(_COOLDOWN_FACTOR * (now - since), _LONGEST_COOLDOWN_SECONDS)

    def _probe(self, timeout_s: float) -> None:
        """Connect and hang up. Skipped behind a proxy, which would accept the connection itself."""
        url = httpx.URL(self._base_url)
        if not getproxies():
            port = url.port or (443 if url.scheme == "https" else 80)
            socket.create_connection((url.host, port), timeout_s).close()


class Servers:
    """The servers that a profile's calls go to.

    Connections are not reused: a call must know its own socket so that it can be cut while it waits, and opening one
    costs nothing compared to a model's answer.
    """

    def __init__(self) -> None:
        self._http: httpx.Client | None = None
        self._by_url: dict[str, Server] = {}
        self._lock = threading.Lock()

    @property
    def http(self) -> httpx.Client:
        """Opens the connections; made for the first of them, since the first of all loads certificates."""
        with self._lock:
            if self._http is None:
                limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
                self._http = httpx.Client(
                    limits=limits, verify=trusted_certificates(), event_hooks={"request": [add_trace]}
                )
            return self._http

    def at(self, base_url: str) -> Server:
        """Return the server at an address."""
        with self._lock:
            return self._by_url.setdefault(base_url, Server(base_url))

    def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            self._http.close()
