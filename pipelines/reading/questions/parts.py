"""Documents in which questions become headings, each above what answers it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.reading.edits import BETWEEN_BLOCKS, EditedText
from pipelines.types import Block, BlockKind, Heading, ParsedDocument, Span

ASKS = re.compile(r"\?[)\"'\u201d\u2019]?$")
"""The end of a question; the place searched in ends there."""
LONGEST = 200
"""Characters of a question; a longer one is a letter."""
_DEEPEST = 6
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Part:
    """A question or an answer, up to the next one or to the end of its block.

    ``before`` is where the text before it ends, and its label, if that goes: the beginning of the block where it begins
    the block.
    """

    block: int
    before: int
    start: int
    end: int
    asks: bool


def rewritten(document: ParsedDocument, parts: Sequence[Part]) -> ParsedDocument:
    """Return a document in which those of the parts that ask are headings a level below their section, and the others
    blocks of their own.
    """
    levels = {part: level_of_question(document, document.blocks[part.block]) for part in parts if part.asks}
    edited = EditedText(document.text, list(_changes(document, parts)))
    by_block: dict[int, list[Part]] = {}
    for part in parts:
        by_block.setdefault(part.block, []).append(part)
    blocks: list[Block] = []
    for index, block in enumerate(document.blocks):
        pieces = _pieces(block, by_block[index], levels) if index in by_block else [block]
        blocks += (replace(piece, span=edited.span(piece.span)) for piece in pieces)
    asked_at = {document.blocks[asked.block].span.start for asked in levels}
    kept = (replace(one, start=edited.at(one.start)) for one in document.headings if one.start not in asked_at)
    places = ((level, edited.span(Span(asked.start, asked.end))) for asked, level in levels.items())
    titles = (Heading(level, edited.text[place.start : place.end], place.start) for level, place in places)
    return replace(
        document,
        text=edited.text,
        pages=tuple(replace(page, span=edited.span(page.span)) for page in document.pages),
        headings=tuple(sorted((*kept, *titles), key=lambda heading: heading.start)),
        blocks=tuple(blocks),
    )


def level_of_question(document: ParsedDocument, block: Block) -> int:
    """Return the level of a question's heading: a level below the heading above it, that of it if it is a question."""
    if block.kind == "heading":
        return block.level
    at = bisect_left(document.headings, block.span.start, key=lambda heading: heading.start) - 1
    if at < 0:
        return 1
    above = document.headings[at]
    return above.level if ASKS.search(above.title) else min(above.level + 1, _DEEPEST)


def _changes(document: ParsedDocument, parts: Sequence[Part]) -> Iterator[tuple[Span, str]]:
    """Yield what changes in the text: labels go, questions stand on one line, and all parts apart."""
    for part in parts:
        yield _apart(document, part)
        for blank in _BLANKS.finditer(document.text, part.start, part.end) if part.asks else ():
            if blank[0] != " ":
                yield Span(*blank.span()), " "


def _apart(document: ParsedDocument, part: Part) -> tuple[Span, str]:
    begins = part.before == document.blocks[part.block].span.start
    return Span(part.before, part.start), "" if begins else BETWEEN_BLOCKS


def _pieces(block: Block, parts: Sequence[Part], levels: Mapping[Part, int]) -> Iterator[Block]:
    """Yield the blocks that a block with questions and answers becomes."""
    piece = block
    for part in parts:
        if part.before > block.span.start:
            yield replace(piece, span=Span(piece.span.start, part.before))
        kind: BlockKind = "heading" if part.asks else "paragraph"
        piece = replace(block, kind=kind, level=levels.get(part, 0), span=Span(part.start, block.span.end))
    yield piece
