"""Lines of Markdown, and which of them are code."""

from __future__ import annotations

import re
from dataclasses import dataclass

NumberedLine = tuple[int, str]
"""A line with its number in the file, from 1."""

CODE_SPAN = r"(?<!`)(`+)(?!`)[^`]+\1(?!`)"
"""The pattern of code within a line; its group must be the first of the whole pattern."""
_CONTAINERS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")


@dataclass(slots=True)
class Fences:
    """Tells for one line after the other whether it belongs to fenced code."""

    _open: str = ""

    def inside(self, line: str) -> bool:
        """Return whether a line is code, or one of the fences around it."""
        if "```" not in line and "~~~" not in line:
            return bool(self._open)
        content = line[_prefix(line) :].rstrip()
        found = _FENCE.fullmatch(content)
        if self._open:
            if content.startswith(self._open) and not content.strip(self._open[0]):
                self._open = ""
            return True
        self._open = (found[1] or found[2]) if found else ""
        return bool(self._open)


def content_indent(line: str) -> int:
    """Return the column where a line's words begin, behind the sign of a list."""
    return _prefix(line)


def _prefix(line: str) -> int:
    found = _CONTAINERS.match(line)
    return found.end() if found else 0
