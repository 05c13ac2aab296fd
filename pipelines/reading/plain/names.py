"""Names that their definitions hang from, as in printed manual pages, and what is no sign of code in a definition."""

from __future__ import annotations

import re

from pipelines.reading.marks import mark_of

_SENTENCE_SIGNS = ".,:;"
_LEAST_WIDTH = 4
"""Columns by which a definition is indented, at least, if its first line is that of the name."""
_MOST_WORDS = 2
_REMARK = re.compile(
    r"(?<=\s)\([a-z]+(?:\s[^()\[\]{};=<>\\]{1,120})?(?:\)|$)|^[^()\[\]{};=<>\\]{1,120}\)(?=[\s.,;:]|$)"
)
"""Words in brackets, maybe up to the end of a line or from its beginning."""


def name_beside(line: str, width: int, below: str) -> str:
    """Return the short name that a line begins with if a sentence stands beside it that goes on below, where lines are
    indented by ``width`` columns more; else an empty string.
    """
    name, said = line[:width].rstrip(), line[width:]
    is_beside = width >= _LEAST_WIDTH and len(name) < width and said[:1].strip() != ""
    is_name = "\t" not in name and len(name.split()) <= _MOST_WORDS and not mark_of(line)
    return name if is_beside and is_name and (said[-1] in _SENTENCE_SIGNS or below[0].islower()) else ""


def without_remarks(line: str) -> str:
    """Return a line of a definition without words in brackets: those of code look different."""
    return _REMARK.sub("", line)
