"""Logs: each entry with the lines that belong to it, such as a stack trace, is a paragraph; the text is kept."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.reading.code.verbatim import Piece, add_pieces
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

# Colours and cursor movements, as terminals understand them.
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LEVEL = "TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL"
_STAMPED = re.compile(
    r"[\[(<]?(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\w{2,9}[-/.]\d{2,4}|\d\d?:\d\d:\d\d|\w{3} +\d\d? \d\d?:\d\d"
    rf"|(?:{_LEVEL})\b|\d{{10,16}}\b|\S{{1,60}} \S{{1,60}} \S{{1,60}} \[\d\d?/)"
)
_SAMPLE = 200
_STAMPED_SHARE = 0.2


def read(source: Source) -> ParsedDocument:
    """Return the entries."""
    lines = without_escapes(source.text()).split("\n")
    begins = _begins(lines)
    pieces: list[Piece] = []
    open_entry = False
    for number, line in enumerate(lines):
        if not line.strip():
            open_entry = False
        elif begins(line) or not open_entry:
            pieces.append(Piece(number))
            open_entry = True
    draft = Draft()
    add_pieces(draft, lines, pieces, "paragraph")
    return draft.finish(source.format, None)


def without_escapes(text: str) -> str:
    """Return what a terminal shows of a text: without the codes for colours."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def _begins(lines: list[str]) -> Callable[[str], bool]:
    """Return what tells the first line of an entry: a time or a level, where the log writes these."""
    sample = [line for line in lines[:_SAMPLE] if line.strip()]
    stamped = sum(1 for line in sample if _STAMPED.match(line))
    if stamped >= max(1, len(sample) * _STAMPED_SHARE):
        return lambda line: _STAMPED.match(line) is not None
    return lambda line: not line[:1].isspace()
