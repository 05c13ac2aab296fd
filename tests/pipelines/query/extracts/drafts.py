"""Texts with blocks for tests of extracts, drafted as readers draft them."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.reading.draft import Draft
from pipelines.reading.formats import TEXT
from pipelines.types import Hit, Span, StoredText


def stored(fill: Callable[[Draft], object]) -> StoredText:
    """The text that ``fill`` drafts."""
    draft = Draft()
    fill(draft)
    document = draft.finish(TEXT, None)
    return StoredText(document.text, document.pages, document.headings, document.blocks)


def hit(text: StoredText, said: str = "", score: float = 0.9, document_id: str = "a.md") -> Hit:
    """A hit on the place where ``said`` stands; by default on the whole text."""
    start = text.text.index(said)
    span = Span(start, start + (len(said) or len(text.text)))
    content = text.text[span.start : span.end]
    return Hit(f"{document_id}#{start}", document_id, 1, "Guide", document_id, content, {}, score, {}, span)
