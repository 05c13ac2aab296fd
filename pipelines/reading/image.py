"""Images as documents: PNG, JPEG and TIFF, kept as a picture, their text recognised page by page."""

from __future__ import annotations

from pipelines.errors import CorruptDocument, IllegibleDocument, ImageWithoutOcr, OcrUnavailable
from pipelines.reading.draft import Draft
from pipelines.reading.page_text import PageReader, UnreadPage
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.reading.scans import Layer, with_scans
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument, Scan, Span

_NOT_SHOWN = "it cannot be decoded, or has too few or too many pixels; get a fresh copy and ingest that"


def read(source: Source) -> ParsedDocument:
    """Return the picture, if pictures are kept, and what stands on each page; only a TIFF may have several."""
    data, label = source.data(), source.format.label
    picture = source.gallery.add(data) if source.gallery is not None else ""
    if source.ocr is None and source.gallery is None:
        raise ImageWithoutOcr(f"a {label} file")
    texts, scan = _recognised(source.ocr, data, label, has_picture=bool(picture))
    if not picture and not any(texts):
        raise CorruptDocument(label, _NOT_SHOWN)
    draft = Draft()
    shown = draft.add(picture, "picture")
    for number, text in enumerate(texts, start=1):
        span = draft.add_blocks(text, plain_blocks(text))
        draft.add_page(Span(shown.start, span.end) if number == 1 else span, number)
    return draft.finish(source.format, None, scan=scan)


def _recognised(ocr: PageReader | None, data: bytes, label: str, *, has_picture: bool) -> tuple[list[str], Scan | None]:
    """Return the text of each page. A picture may have none; without one, that is an error."""
    if ocr is None:
        return [""], None
    pages = ocr.pages_in(data)
    if isinstance(pages, UnreadPage):
        raise CorruptDocument(label, f"{pages.reason}; get a fresh copy and ingest that")
    try:
        return with_scans([Layer("", lacking=True)] * pages, ocr, data, "image")
    except IllegibleDocument:
        if not has_picture:
            raise
        return [""] * pages, None
    except OcrUnavailable as error:
        if not has_picture:
            raise
        unread = dict.fromkeys(range(1, pages + 1), error.message)
        return [""] * pages, Scan(ocr.name, unread=unread, passing=True)
