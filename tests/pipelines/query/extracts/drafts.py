"""Texts with blocks for tests of extracts, drafted as readers draft them."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.passages.passages import Passage, passages_of
from pipelines.reading.draft import Draft
from pipelines.reading.formats import TEXT
from pipelines.types import Hit, Span, StoredText

LONG = " ".join(f"Sentence number {number} says something about the way a lamp is lit." for number in range(12))
"""More words than an extract of prose may have."""


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


def passages(text: StoredText, said: str = "") -> list[Passage]:
    """The passages that a hit on the place where ``said`` stands leads to."""
    return passages_of([hit(text, said)], [text])


def extract(text: str, title: str = "", headings: tuple[str, ...] = ()) -> Extract:
    """An extract that is shown as it stands."""
    of = Hit("c", "d", 1, title, "s", text, {}, 0.8, {}, Span(0, len(text)), headings=headings)
    return Extract(of, text, of.span, text, headings)
