"""Hits for tests that need no store."""

from __future__ import annotations

import re

from pipelines.types import Hit, Span


def hit(content: str, document_id: str = "a.md", start: int = 0, score: float = 0.9, title: str = "") -> Hit:
    """A chunk that says ``content``."""
    return Hit(
        chunk_id=f"{document_id}#{start}",
        document_id=document_id,
        version=1,
        title=title,
        source=document_id,
        content=content,
        metadata={},
        score=score,
        scores={},
        span=Span(start, start + len(content)),
    )


def words(text: str) -> int:
    """Words, for tokens."""
    return len(re.findall(r"\w+", text))


def terms(text: str) -> frozenset[int]:
    """The longer words of a text, by their hash."""
    return frozenset(hash(word.rstrip("s")) for word in re.findall(r"\w+", text.lower()) if len(word) > 3)
