"""Where a chunk may end: between blocks that do not belong together, if possible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipelines.components.sentences import sentence_spans
from pipelines.types import Block, Span


@dataclass(frozen=True, slots=True)
class Breaks:
    """Offsets at which a chunk may end and the next one begin, in order.

    Attributes:
        between_groups: Between blocks that do not belong together, and between the sentences of plain paragraphs.
        between_blocks: Also between the items of a list and the rows of a table, never behind what leads into them.
        anywhere: Also between the sentences and lines of any block.
    """

    between_groups: list[int]
    between_blocks: list[int]
    anywhere: list[int]


def breaks_of(text: str, within: Span, blocks: Sequence[Block]) -> Breaks:
    """Return where a chunk of ``text[within.start:within.end]`` may end; a text without blocks has sentences alone."""
    if not blocks:
        starts = [start for start, _ in sentence_spans(text, within.start, within.end)]
        return Breaks(starts, starts, starts)
    groups, parts, all_ = set[int](), set[int](), set[int]()
    for before, block, after in _with_neighbours(_overlapping(blocks, within)):
        inner = _inner_starts(text, block)
        start = max(block.span.start, within.start)
        all_.update([start, *inner])
        if before is None or not _leads_into(text, before, block):
            parts.add(start)
            if _depth(block) == 0:
                groups.add(start)
        if block.kind != "code" and _depth(block) == 0 and not (after and _leads_into(text, block, after)):
            groups.update(inner)
    return Breaks(sorted(groups), sorted(parts | groups), sorted(all_))


class LeadIns:
    """Which blocks lead into those of a document: of a row the header, of an item what its list begins with."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._starts = [block.span.start for block in blocks]
        self._leads = list(_leads(blocks))

    def into(self, position: int) -> Block | None:
        """Return the block that leads into the one at ``position``."""
        index = bisect_right(self._starts, position) - 1
        return self._leads[index] if index >= 0 else None


def _leads(blocks: Sequence[Block]) -> Iterator[Block | None]:
    """Yield for each block the one that leads into it."""
    above: list[tuple[Block, Block | None]] = []  # ever deeper: the last block of a depth, and the header of its rows
    for block in blocks:
        while above and _depth(above[-1][0]) > _depth(block):
            above.pop()
        header = above.pop()[1] if above and _depth(above[-1][0]) == _depth(block) else None
        if _depth(block) == 0:
            above.clear()
            yield None
        else:
            outer = above[-1][0] if above else None
            yield header if header is not None and block.kind == "row" else outer
        if block.kind != "heading":
            above.append((block, block if block.kind == "header" else header))


def _depth(block: Block) -> int:
    return 0 if block.kind == "heading" else block.level


def _leads_into(text: str, before: Block, block: Block) -> bool:
    """Return whether ``block`` cannot be understood without the block before it."""
    if before.kind in ("heading", "header", "term", "caption"):
        return True
    return _depth(block) > _depth(before) or text[before.span.start : before.span.end].endswith(":")


def _overlapping(blocks: Sequence[Block], within: Span) -> list[Block]:
    first = max(bisect_right(blocks, within.start, key=lambda block: block.span.start) - 1, 0)
    end = bisect_right(blocks, within.end - 1, key=lambda block: block.span.start)
    return [block for block in blocks[first:end] if block.span.end > within.start]


def _with_neighbours(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, Block, Block | None]]:
    around: list[Block | None] = [None, *blocks, None]
    for (before, block), (_, after) in zip(pairwise(around), pairwise(around[1:]), strict=False):
        if block is not None:
            yield before, block, after


def _inner_starts(text: str, block: Block) -> list[int]:
    """Return where sentences, or the lines of code, begin in a block, without its beginning."""
    start, end = block.span.start, block.span.end
    if block.kind != "code":
        return [inner for inner, _ in sentence_spans(text, start, end)][1:]
    return [place + 1 for place in range(start, end - 1) if text[place] == "\n"]
