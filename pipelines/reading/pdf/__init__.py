"""PDF by pypdfium2: the text of each page, line by line as it is printed, and the bookmarks as headings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Lock

from pypdfium2 import PdfDocument, PdfiumError

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.draft import Draft
from pipelines.reading.pdf.bookmarks import Bookmark, bookmarks_of, headings_of
from pipelines.reading.pdf.layers import layer_of
from pipelines.reading.pdf.lines import page_text
from pipelines.reading.properties import clean_title, pdf_date
from pipelines.reading.scans import Layer, with_scans
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

# PDFium keeps global state: one thread at a time, over all documents.
_PDFIUM = Lock()
_WRONG_PASSWORD = 4
# A whole file ends with its table of contents; PDFium would rebuild that of a cut one from whatever is left.
_ENDS = (b"%%EOF", b"startxref")
_TAIL = 4096


def read(source: Source) -> ParsedDocument:
    """Return the pages' texts; words broken at a line's end stay broken, for quotes to be verbatim.

    Pages without text are read by text recognition, if there is any.
    """
    data = source.data()
    if not any(mark in data.rstrip(b"\x00 \r\n")[-_TAIL:] for mark in _ENDS):
        raise CorruptDocument("PDF", "it was cut off before its end; get a fresh copy and ingest that")
    with _PDFIUM, _opened(data) as pdf:
        layers = [_layer(pdf, index) for index in range(len(pdf))]
        labels = [pdf.get_page_label(index) or None for index in range(len(pdf))]
        bookmarks, properties = bookmarks_of(pdf), pdf.get_metadata_dict()
    texts, scan = with_scans(layers, source.ocr, data, "pdf")  # which is slow, and draws elsewhere
    draft = Draft()
    spans = [draft.add(text) for text in texts]
    for number, (span, label) in enumerate(zip(spans, labels, strict=True), start=1):
        draft.add_page(span, number, label)
    draft.add_headings(headings_of(bookmarks, texts, spans))
    metadata = {"author": properties.get("Author"), "created": pdf_date(properties.get("CreationDate") or "")}
    return draft.finish(source.format, clean_title(properties.get("Title")) or _only_root(bookmarks), metadata, scan)


@contextmanager
def _opened(data: bytes) -> Iterator[PdfDocument]:
    try:
        pdf = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == _WRONG_PASSWORD:
            raise EncryptedDocument from error
        raise CorruptDocument("PDF", "it is damaged or was cut off; get a fresh copy and ingest that") from error
    with closing(pdf):
        yield pdf


def _layer(pdf: PdfDocument, index: int) -> Layer:
    try:
        with closing(pdf[index]) as page, closing(page.get_textpage()) as textpage:
            return layer_of(page, page_text(textpage))
    except PdfiumError as error:
        raise CorruptDocument("PDF", f"its page {index + 1} is damaged; get a fresh copy and ingest that") from error


def _only_root(bookmarks: list[Bookmark]) -> str | None:
    """Return the bookmark above all others; one of several is a chapter's title, not the document's."""
    roots = [bookmark for bookmark in bookmarks if bookmark.level == 1]
    return roots[0].title if len(roots) == 1 else None
