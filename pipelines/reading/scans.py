"""Pages without text of their own, and what text recognition makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipelines.errors import IllegibleDocument, NoTextLayer, OcrUnavailable
from pipelines.reading.page_text import Kind, PageReader, PageText, UnreadPage
from pipelines.reading.tidying import tidy
from pipelines.types import Scan

_NOT_READ = "it has no text layer, and the profile has nothing that reads images (ocr)"
_REASONS = 3


@dataclass(frozen=True, slots=True)
class Layer:
    """The text layer of a page, and whether more is to be seen on the page than it says."""

    text: str
    lacking: bool


def with_scans(
    layers: Sequence[Layer], ocr: PageReader | None, content: bytes, kind: Kind
) -> tuple[list[str], Scan | None]:
    """Return the text of each page, and what became of those whose layer lacks something.

    What is recognised stands in the place of a layer if it says at least twice as much.

    Raises:
        NoTextLayer: No page has text, and nothing reads them.
        OcrUnavailable, IllegibleDocument: Nor did what reads them find any.
    """
    texts = [layer.text for layer in layers]
    lacking = [page for page, layer in enumerate(layers) if layer.lacking]
    if ocr is None:
        if not any(texts):
            raise NoTextLayer(len(texts))
        unread = {page + 1: _NOT_READ for page in lacking if not texts[page]}
        return texts, Scan(unread=unread) if lacking else None
    found = ocr.read(content, kind, lacking) if lacking else {}
    read = {page: one for page, one in found.items() if isinstance(one, PageText) and _says_more(one, texts[page])}
    unread_pages = {page: one for page, one in found.items() if isinstance(one, UnreadPage)}
    for page, one in read.items():
        texts[page] = tidy(one.text)
    if not any(texts):
        raise _nothing(len(texts), unread_pages)
    return texts, _scan(ocr.name, read, unread_pages) if lacking else None


def _says_more(found: PageText, layer: str) -> bool:
    letters = letters_in(found.text)
    return letters > 0 and letters >= 2 * letters_in(layer)


def letters_in(text: str) -> int:
    """Return how many letters and figures a text has."""
    return sum(map(str.isalnum, text))


def _scan(reader: str, read: Mapping[int, PageText], unread: Mapping[int, UnreadPage]) -> Scan:
    return Scan(
        reader=reader,
        read=tuple(page + 1 for page in read),
        unread={page + 1: one.reason for page, one in unread.items()},
        notes={page + 1: one.note for page, one in read.items() if one.note},
        confidence=_mean(read.values()),
        passing=any(one.passing for one in unread.values()),
    )


def _mean(read: Iterable[PageText]) -> float | None:
    """Return the mean confidence of pages, each weighed by its length."""
    sure = [(one.confidence, len(one.text)) for one in read if one.confidence is not None]
    total = sum(length for _, length in sure)
    return round(sum(confidence * length for confidence, length in sure) / total, 3) if total else None


def _nothing(pages: int, unread: Mapping[int, UnreadPage]) -> OcrUnavailable | IllegibleDocument:
    passing = next((one for one in unread.values() if one.passing), None)
    if passing is not None:
        return OcrUnavailable(passing.reason)
    reasons = [f"page {page + 1}: {one.reason}" for page, one in unread.items()]
    more = [f"{len(reasons) - _REASONS} more"] if len(reasons) > _REASONS else []
    return IllegibleDocument(pages, "; ".join([*reasons[:_REASONS], *more]))
