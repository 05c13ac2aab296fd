"""A program that draws one page of a PDF with a passage marked.

It runs apart, because a PDF may be hostile. Run by its path, it imports nothing of Footnote. Standard input is a line
of JSON, then the PDF; standard output is a line of JSON, ``{"marked_at"}``, then a PNG::

    {"page": from 1, "quote", "dpi", "pixels", "memory", "seconds"}
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from ctypes import byref, c_int
from difflib import SequenceMatcher
from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL import Image
    from pypdfium2 import PdfPage, PdfTextPage

_INCH = 72  # PDF's points in one
_YELLOW = (255, 232, 130)
_LEAST = 8  # letters that must agree for a part of the quote to be marked
_MOST = 4000  # letters of the quote that are looked for
_MOST_PAIRS = 40_000_000  # of letters of the page and of the quote, which take some seconds to compare
_ENOUGH = 0.5  # of the quote's letters
_MARGIN = 2  # pixels around a line


class Box(NamedTuple):
    """A rectangle of the picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


def main() -> None:
    """Draw the page that standard input names."""
    head, _, pdf = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    _bound(asked["memory"], asked["seconds"])
    picture, marked_at = _drawn(pdf, asked)
    written = BytesIO()
    picture.save(written, "PNG", compress_level=6)
    sys.stdout.buffer.write(json.dumps({"marked_at": marked_at}).encode() + b"\n" + written.getvalue())


def _bound(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # not a Unix; the time is kept by the parent
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _drawn(pdf: bytes, asked: dict[str, Any]) -> tuple[Image.Image, float | None]:
    from pypdfium2 import PdfDocument

    page = PdfDocument(pdf)[asked["page"] - 1]
    if 0 in page.get_size():  # its crop box lies beside the page: it is shown as if it had none
        page.set_cropbox(*page.get_mediabox())
    width, height = page.get_size()
    scale = min(asked["dpi"] / _INCH, sqrt(asked["pixels"] / (width * height)))
    picture = page.render(scale=scale).to_pil().convert("RGB")
    text = page.get_textpage()
    indices = _found(text, asked["quote"])
    lines = _lines(_boxes(page, text, indices, picture.size))
    boxes = [box for box in lines if _is_on(picture, box)]
    top = min((max(box.top, 0) for box in boxes), default=None)
    return _marked(picture, boxes), None if top is None else top / picture.height


def _found(text: PdfTextPage, quote: str) -> list[int]:
    """Return the characters of the page that are the quote's; none where less than half of it stands there."""
    letters, indices = _letters(text)
    wanted = _plain(quote)[:_MOST]
    start = letters.find(wanted) if wanted else -1
    if start >= 0:
        return indices[start : start + len(wanted)]
    wanted = wanted[: _MOST_PAIRS // max(len(letters), 1)]
    blocks = SequenceMatcher(None, letters, wanted, autojunk=False).get_matching_blocks()
    parts = [block for block in blocks if block.size >= _LEAST]
    if sum(part.size for part in parts) < _ENOUGH * len(wanted):
        return []
    return [index for part in parts for index in indices[part.a : part.a + part.size]]


def _letters(text: PdfTextPage) -> tuple[str, list[int]]:
    """Return the page's letters and figures, and for each the number of its character."""
    from pypdfium2 import raw

    found, indices = [], []
    for index in range(text.count_chars()):
        for letter in _plain(chr(raw.FPDFText_GetUnicode(text, index))):
            found.append(letter)
            indices.append(index)
    return "".join(found), indices


def _plain(text: str) -> str:
    """Return the letters and figures of a text, without case and ligatures: spaces and hyphens differ between both."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _boxes(page: PdfPage, text: PdfTextPage, indices: list[int], size: tuple[int, int]) -> Iterator[Box]:
    for index in indices:
        left, bottom, right, top = text.get_charbox(index, loose=True)
        corners = [_pixel(page, x, y, size) for x, y in ((left, bottom), (right, top))]
        xs, ys = zip(*corners, strict=True)
        yield Box(min(xs), min(ys), max(xs), max(ys))


def _pixel(page: PdfPage, x: float, y: float, size: tuple[int, int]) -> tuple[int, int]:
    """Return where a point of the page is in the picture, whichever way the page is turned and cut."""
    from pypdfium2 import raw

    across, down = c_int(), c_int()
    raw.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, byref(across), byref(down))
    return across.value, down.value


def _is_on(picture: Image.Image, box: Box) -> bool:
    """Return whether a box is to be seen: text may stand outside of what the page shows."""
    return box.right > 0 and box.bottom > 0 and box.left < picture.width and box.top < picture.height


def _lines(boxes: Iterator[Box]) -> Iterator[Box]:
    """Join the boxes of characters that follow each other in a line."""
    line: Box | None = None
    for box in boxes:
        if line is not None and _continues(line, box):
            line = Box(line.left, min(line.top, box.top), box.right, max(line.bottom, box.bottom))
            continue
        if line is not None:
            yield line
        line = box
    if line is not None:
        yield line


def _continues(line: Box, box: Box) -> bool:
    overlap = min(line.bottom, box.bottom) - max(line.top, box.top)
    height = max(box.bottom - box.top, 1)
    return overlap > height / 2 and line.right - height <= box.left <= line.right + 3 * height


def _marked(picture: Image.Image, boxes: list[Box]) -> Image.Image:
    from PIL import Image, ImageChops, ImageDraw

    paper = Image.new("RGB", picture.size, "white")
    drawing = ImageDraw.Draw(paper)
    for box in boxes:
        drawing.rectangle((box.left - _MARGIN, box.top, box.right + _MARGIN, box.bottom), fill=_YELLOW)
    return ImageChops.multiply(picture, paper)


if __name__ == "__main__":
    main()
