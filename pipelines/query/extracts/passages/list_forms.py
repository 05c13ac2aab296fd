"""Forms of lists that say little of the things in them: those with one entry, and those that are shown as names."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice, takewhile

from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import names_in


def has_one_entry(passage: Passage) -> bool:
    """Return whether a list has a single entry, such as a class with its members: it does not say which there are."""
    blocks = passage.stored.blocks
    at = bisect_left(blocks, passage.span.start, key=lambda block: block.span.start)
    within = takewhile(lambda block: block.span.start < passage.span.end, islice(blocks, at, None))
    levels = [block.level for block in within if block.kind == "term"]
    return passage.kind in ("list", "definition") and levels.count(min(levels, default=0)) == 1


def is_of_names(passage: Passage) -> bool:
    """Return whether a list is shown as a line with the names of its entries, and no word of what they are."""
    return passage.kind == "list" and bool(names_in(passage.shown))
