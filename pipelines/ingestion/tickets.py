"""The order in which documents are offered, in nanoseconds since 1970, never the same twice in one process."""

from __future__ import annotations

import threading
import time

_lock = threading.Lock()
_last = 0


def ticket() -> int:
    """Return the present moment, later than any returned before."""
    global _last  # noqa: PLW0603 - one order for all tenants of a process
    with _lock:
        _last = max(time.time_ns(), _last + 1)
        return _last
