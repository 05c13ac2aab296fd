"""Roman numerals, as lists are numbered with them."""

from __future__ import annotations

_SIGNS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def roman(number: int) -> str:
    """Return a number as a Roman numeral in small letters; empty for 0."""
    written = ""
    for size, sign in _SIGNS:
        written += sign * (number // size)
        number %= size
    return written
