"""What stands above the first heading on every page of a site or manual: its name, its motto, its version."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from pipelines.components.sentences import word_count
from pipelines.types import Hit, StoredText

_MOST_ABOVE = 6
_MOST_WORDS = 30
_FEWEST_DOCUMENTS = 2
_FACT = re.compile(r"(?<!version )(?<!release )(?<![\d.])\d|:", re.IGNORECASE)
"""What a day, an amount or a label has: it may be asked for, however often it stands there."""
_ADDRESS = re.compile(r":?\s*\bhttps?://\S+")
_COMPARED = 12
_SAME = 0.5
"""The share of two documents' first blocks that both have if one is a copy or another version of the other."""


def repeated_lines(hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> frozenset[str]:
    """Return the short blocks, each as a line, above the first heading of several of the documents of ``hits``.

    Copies and versions of one document repeat everything, so they count as one. Days, amounts and labels may be what
    is asked for, and are not among them.
    """
    documents = {hit.document_id: text for hit, text in zip(hits, texts, strict=True) if text is not None}
    above: Counter[str] = Counter()
    bodies: list[frozenset[str]] = []
    for stored in documents.values():
        banner, body = _begun(stored)
        if banner and not any(_is_same(body, other) for other in bodies):
            above.update(banner)
            bodies.append(body)
    return frozenset(line for line, pages in above.items() if pages >= _FEWEST_DOCUMENTS)


def as_line(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def _begun(stored: StoredText) -> tuple[frozenset[str], frozenset[str]]:
    """Return the short lines above a text's first heading, if they are few, and its first blocks below it."""
    first = next((n for n, block in enumerate(stored.blocks) if block.kind == "heading"), None)
    if not first or first > _MOST_ABOVE:
        return frozenset(), frozenset()
    lines = [
        as_line(stored.text[block.span.start : block.span.end])
        for block in islice(stored.blocks, first + _COMPARED)
        if block.kind != "heading"
    ]
    banner = (
        line for line in lines[:first] if word_count(line) <= _MOST_WORDS and not _FACT.search(_ADDRESS.sub("", line))
    )
    return frozenset(banner), frozenset(lines[first:])


def _is_same(body: frozenset[str], other: frozenset[str]) -> bool:
    return len(body & other) > _SAME * min(len(body), len(other))
