"""The table that a row is of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from pipelines.query.extracts.passages.passages import Passage
from pipelines.types import Block


def whole_table(row: Passage) -> tuple[Block | None, Sequence[Block]]:
    """Return the header, if there is one, and all rows of the table that a row is of."""
    blocks = row.stored.blocks
    at = bisect_right(blocks, row.span.start, key=lambda block: block.span.start) - 1
    first, end = at, at
    while first > 0 and blocks[first].kind == "row":
        first -= 1
    while end < len(blocks) and blocks[end].kind == "row":
        end += 1
    return (blocks[first] if blocks[first].kind == "header" else None), blocks[first + 1 : end]
