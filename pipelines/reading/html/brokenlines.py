"""Lists that are written as one paragraph, with a line break before each item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipelines.reading.marks import LABELLED, mark_of, shown_sign

_LEAST_ITEMS = 2


class BrokenLines(NamedTuple):
    """What leads into the items of a paragraph, empty where nothing does, and the items with their signs."""

    lead_in: str
    items: tuple[str, ...]


def broken_lines(text: str) -> BrokenLines | None:
    """Return the list that a paragraph is: its lines begin with marks of one kind, or each with a label of its own.

    A line before them that ends in a colon leads into it. None for lines that are of one text.
    """
    first, *rest = text.split("\n")
    if first.endswith(":") and (items := _items(rest)):
        return BrokenLines(first, items)
    items = _items([first, *rest])
    return BrokenLines("", items) if items else None


def _items(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the items that lines are; none if some line is not one."""
    if len(lines) < _LEAST_ITEMS:
        return ()
    if all(map(LABELLED.match, lines)):
        return tuple(f"- {line}" for line in lines)
    marks = [mark for line in lines if (mark := mark_of(line)) is not None]
    if len(marks) < len(lines) or not marks[0].first or len({(mark.style, mark.form) for mark in marks}) > 1:
        return ()
    marked = zip(marks, lines, strict=True)
    return tuple(shown_sign(mark, line) + line[mark.length :].lstrip() for mark, line in marked)
