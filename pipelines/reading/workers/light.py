"""What is read without a child process: small files of plain formats, whose readers are quick whatever they hold.

``tests/pipelines/reading/test_light_files.py`` measures the bound.
"""

from __future__ import annotations

from pipelines.reading import source_of
from pipelines.reading.formats import CODE, LOG, MARKDOWN, SETTINGS, TEXT
from pipelines.reading.page_text import PageReader
from pipelines.reading.source import Source

LIGHT_BYTES = 32_768
_MOST_SIGNS = 500
"""Of links and tags: some parsers take a time that grows with the square of their number."""
_LIGHT = frozenset((MARKDOWN, TEXT, LOG, *SETTINGS, *CODE))


def light_source(
    content: bytes | str, name: str | None, media_type: str | None, ocr: PageReader | None
) -> Source | None:
    """Return a content with its format if it is read in this process, else None.

    Raises:
        UnreadableDocument: It is small, and not what it is called, or of no known format.
    """
    if len(content) > LIGHT_BYTES or _signs(content) > _MOST_SIGNS:
        return None
    source = source_of(content, name=name, media_type=media_type, ocr=ocr)
    return source if source.format in _LIGHT else None


def _signs(content: bytes | str) -> int:
    if isinstance(content, str):
        return content.count("[") + content.count("<")
    return content.count(b"[") + content.count(b"<")
