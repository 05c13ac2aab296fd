"""What stands on every page of a site or manual: its motto, its version, its licence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pipelines.components.sentences import word_count
from pipelines.types import Hit, StoredText

_EDGE_BLOCKS = 6
_MOST_WORDS = 30
_FEWEST_DOCUMENTS = 2
_FACT = re.compile(r"(?<!version )(?<!release )(?<![\d.])\d|:", re.IGNORECASE)
"""What a day, an amount or a label has: it may be asked for, however often it stands there."""
_SAME = 0.5
"""The share of two documents' edges that they have in common if one is a copy or another version of the other."""


def repeated_lines(hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> frozenset[str]:
    """Return the short blocks, each as a line, that begin or end several of the documents that ``hits`` are of.

    Copies and versions of one document repeat everything, so they count as one. Days, amounts and labels may be what
    is asked for, and are not among them.
    """
    edges = {hit.document_id: frozenset(_edge(text)) for hit, text in zip(hits, texts, strict=True) if text is not None}
    different: list[frozenset[str]] = []
    for edge in edges.values():
        if not any(_is_same(edge, other) for other in different):
            different.append(edge)
    counted = Counter(line for edge in different for line in edge)
    return frozenset(line for line, documents in counted.items() if documents >= _FEWEST_DOCUMENTS)


def as_line(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def _edge(stored: StoredText) -> Iterator[str]:
    blocks = [block for block in stored.blocks if block.kind != "heading"]
    for block in (*blocks[:_EDGE_BLOCKS], *blocks[-_EDGE_BLOCKS:]):
        line = as_line(stored.text[block.span.start : block.span.end])
        if word_count(line) <= _MOST_WORDS and not _FACT.search(line):
            yield line


def _is_same(edge: frozenset[str], other: frozenset[str]) -> bool:
    return len(edge & other) > _SAME * min(len(edge), len(other))
