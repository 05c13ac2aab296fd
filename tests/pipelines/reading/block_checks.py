"""What holds for the blocks of every document, whatever reads it."""

from __future__ import annotations

from itertools import pairwise

from pipelines.types import Block, ParsedDocument


def assert_blocks_fit(document: ParsedDocument) -> None:
    """Check that blocks cover the words of the text in their order, and that headings and blocks tell the same."""
    assert_blocks_cover(document.text, document.blocks)
    titles = {heading.start: heading.title for heading in document.headings}
    for block in document.blocks:
        if block.kind == "heading":
            shown = document.text[block.span.start : block.span.end]
            assert titles.get(block.span.start) == " ".join(shown.split())


def assert_blocks_cover(text: str, blocks: tuple[Block, ...]) -> None:
    """Check that blocks are in order, not empty and apart, and leave out nothing but white space and rules."""
    assert all(0 <= block.span.start < block.span.end <= len(text) for block in blocks)
    assert all(before.span.end <= behind.span.start for before, behind in pairwise(blocks))
    assert all(text[block.span.start : block.span.end].strip() for block in blocks)
    edges = [0, *(edge for block in blocks for edge in (block.span.start, block.span.end)), len(text)]
    left_out = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    assert [part for part in left_out if part.strip("-=+|: \t\n\r\v\f") and part.strip()] == []


def shown_blocks(document: ParsedDocument) -> list[tuple[str, int, str]]:
    """Return the kind, level and text of each block."""
    return [(block.kind, block.level, document.text[block.span.start : block.span.end]) for block in document.blocks]
