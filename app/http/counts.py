"""Counts of requests: of this process alone, or in a Redis that several server processes share."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping

from limits import RateLimitItem
from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter
from pydantic import SecretStr
from typing_extensions import override

from pipelines.errors import MissingPackage

_WAIT_S = 0.5
"""Seconds that a request waits for Redis at most."""
_PAUSE_S = 5.0
"""Seconds that Redis is left alone after it did not answer."""
_log = logging.getLogger(__name__)


class Counts:
    """A sliding window of one minute for each caller.

    While the shared Redis does not answer, the process counts for itself: no request fails for that.
    """

    def __init__(self, redis_url: SecretStr | None = None) -> None:
        self._own = SlidingWindowCounterRateLimiter(_Memory())
        self._shared = None if redis_url is None else _in_redis(redis_url)
        self._away_until = 0.0  # of the monotonic clock; 0: Redis answers
        self._noting = threading.Lock()

    @property
    def is_shared(self) -> bool:
        """Whether a count may wait for Redis."""
        return self._shared is not None

    def hit(self, most: RateLimitItem, *caller: str) -> float | None:
        """Count a request. Return None if it is within ``most``, else when the window resets (seconds since 1970)."""
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                reset = _hit(self._shared, most, caller)
            except StorageError as error:
                self._note_absence(type(error.storage_error).__name__)
            else:
                self._note_answer()
                return reset
        return _hit(self._own, most, caller)

    def _note_absence(self, reason: str) -> None:
        """Leave Redis alone for a while; say so once, until it answers again."""
        with self._noting:
            was_away, self._away_until = self._away_until > 0, time.monotonic() + _PAUSE_S
        if not was_away:
            _log.warning("Redis does not answer (%s): this process counts requests for itself", reason)

    def _note_answer(self) -> None:
        if self._away_until > 0:
            with self._noting:
                was_away, self._away_until = self._away_until > 0, 0.0
            if was_away:
                _log.info("Redis answers again: server processes count requests together")


class _Memory(MemoryStorage):
    """Counts in memory, of which a hit drops those that have expired, at most once a minute.

    The library's own drops them in a thread that it starts at a hit: the event loop waits until that thread runs.
    """

    _EVERY_S = 60

    def __init__(self) -> None:
        super().__init__()
        self._changing = threading.Lock()
        self._tidied = time.monotonic()

    @override
    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a count, which expires ``expiry`` seconds after it begins; return it."""
        with self._changing:
            self._tidy()
            self.expirations.setdefault(key, time.time() + expiry)
            self.storage[key] += amount
            return self.storage[key]

    def _tidy(self) -> None:
        if time.monotonic() < self._tidied + self._EVERY_S:
            return
        self._tidied = time.monotonic()
        for key in [key for key, until in self.expirations.items() if until <= time.time()]:
            self.clear(key)


def counts_of(urls: Mapping[str, SecretStr | None], own: Counts) -> dict[str, Counts]:
    """Return the counts of each tenant: ``own`` without a URL; tenants with the same URL share one connection."""
    shared = {url: Counts(url) for url in set(urls.values()) - {None}}
    return {tenant: own if url is None else shared[url] for tenant, url in urls.items()}


def _in_redis(url: SecretStr) -> SlidingWindowCounterRateLimiter:
    try:
        storage = storage_from_string(
            url.get_secret_value(),
            wrap_exceptions=True,
            key_prefix="footnote",
            socket_timeout=_WAIT_S,
            socket_connect_timeout=_WAIT_S,
        )
    except ConfigurationError as error:
        raise MissingPackage("redis", "redis") from error
    return SlidingWindowCounterRateLimiter(storage)


def _hit(limiter: SlidingWindowCounterRateLimiter, most: RateLimitItem, caller: tuple[str, ...]) -> float | None:
    return None if limiter.hit(most, *caller) else limiter.get_window_stats(most, *caller).reset_time
