"""Programs, kept as they are: cut where functions and classes begin, each with the comment above it.

A definition is a heading, so that a citation tells where it stands. Lines and their indentation tell that; a file that
does not parse, or is of another version of its language, is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pipelines.reading.code.languages import LANGUAGES, Language
from pipelines.reading.code.verbatim import Piece, add_pieces
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

LONGEST_PIECE = 60
"""Lines beyond which a piece is cut at a blank line, if it has one."""
MOST_WORDS = 100
"""Words beyond which it is cut so: of code that is longer, no more than its beginning is ever shown."""
# Comments, decorators and attributes, which belong to what stands below them.
_BELONGS_BELOW = re.compile(
    r"\s*(?:#(?!include|define|if|end|pragma)|//|/\*|\*|--|@|\[[\w(: ]+\)?\]|template\s*<|=begin)"
)
_FURTHER_IN = 2
"""So deep definitions are looked for: the methods of a class, and what a class inside a namespace or class holds."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A definition that the lines after it may belong to."""

    indentation: int
    holds: bool


def read(source: Source) -> ParsedDocument:
    """Return the program; its headings are the names of its functions, classes and other types."""
    lines = [line.rstrip() for line in source.text().split("\n")]
    draft = Draft()
    pieces = list(_definitions(lines, LANGUAGES[source.format.label]))
    add_pieces(draft, lines, shorter(lines, pieces), "code")
    return draft.finish(source.format, None)


def shorter(lines: Sequence[str], pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with those that are too long cut at blank lines; the later parts have no title."""
    bounded = [*([] if pieces and pieces[0].start == 0 else [Piece(0)]), *pieces]
    ends = [*(piece.start for piece in bounded[1:]), len(lines)]
    cut: list[Piece] = []
    for piece, end in zip(bounded, ends, strict=True):
        cut.append(piece)
        words = [0, *accumulate(len(line.split()) for line in lines[piece.start : end])]
        gaps = [number for number in range(piece.start, end) if _is_gap(lines, number)]
        for gap, following in pairwise([*gaps, end]):
            begins = cut[-1].start
            is_long = words[following - piece.start] - words[begins - piece.start] > MOST_WORDS
            if is_long or gap - begins >= LONGEST_PIECE:
                cut.append(Piece(gap + 1, piece.level))
    return cut


def _is_gap(lines: Sequence[str], number: int) -> bool:
    return not lines[number].strip() and number + 1 < len(lines) and bool(lines[number + 1].strip())


def _definitions(lines: Sequence[str], language: Language) -> Iterator[Piece]:
    around: list[_Open] = []
    earliest = 0
    for number, line in enumerate(lines):
        words = line.lstrip()
        indentation = len(line) - len(words)
        if words[:1].isidentifier():  # a bracket goes on with what is above it
            around = [one for one in around if one.indentation < indentation]
        found = language.definition(words) if words and not _is_inside(around, indentation) else None
        if found is None:
            continue
        if indentation and not around:
            continue  # in a condition or a block of another kind
        yield Piece(_with_comments(lines, number, earliest), len(around), found.title)
        earliest = number + 1
        around.append(_Open(indentation, found.holds and len(around) < _FURTHER_IN))


def _is_inside(around: Sequence[_Open], indentation: int) -> bool:
    """Return whether a line lies in what holds no definitions, such as a function."""
    return any(one.indentation < indentation and not one.holds for one in around)


def _with_comments(lines: Sequence[str], number: int, earliest: int) -> int:
    while number > earliest and _BELONGS_BELOW.match(lines[number - 1]):
        number -= 1
    return number
