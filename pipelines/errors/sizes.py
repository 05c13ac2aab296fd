"""Sizes of files as people read them."""

from __future__ import annotations

_UNITS = ("bytes", "kB", "MB", "GB")


def readable_size(size: int) -> str:
    """Return a number of bytes in the largest unit that it fills, with one decimal below 10: ``1.9 MB``."""
    power = next((power for power in (3, 2, 1) if size >= 1000**power), 0)
    value = size / 1000**power
    return f"{round(value, 1 if value < 10 else 0):,g} {_UNITS[power]}"


def readable_sizes(size: int, limit: int) -> tuple[str, str]:
    """Return a size and the limit that it is over; in bytes where they would read the same."""
    read = readable_size(size), readable_size(limit)
    return read if read[0] != read[1] else (f"{size:,} bytes", f"{limit:,} bytes")
