"""The currencies and units that number formats of workbooks show beside a value, as ``#,##0.00 "EUR"`` does."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECE = re.compile(r'"([^"]*)"|\[\$([^]-]*)[^]]*\]|\\(.)|_.|\*.|\[[^]]*\]|([$€£¥])|([0#?])|.')
_LONGEST = 255
"""Of a number format, in Excel."""
_SIGNS = frozenset("-+() ")


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
