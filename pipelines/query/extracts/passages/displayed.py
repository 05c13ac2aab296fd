"""Formulas that are displayed: they stand apart from the sentence that they are a part of."""

from __future__ import annotations

import re

from pipelines.components.sentences import word_count
from pipelines.types import Span

_RELATION = re.compile(r"[=\u2192\u221d\u223c\u2243\u2245\u2248\u2260\u2261\u2264\u2265\u226a\u226b]")
_PROSE = re.compile(r"(?:[^\W\d_]{2,}[,;]?\s+){4}[^\W\d_]{2,}")
_MARKUP = re.compile(r'"|</?[a-z]|://', re.IGNORECASE)
"""What stands in tags, settings and addresses, which have an equals sign too."""
_LONGEST = 200
_LEAST_WORDS = 2
"""Of a sentence that goes on with a formula: a title does not."""
_STOPS = ".!?"


def goes_on(text: str, before: Span, behind: Span) -> bool:
    """Return whether a sentence goes on from one stretch of a text to the next: to a formula, or after it."""
    if _is_formula(text, behind):
        return text[before.end - 1] not in _STOPS and word_count(_end_of(text, before)) >= _LEAST_WORDS
    return text[behind.start].islower() and _is_formula(text, before)


def _end_of(text: str, stretch: Span) -> str:
    return text[max(stretch.start, stretch.end - _LONGEST) : stretch.end]


def _is_formula(text: str, stretch: Span) -> bool:
    if stretch.end - stretch.start > _LONGEST or not _RELATION.search(text, stretch.start, stretch.end):
        return False
    return not any(sign.search(text, stretch.start, stretch.end) for sign in (_PROSE, _MARKUP))
