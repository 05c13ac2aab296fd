"""Markdown, kept as it is, frontmatter included: the pipeline reads that later."""

from __future__ import annotations

from pipelines.reading.headings import first_title, markdown_headings
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the text with its headings; the title is the first heading of level 1."""
    text = source.text()
    headings = markdown_headings(text)
    return ParsedDocument(text, source.format.media_type, title=first_title(headings), headings=headings)
