"""Formulas that are displayed: they stand apart from the sentence that they are a part of."""

from __future__ import annotations

import re

from pipelines.types import Span

_RELATION = re.compile(r"[=\u2192\u221d\u223c\u2243\u2245\u2248\u2260\u2261\u2264\u2265\u226a\u226b]")
_PROSE = re.compile(r"(?:[^\W\d_]{2,}[,;]?\s+){4}[^\W\d_]{2,}")
_LONGEST = 200
_STOPS = ".!?"


def goes_on(text: str, before: Span, behind: Span) -> bool:
    """Return whether a sentence goes on from one stretch of a text to the next: to a formula, or after it."""
    if _is_formula(text, behind):
        return text[before.end - 1] not in _STOPS
    return text[behind.start].islower() and _is_formula(text, before)


def _is_formula(text: str, stretch: Span) -> bool:
    if stretch.end - stretch.start > _LONGEST or not _RELATION.search(text, stretch.start, stretch.end):
        return False
    return _PROSE.search(text, stretch.start, stretch.end) is None
