"""Plain text, kept as it is: a line that begins with # is no heading here."""

from __future__ import annotations

from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return the text."""
    return ParsedDocument(source.text(), source.format.media_type)
