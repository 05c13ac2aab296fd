"""Lists whose items are paragraphs with a mark typed before them, as in Word documents: "a.", "(1)", "•"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelines.reading.marks import BOXES, ListLevels, Mark, Style, is_next, mark_of
from pipelines.types import Block, StoredText

_LETTER = re.compile(r"([a-z]{1,4}|[A-Z])(\.)[ \t]+(?=\S)")
_ROMAN = re.compile(r"[ivx]+")


def with_marked_items(stored: StoredText, *, numbered: bool = True) -> StoredText:
    """Return a text in which paragraphs that begin with the marks of a list are its items, also ``numbered`` ones."""
    marks = (_mark(stored.text, block) for block in stored.blocks)
    kept = [mark if mark is None or numbered or mark.style == "bullet" else None for mark in marks]
    return replace(stored, blocks=tuple(_blocks(stored, kept)))


def _blocks(stored: StoredText, marks: Sequence[Mark | None]) -> Iterator[Block]:
    levels: ListLevels | None = None
    for index, (block, mark) in enumerate(zip(stored.blocks, marks, strict=True)):
        leads = index > 0 and stored.text.endswith(":", 0, stored.blocks[index - 1].span.end)
        if mark is None or not (leads or _goes_on(levels, mark) or _has_next(marks, index)):
            levels = levels if block.level else None
            yield block
            continue
        levels = levels or ListLevels()
        yield replace(block, kind="item", level=levels.enter(mark, 0, 1))


def _mark(text: str, block: Block) -> Mark | None:
    if block.kind != "paragraph" or block.level:
        return None
    shown = text[block.span.start : min(block.span.end, block.span.start + 20)]
    found = _LETTER.match(shown)
    if not found:
        return mark_of(shown)
    value = found[1]
    if len(value) > 1 and not _ROMAN.fullmatch(value):
        return None
    style: Style = "roman" if _ROMAN.fullmatch(value) else "letter"
    return Mark(style, "A." if value.isupper() else ".", found.end(), value, first=value in ("a", "A", "i"))


def _goes_on(levels: ListLevels | None, mark: Mark) -> bool:
    return levels is not None and (levels.continues(mark) or levels.continues(mark._replace(style="letter")))


def _has_next(marks: Sequence[Mark | None], index: int) -> bool:
    """Return whether a mark begins a list: the one behind it is the next of its kind."""
    mark, behind = marks[index], marks[index + 1] if index + 1 < len(marks) else None
    if mark is None or behind is None or mark.form != behind.form:
        return False
    if mark.style == behind.style == "bullet":
        return mark.value == behind.value or (mark.value in BOXES and behind.value in BOXES)
    return is_next(mark, behind)
