"""Makefiles, kept as they are with their comments: cut at their rules, whose targets are headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.reading.code.languages import LONGEST_LINE
from pipelines.reading.code.program import shorter
from pipelines.reading.code.verbatim import Piece, add_pieces
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_NAME = r"(?:[^\s#:=$()&]|\$[({](?:[^(){}]|[({][^(){}]*[)}])*[)}]|\$[^({\s])+"
_RULE = re.compile(rf"(?P<targets>{_NAME}(?:[ \t]+{_NAME})*)[ \t]*&?::?(?![:=])(?P<needs>.*)")
_OF_A_TARGET = re.compile(r"[ \t]*(?:(?:export|override|private)[ \t]+)*[\w.-]+[ \t]*(?:::?:?|[+?!])?=")
"""What stands behind a colon that gives a target a variable of its own, and makes no rule."""
_SPECIAL = re.compile(r"\.[A-Z_]+[ \t]*:")
_DEFINE = re.compile(r"(?:(?:export|override)[ \t]+)*define[ \t]+(?P<name>[^\s=:?+]+)")
_END = re.compile(r"endef\b")
_LONGEST_TITLE = 80


def read(source: Source) -> ParsedDocument:
    """Return the makefile; its headings are the targets of its rules and what it defines over several lines."""
    lines = [line.rstrip() for line in source.text().split("\n")]
    draft = Draft()
    add_pieces(draft, lines, shorter(lines, list(_rules(lines))), "code")
    return draft.finish(source.format, None)


def _rules(lines: Sequence[str]) -> Iterator[Piece]:
    earliest, inside = 0, False
    for number, line in enumerate(lines):
        if inside:
            inside = not _END.match(line)
            continue
        if number and lines[number - 1].endswith("\\"):  # it goes on with the line above
            continue
        shown = line[:LONGEST_LINE]
        defined = _DEFINE.match(shown)
        inside = defined is not None
        title = f"define {defined['name']}" if defined else _target(shown)
        if title:
            yield Piece(_with_comments(lines, number, earliest), title=title)
            earliest = number + 1


def _target(line: str) -> str:
    """Return what a line that begins a rule makes; nothing for any other line."""
    found = None if _SPECIAL.match(line) else _RULE.match(line)
    if found is None or _OF_A_TARGET.match(found["needs"]):
        return ""
    return f"target {' '.join(found['targets'].split())}"[:_LONGEST_TITLE]


def _with_comments(lines: Sequence[str], number: int, earliest: int) -> int:
    """Return where the comments above a rule begin, and what it is declared as, such as ``.PHONY``."""
    while number > earliest and (lines[number - 1].startswith("#") or _SPECIAL.match(lines[number - 1])):
        number -= 1
    return number
