"""The numbers in a column of cells, all in one unit: "900 MB" is less than "3 GB", and "45 min" less than "1 h 30"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_NUMBER = re.compile(r"[^\d.,-]{0,5}(-?\d{1,3}(?:[ ,'\u2019]\d{3})+(?:\.\d+)?|-?\d*\.?\d+)\s?([^\d\s]{0,10})")
_APART = re.compile(r"[ ,'\u2019]")
_FREE = re.compile(r"free(?:\s+of\s+charge)?", re.IGNORECASE)
_LASTS = re.compile(r"(\d{1,3})\s?h(?:ours?|rs?)?\s?(\d{1,2})(?:\s?m(?:in(?:utes)?)?)?", re.IGNORECASE)
"""Hours with minutes: "1 h 30"."""
_MOST_CHARS = 40
"""Of a cell that is a number."""
_HOUR = 3600
_SCALES: tuple[Mapping[str, float], ...] = (
    {
        **dict.fromkeys(("ms", "millisecond", "msec"), 0.001),
        **dict.fromkeys(("s", "sec", "second"), 1),
        **dict.fromkeys(("m", "min", "minute"), 60),
        **dict.fromkeys(("h", "hr", "hour"), _HOUR),
        **dict.fromkeys(("d", "day"), 24 * _HOUR),
        **dict.fromkeys(("w", "week"), 7 * 24 * _HOUR),
        **dict.fromkeys(("month",), 365 / 12 * 24 * _HOUR),
        **dict.fromkeys(("y", "yr", "year"), 365 * 24 * _HOUR),
    },
    {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000},
    {"mg": 0.001, "g": 1, "kg": 1000, **dict.fromkeys(("t", "ton", "tonne"), 1_000_000)},
    {
        **dict.fromkeys(("b", "byte"), 1),
        **{f"{prefix}{unit}": 1024**power for power, prefix in enumerate("kmgtp", 1) for unit in ("b", "ib", "")},
    },
    {"ml": 0.001, "cl": 0.01, "l": 1},
    {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    {"": 1, "k": 1e3, "bn": 1e9},
    {"k": 1e3, "m": 1e6, "bn": 1e9},
)
"""Units of one kind each, by what one of them is in the smallest or in the usual one.

The first kind that has all units of a column counts: "1 t" beside "5 g" is a weight. Beside "12", "4 m" may be metres.
"""
_UNITS = frozenset(unit for scale in _SCALES for unit in scale if unit)


def amounts(cells: Sequence[str]) -> list[float | None]:
    """Return the number of each cell, None where it has no number; "free" is 0.

    Where cells have different units, the numbers are in one of them; where they cannot be, there are none.
    """
    found = [_amount(cell) for cell in cells]
    units = {unit for amount in found if amount is not None and amount[0] for unit in amount[1:]}
    if len(units) < 2 or units.isdisjoint(_UNITS):
        return [amount and amount[0] for amount in found]
    scale = next((scale for scale in _SCALES if units <= scale.keys()), None)
    if scale is None:
        return [None] * len(cells)
    return [amount and amount[0] * scale.get(amount[1], 1) for amount in found]


def _amount(cell: str) -> tuple[float, str] | None:
    """Return the number of a cell and its unit in the singular and in small letters."""
    if len(cell) > _MOST_CHARS:
        return None
    if lasting := _LASTS.fullmatch(cell):
        return int(lasting[1]) + int(lasting[2]) * 60 / _HOUR, "h"
    number = _NUMBER.fullmatch(cell)
    if number is None:
        return (0.0, "") if _FREE.fullmatch(cell) else None
    unit = number[2].lower().rstrip(".*")
    return float(_APART.sub("", number[1])), unit if unit in _UNITS else unit.removesuffix("s")
