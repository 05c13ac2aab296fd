"""Titles of AsciiDoc that stand over a rule of signs, as titles in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_SIGNS = "=-~^+"
"""The signs of rules, by the level of their titles."""
_RULE = re.compile(rf"([{re.escape(_SIGNS)}])\1{{2,}}")
_TITLE = re.compile(r"(?![.\[|*#=-])(?=.*\w).*")
_MOST_APART = 1
"""By how many signs a rule may be longer or shorter than its title; otherwise it opens a block."""
_DELIMITER = re.compile(r"-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3}\S{0,30}|[|,:!]={3,}")
_NO_TEXT = re.compile(r"$|\[.*\]$|\.(?![\s.])|//|:!?\w[\w-]*!?:|\w+::|={1,6}\s|#{1,6}\s")
"""A line that no paragraph goes on behind."""


def with_titles_in_one_line(lines: Sequence[str]) -> Iterator[str]:
    """Yield as many lines, with each title over a rule as one of one line, and a comment for its rule.

    As in Asciidoctor a title begins a block, and none stands in a block between delimiters.
    """
    inside, free, at = "", True, 0
    while at < len(lines):
        line = lines[at].rstrip()
        level = _level(line, lines[at + 1].rstrip()) if free and not inside and at + 1 < len(lines) else 0
        if level:
            yield from (f"{'=' * level} {line}", "//")
        else:
            yield lines[at]
            free = line == inside or _NO_TEXT.match(line) is not None
            inside = _inside(line, inside)
        at += 2 if level else 1


def _level(line: str, rule: str) -> int:
    """Return the level of the title that two lines are, 0 where they are none."""
    if not _RULE.fullmatch(rule) or abs(len(line) - len(rule)) > _MOST_APART or not _TITLE.fullmatch(line):
        return 0
    return _SIGNS.index(rule[0]) + 1


def _inside(line: str, inside: str) -> str:
    """Return the end of the block that the next line stands in, empty where it stands in none."""
    if inside:
        return "" if line == inside else inside
    found = _DELIMITER.fullmatch(line)
    return ("```" if line.startswith("```") else line) if found else ""
