"""Texts that are kept character by character, such as programs and logs: where their blocks begin is all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pipelines.reading.draft import Draft
from pipelines.types import Block, BlockKind, Heading, Span


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of lines that begins at the line ``start``, from 0, and ends where the next one begins.

    ``title`` names it in the outline, if anything does; ``level`` is its depth there, from 0.
    """

    start: int
    level: int = 0
    title: str = ""


def add_pieces(draft: Draft, lines: Sequence[str], pieces: Sequence[Piece], kind: BlockKind) -> None:
    """Append the lines as they are, each piece a block without the blank lines around it.

    Lines before the first piece are one, too. A title makes a heading where its piece begins, or where the next one
    does if it has no lines of its own; its words are the piece's own, so that no line is added.
    """
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    base = starts[first]
    cut = [] if pieces and pieces[0].start <= first else [Piece(first)]
    blocks: list[Block] = []
    headings: list[Heading] = []
    above: list[Piece] = []
    for piece, after in pairwise([*cut, *pieces, Piece(len(lines))]):
        span = _within(lines, starts, max(piece.start, first), after.start)
        above = [*above, piece] if piece.title else above
        if span is None:
            continue
        number, begins, ends = span
        blocks.append(Block(kind, Span(begins - base, ends - base), piece.level, number + 1))
        headings += (Heading(each.level + 1, each.title, begins - base) for each in above)
        above.clear()
    draft.add_blocks("\n".join(lines[first:]).rstrip(), blocks, headings)


def _within(lines: Sequence[str], starts: Sequence[int], start: int, end: int) -> tuple[int, int, int] | None:
    """Return the first line with words, where it begins and where the last one ends; None where all are blank."""
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if start == end:
        return None
    return start, starts[start], starts[end - 1] + len(lines[end - 1].rstrip())
