"""What number formats of workbooks show with a value: currencies and units, as ``#,##0.00 "EUR"`` does, and zeros."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECE = re.compile(r'"([^"]*)"|\[\$([^]-]*)[^]]*\]|\\(.)|_.|\*.|\[[^]]*\]|([$€£¥])|([0#?])|.')
_LONGEST = 255
"""Of a number format, in Excel."""
_SIGNS = frozenset("-+() ")


_BESIDE_DIGITS = re.compile(r'"[^"]*"|\[[^]]*\]|[\\_*].|[^0#?.,E/%]')
"""What stands between and around the places of digits in a number format."""
_PLACES = re.compile(r"(?P<whole>[0#?,]*)(?:\.(?P<decimals>0+)[#?]*)?")
_MOST_PLACES = 30


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
    written = _BESIDE_DIGITS.sub("", number_format[:_LONGEST].split(";", maxsplit=1)[0])
    places = _PLACES.fullmatch(written)
    if places is None:
        return 0, 0
    whole = places["whole"]
    leading = len(whole) if whole and set(whole) == {"0"} else 0
    return min(leading, _MOST_PLACES), min(len(places["decimals"] or ""), _MOST_PLACES)


@lru_cache(maxsize=1024)
def unit_of(number_format: str) -> tuple[str, str]:
    """Return what stands before and behind the digits of a positive number; empty where that is no unit."""
    before, after, digits = "", "", False
    for found in _PIECE.finditer(number_format[:_LONGEST].split(";", maxsplit=1)[0]):
        quoted, currency, escaped, sign, digit = found.groups()
        digits = digits or bool(digit)
        written = quoted or currency or escaped or sign or ""
        if digits:
            after += written
        else:
            before += written
    if not digits:
        return "", ""
    return _bare(before), (f" {_bare(after)}" if _bare(after) else "")


def _bare(written: str) -> str:
    """Return a unit without the spaces around it; none where it is only a sign of the number's own."""
    return "" if _SIGNS.issuperset(written) else written.strip()
