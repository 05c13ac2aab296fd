"""A circuit breaker for model servers: one failing call may take minutes."""

from __future__ import annotations

import logging
import threading
import time

_MOST_FAILURES = 3
_OPEN_SECONDS = 30.0
_log = logging.getLogger(__name__)


class CircuitBreaker:
    """Opens for half a minute after three failed calls in a row. Thread-safe; calls themselves run side by side.

    Args:
        name: What is protected, for the log.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether calls must be skipped now."""
        return time.monotonic() < self._open_until

    def record_success(self) -> None:
        """Record a successful call."""
        with self._lock:
            self._failures = 0

    def record_failure(self) -> None:
        """Record a failed call."""
        with self._lock:
            self._failures += 1
            opens = self._failures >= _MOST_FAILURES
            if opens:
                self._open_until = time.monotonic() + _OPEN_SECONDS
                self._failures = 0
        if opens:
            _log.warning("%s failed %d times in a row; not called for %g s", self._name, _MOST_FAILURES, _OPEN_SECONDS)
