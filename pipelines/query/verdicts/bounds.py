"""Whether a number is the least or the most of something: "at least 50", "fewer than 50", "50 or more"."""

from __future__ import annotations

import re
from typing import Literal

Bound = Literal["most", "below", "least", "above"]

_LESS = r"(?:less|fewer|smaller|lower|shorter|lighter|younger|earlier)\s+than"
_MORE = r"(?:more|larger|greater|higher|longer|heavier|older|bigger|later)\s+than"
_BEFORE: tuple[tuple[Bound, str], ...] = (
    ("most", rf"up\s+to|at\s+(?:the\s+)?most|(?:no|not|never|n['\u2019]t)\s+{_MORE}|maximum\s+of|not\s+exceeding"),
    ("least", rf"at\s+(?:the\s+)?least|(?:no|not|never|n['\u2019]t)\s+{_LESS}|minimum\s+of"),
    ("above", rf"{_MORE}|over|above|exceed(?:s|ing)"),
    ("below", rf"{_LESS}|under|below"),
)
_BEHIND: tuple[tuple[Bound, str], ...] = (
    ("least", r"(?:or|and)\s+(?:more|above|over|older|longer|larger|higher|greater|later)"),
    ("most", r"(?:or|and)\s+(?:less|fewer|below|under|younger|shorter|smaller|lower|earlier)"),
)
_BEFORE_A_NUMBER = [(bound, re.compile(rf"\b(?:{form})\s*\Z", re.IGNORECASE)) for bound, form in _BEFORE]
_BEHIND_A_NUMBER = [(bound, re.compile(rf"[\s-]*(?:[^\W\d]+\s+)?{form}\b", re.IGNORECASE)) for bound, form in _BEHIND]
_REACH = 32  # characters
_WORDS = (
    "up to at the most least no not never more less fewer than maximum minimum of exceeding exceeds over above under "
    "below or and larger greater higher longer heavier older bigger later smaller lower shorter lighter younger earlier"
)
WORDS = frozenset(_WORDS.split())
"""The words that say so, in lower case."""


def bound_of(text: str, start: int, end: int) -> Bound | None:
    """Return what the number at ``text[start:end]`` is a bound of; None where it is a number by itself."""
    before, behind = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    found = (bound for bound, form in _BEHIND_A_NUMBER if form.match(behind))
    return next((bound for bound, form in _BEFORE_A_NUMBER if form.search(before)), None) or next(found, None)


def excludes(claimed: Bound | None, stated: Bound | None) -> bool:
    """Return whether a number cannot have both bounds: "at least 50" and "up to 50", "50" and "fewer than 50"."""
    if stated is None:
        return claimed in ("below", "above")
    if claimed is None:
        return stated in ("below", "above")
    return (claimed in ("most", "below")) != (stated in ("most", "below"))
