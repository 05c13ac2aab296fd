"""PDF by pypdfium2: paragraphs, lists, tables and headings, by the positions of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from threading import Lock

from pypdfium2 import PdfDocument, PdfiumError

from pipelines.errors import CorruptDocument, EncryptedDocument
from pipelines.reading.pdf.assembly import assembled
from pipelines.reading.pdf.bookmarks import Bookmark, bookmarks_of
from pipelines.reading.pdf.layers import layer_of
from pipelines.reading.pdf.packing import packed, unpacked
from pipelines.reading.pdf.page import PdfPageParts, parts_of
from pipelines.reading.pdf.pictures import PagePicture, pictures_on
from pipelines.reading.pictures import Gallery
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
_LONG = 200
"""Pages from which a file is worth a second process."""

_ReadPage = tuple[Layer, PdfPageParts, tuple[PagePicture, ...]]


def read(source: Source) -> ParsedDocument:
    """Return what the pages say, in the order of reading, without what repeats at their edges.

    Pages without text are read by text recognition, if there is any.
    """
    data = source.data()
    if not any(mark in data.rstrip(b"\x00 \r\n")[-_TAIL:] for mark in _ENDS):
        raise CorruptDocument("PDF", "it was cut off before its end; get a fresh copy and ingest that")
    with _PDFIUM, _opened(data) as pdf:
        read_pages = _pages(pdf, source)
        labels = [pdf.get_page_label(index) or None for index in range(len(pdf))]
        bookmarks, properties = bookmarks_of(pdf), pdf.get_metadata_dict()
    layers = [layer for layer, _, _ in read_pages]
    texts, scan = with_scans(layers, source.ocr, data, "pdf")  # which is slow, and draws elsewhere
    seen = {number - 1: texts[number - 1] for number in (scan.read if scan else ())}
    pictures = {at: _illustrations(found, at in seen) for at, (_, _, found) in enumerate(read_pages) if found}
    draft, shown = assembled([parts for _, parts, _ in read_pages], labels, bookmarks, seen, pictures)
    metadata = {"author": properties.get("Author"), "created": pdf_date(properties.get("CreationDate") or "")}
    title = clean_title(properties.get("Title")) or _only_root(bookmarks) or shown
    return draft.finish(source.format, title, metadata, scan)


def pages_from(content: bytes, first: int) -> bytes:
    """Return the pages from ``first`` on, packed for the process that reads those before them."""
    with _PDFIUM, _opened(content) as pdf:
        return packed(_page(pdf, index, None)[:2] for index in range(first, len(pdf)))


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


def _pages(pdf: PdfDocument, source: Source) -> list[_ReadPage]:
    """Return all pages; those of the second half of a long file from its helper, if that can read them.

    Pictures are judged in the order of the pages, so a file of which they are kept is read by one process.
    """
    count = len(pdf)
    helper = source.helper if source.gallery is None and count >= _LONG else None
    if helper is None or not helper.begin(count // 2):
        return [_page(pdf, index, source.gallery) for index in range(count)]
    pages = [_page(pdf, index, None) for index in range(count // 2)]
    rest = helper.pages()
    if rest is None:  # which may be the fault of a page: reading it here tells
        return pages + [_page(pdf, index, None) for index in range(count // 2, count)]
    return pages + [(layer, parts, ()) for layer, parts in unpacked(rest)]


def _page(pdf: PdfDocument, index: int, gallery: Gallery | None) -> _ReadPage:
    try:
        with closing(pdf[index]) as page:
            parts = parts_of(page)
            return layer_of(page, parts.letters), parts, pictures_on(page, gallery) if gallery is not None else ()
    except PdfiumError as error:
        raise CorruptDocument("PDF", f"its page {index + 1} is damaged; get a fresh copy and ingest that") from error


def _illustrations(pictures: Sequence[PagePicture], recognised: bool) -> list[PagePicture]:
    """Return the pictures of a page without that of the page itself, where its text was recognised."""
    return [picture for picture in pictures if not (recognised and picture.is_page)]


def _only_root(bookmarks: list[Bookmark]) -> str | None:
    """Return the bookmark above all others; one of several is a chapter's title, not the document's."""
    roots = [bookmark for bookmark in bookmarks if bookmark.level == 1]
    return roots[0].title if len(roots) == 1 else None
