"""A text with other words at some places, and where its places are now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.types import Span

BETWEEN_BLOCKS = "\n\n"


@dataclass(frozen=True, slots=True)
class _Edit:
    """A stretch of the text before (``start`` to ``end``), and where what stands there now begins and ends."""

    start: int
    end: int
    new_start: int
    new_end: int


class EditedText:
    """A text with other words at some places, none of which overlap, and where its places are now."""

    def __init__(self, text: str, changes: Sequence[tuple[Span, str]]) -> None:
        parts: list[str] = []
        self._edits: list[_Edit] = []
        at = length = 0
        for span, words in changes:
            end = span.end + (len(BETWEEN_BLOCKS) if not words and text.startswith(BETWEEN_BLOCKS, span.end) else 0)
            kept = text[at : span.start]
            parts += [kept, words]
            length += len(kept) + len(words)
            self._edits.append(_Edit(span.start, end, length - len(words), length))
            at = end
        self.text = ("".join(parts) + text[at:]).rstrip("\n")
        self._starts = [edit.start for edit in self._edits]

    def at(self, place: int) -> int:
        """Return where a place of the text is now; one within an edit is at its beginning, or at its end."""
        before = bisect_right(self._starts, place) - 1
        if before < 0:
            return min(place, len(self.text))
        edit = self._edits[before]
        if place < edit.end:
            return min(edit.new_start, len(self.text))
        return min(edit.new_end + place - edit.end, len(self.text))

    def span(self, span: Span) -> Span:
        """Return where a stretch of the text is now."""
        return Span(self.at(span.start), max(self.at(span.end), self.at(span.start)))
