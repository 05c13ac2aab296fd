"""What number formats of workbooks show with a value: currencies and units, as ``#,##0.00 "EUR"`` does, and zeros."""

from __future__ import annotations

import re
from datetime import time, timedelta
from functools import lru_cache

_PIECE = re.compile(r'"([^"]*)"|\[\$([^]-]*)[^]]*\]|\\(.)|_.|\*.|\[[^]]*\]|([$€£¥])|([0#?])|.')
_LONGEST = 255
"""Of a number format, in Excel."""
_SIGNS = frozenset("-+() ")
_ON_DIGITS = ("", ".", ":")
"""Signs that stand right behind digits, as in "1.", and nothing at all."""


_BESIDE_DIGITS = re.compile(r'"[^"]*"|\[[^]]*\]|[\\_*].|[^0#?.,E/%]')
"""What stands between and around the places of digits in a number format."""
_PLACES = re.compile(r"(?P<whole>[0#?,]*)(?:\.(?P<decimals>0+)[#?]*)?")
_MOST_PLACES = 30
_PERCENT = re.compile(r"0(?:\.(0+))?%$")
_SCALE = re.compile(r"[0#?](,+)(?:\.|$)")
_CONDITION = re.compile(r"\[[<>=]")
_MINUTES = re.compile(r"mm?:ss(?:\.0{1,3})?")
_BETWEEN_PARTS = re.compile(r'"[^"]*"|\[\$[^]]*\]|\\')
_DURATION = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)


def with_zeros(digits: str, number_format: str) -> str:
    """Return the digits of a positive number with the zeros that its format shows: "18.90", and "00123" of "00000".

    Nothing is rounded, and a format of fractions, powers or shares adds none.
    """
    before, after = _zeros(number_format)
    whole, point, decimals = digits.partition(".")
    if not whole.isdecimal() or (point and not decimals.isdecimal()):
        return digits
    decimals = decimals.ljust(after, "0")
    return whole.zfill(before) + (f".{decimals}" if decimals else "")


@lru_cache(maxsize=1024)
def _zeros(number_format: str) -> tuple[int, int]:
    """Return how many digits a number format shows at least before and behind the point."""
    places = _PLACES.fullmatch(_BESIDE_DIGITS.sub("", _section(number_format)))
    if places is None:
        return 0, 0
    whole = places["whole"]
    leading = len(whole) if whole and set(whole) == {"0"} else 0
    return min(leading, _MOST_PLACES), min(len(places["decimals"] or ""), _MOST_PLACES)


@lru_cache(maxsize=1024)
def unit_of(number_format: str) -> tuple[str, str]:
    """Return what stands before and behind the digits of a positive number; empty where that is no unit.

    One that divides only some numbers, as ``[>=1000]0,"k";0`` does, has none that holds for all.
    """
    before, after, digits = "", "", False
    section = _section(number_format)
    if _CONDITION.search(section) and _scale(section) > 1:
        return "", ""
    for found in _PIECE.finditer(section):
        quoted, currency, escaped, sign, digit = found.groups()
        digits = digits or bool(digit)
        written = quoted or currency or escaped or sign or ""
        if digits:
            after += written
        else:
            before += written
    if not digits:
        return "", ""
    unit = _bare(after)
    return _bare(before), (unit if unit[:1] in _ON_DIGITS else f" {unit}")


@lru_cache(maxsize=1024)
def divisor_of(number_format: str) -> int:
    """Return what a number is divided by when it is shown: a thousand for each comma behind the digits."""
    section = _section(number_format)
    return 1 if _CONDITION.search(section) else _scale(section)


@lru_cache(maxsize=1024)
def percent_places(number_format: str) -> int | None:
    """Return how many decimals a percentage has; None for a format of other numbers."""
    section = _section(number_format)
    found = None if _CONDITION.search(section) else _PERCENT.search(_BESIDE_DIGITS.sub("", section))
    return len(found[1] or "") if found else None


def shows_duration(number_format: str) -> bool:
    """Return whether a format counts hours, minutes or seconds beyond a day's, as ``[h]:mm`` does."""
    return _DURATION.search(_section(number_format)) is not None


def duration(value: timedelta) -> str:
    """Return a length of time in hours, also beyond a day: "30:00:00"."""
    hours, rest = divmod(abs(value), timedelta(hours=1))
    return f"{'-' if value < timedelta() else ''}{hours}:{str(rest).partition(':')[2]}"


def in_minutes(value: time, number_format: str) -> str | None:
    """Return a time as a format of minutes and seconds shows it, "7:03.9"; None for any other format."""
    parts = _BETWEEN_PARTS.sub("", _section(number_format)).lower()
    if _MINUTES.fullmatch(parts) is None:
        return None
    places = len(parts.partition(".")[2])
    ticks = round((value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1_000_000) * 10**places)
    minutes, rest = divmod(ticks, 60 * 10**places)
    seconds, fraction = divmod(rest, 10**places)
    return f"{minutes}:{seconds:02}" + (f".{fraction:0{places}}" if places else "")


def _section(number_format: str) -> str:
    """Return the part of a format that positive numbers have."""
    return number_format[:_LONGEST].split(";", maxsplit=1)[0]


def _scale(section: str) -> int:
    found = _SCALE.search(_BESIDE_DIGITS.sub("", section))
    return 1000 ** len(found[1]) if found else 1


def _bare(written: str) -> str:
    """Return a unit without the spaces around it; none where it is only a sign of the number's own."""
    return "" if _SIGNS.issuperset(written) else written.strip()
