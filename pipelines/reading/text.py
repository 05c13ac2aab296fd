"""Plain text, kept as it is: a line that begins with # is no heading here."""

from __future__ import annotations

from pipelines.reading.plain import plain_blocks
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the text with its blocks."""
    text = source.text()
    return ParsedDocument(text, source.format.media_type, blocks=plain_blocks(text))
