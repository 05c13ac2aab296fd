"""Scans as images: PNG, JPEG and TIFF, whose text is recognised page by page."""

from __future__ import annotations

from pipelines.errors import CorruptDocument, ImageWithoutOcr
from pipelines.reading.draft import Draft
from pipelines.reading.page_text import UnreadPage
from pipelines.reading.plain import plain_blocks
from pipelines.reading.scans import Layer, with_scans
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument


def read(source: Source) -> ParsedDocument:
    """Return what stands on each page; only a TIFF may have several."""
    data, label = source.data(), source.format.label
    if source.ocr is None:
        raise ImageWithoutOcr(f"a {label} file")
    pages = source.ocr.pages_in(data)
    if isinstance(pages, UnreadPage):
        raise CorruptDocument(label, f"{pages.reason}; get a fresh copy and ingest that")
    texts, scan = with_scans([Layer("", lacking=True)] * pages, source.ocr, data, "image")
    draft = Draft()
    for number, text in enumerate(texts, start=1):
        draft.add_page(draft.add_blocks(text, plain_blocks(text)), number)
    return draft.finish(source.format, None, scan=scan)
