"""The order in which documents are offered, in nanoseconds since 1970, never the same twice in one process."""

from __future__ import annotations

import threading
import time

_lock = threading.Lock()
_last = 0
_ahead = 0
"""How far the clock stands behind tickets of earlier processes; 0 unless it was set back."""


def begin_after(moment: int) -> None:
    """Let tickets be later than ``moment``: the clock may have been set back since it was issued."""
    global _ahead  # noqa: PLW0603 - as below
    with _lock:
        _ahead = max(_ahead, moment - time.time_ns())


def ticket() -> int:
    """Return the present moment, later than any returned before."""
    global _last  # noqa: PLW0603 - one order for all tenants of a process
    with _lock:
        _last = max(time.time_ns() + _ahead, _last + 1)
        return _last
