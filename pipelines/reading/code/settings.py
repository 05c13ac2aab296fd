"""Settings files (YAML, TOML, INI), kept as they are with their comments: cut at their sections and stanzas.

What a value means stands in its key and in the comments around it, so that a rendered form would lose both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from pipelines.reading.code.manifests import Part, parts_of, without_rules
from pipelines.reading.code.program import MOST_WORDS, shorter
from pipelines.reading.code.stanzas import COMMENT, stanzas
from pipelines.reading.code.verbatim import Piece, add_pieces
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_KEY = re.compile(r"""(["']?)(?P<name>[^\s"'#&*!|>%@`{}\[\],:-][^"'#:\[\]]{0,80}?)\1\s*:(?:\s|$)""")
"""A key; it may hold braces as paths do: "/berths/{id}"."""
_NESTS = re.compile(r"\s*(?:[&!]\S{1,80}\s*)*(?:[|>][-+0-9]{0,2}\s*)?(?:#.*)?$")
_SECTION = re.compile(r"\[{1,2}\s*(?P<name>[^\[\]]{1,120}?)\s*\]{1,2}\s*(?:[#;].*)?$")
_DEEPEST = 1
"""Of the levels of YAML, from 0, those whose keys are sections."""
_DEEPEST_OF_LONG = 3
"""Of those of a section that is too long to be one: "paths", "/berths" and "post" of an API's description."""


def read(source: Source) -> ParsedDocument:
    """Return the settings; the headings are the names of their sections and settings."""
    lines = [line.rstrip() for line in source.text().split("\n")]
    is_yaml = source.format.label == "YAML"
    parts = parts_of(lines) if is_yaml else []
    bare = without_rules(lines) if parts else lines
    sections = list(_of_parts(bare, parts) if is_yaml else _bracketed(lines))
    draft = Draft()
    add_pieces(draft, bare, shorter(bare, list(stanzas(bare, sections, is_yaml=is_yaml))), "code")
    return draft.finish(source.format, None)


def _bracketed(lines: Sequence[str]) -> Iterator[Piece]:
    earliest = 0
    for number, line in enumerate(lines):
        found = _SECTION.match(line)
        if found:
            yield Piece(_with_comments(lines, number, earliest), 0, found["name"])
            earliest = number + 1


def _of_parts(lines: Sequence[str], parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield the sections of YAML; those of a file of several documents below what names their document."""
    if not parts:
        yield from _of_long(lines, list(_nested(lines)))
        return
    for part in parts:
        yield Piece(part.start, 0, part.name)
        inside = lines[part.start : part.end]
        for piece in _of_long(inside, list(_nested(inside))):
            yield Piece(part.start + piece.start, piece.level + 1, piece.title)


def _nested(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield the keys of YAML that hold others, and single values behind them, which would pass for theirs."""
    open_keys: list[int] = []  # the indentation of each key around a line
    earliest, deepest = 0, -1
    for number, line in enumerate(lines):
        words = line.lstrip()
        indentation = len(line) - len(words)
        if not words or words.startswith("#"):
            continue
        open_keys = [one for one in open_keys if one < indentation]
        is_deep = len(open_keys) > _DEEPEST_OF_LONG
        found = _KEY.match(words) if not is_deep and (not indentation or open_keys) else None
        if found is None:
            continue
        nests = _NESTS.match(words, found.end()) is not None
        if nests or deepest >= len(open_keys):
            yield Piece(_with_comments(lines, number, earliest), len(open_keys), found["name"].strip())
            deepest, earliest = len(open_keys), number + 1
        if nests:
            open_keys.append(indentation)


def _of_long(lines: Sequence[str], sections: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the sections; deep ones only inside of those that were yielded and are too long."""
    words = list(accumulate((len(line.split()) for line in lines), initial=0))
    ends = dict(zip((piece.start for piece in sections), _ends(sections, len(lines)), strict=True))
    around: list[Piece] = []
    for piece in sections:
        while around and around[-1].level >= piece.level:
            around.pop()
        above = around[-1] if around and around[-1].level == piece.level - 1 else None
        is_long = above is not None and words[ends[above.start]] - words[above.start] > MOST_WORDS
        if piece.level <= _DEEPEST or is_long:
            yield piece
            around.append(piece)


def _ends(sections: Sequence[Piece], last: int) -> list[int]:
    """Return the line at which each section ends: where one begins that is not inside of it."""
    ends = [last] * len(sections)
    open_ones: list[int] = []
    for at, piece in enumerate(sections):
        while open_ones and sections[open_ones[-1]].level >= piece.level:
            ends[open_ones.pop()] = piece.start
        open_ones.append(at)
    return ends


def _with_comments(lines: Sequence[str], number: int, earliest: int) -> int:
    while number > earliest and COMMENT.match(lines[number - 1]):
        number -= 1
    return number
