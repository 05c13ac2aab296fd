"""The pictures on the pages of a PDF, and their captions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pypdfium2 import PdfImage, PdfiumError, PdfPage, raw

from pipelines.reading.pdf.flow import BuiltBlock
from pipelines.reading.pdf.lines import Line
from pipelines.reading.pictures import MOST_PIXELS, Gallery

if TYPE_CHECKING:
    from PIL import Image

_DEPTH = 4
_MOST_ON_A_PAGE = 500
_LEAST_POINTS = 36.0
"""Half an inch: smaller ones are signs."""
_WHOLE_PAGE = 0.8
_NEAR = 48.0
_CAPTION = re.compile(r"(?:figures?|figs?|abb(?:ildung)?|bild|photo|image|picture|plate|chart|diagram)\b\.?\s*\d", re.I)
_PHOTOS = frozenset({"DCTDecode", "JPXDecode"})


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture on a page: the text of its block, its edges as a reader has them (down is more), and whether it covers
    the page.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    is_page: bool


def pictures_on(page: PdfPage, gallery: Gallery) -> tuple[PagePicture, ...]:
    """Return the pictures of a page that are kept, from top to bottom."""
    found = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEPTH)
    placed = (_placed(image, page, gallery) for image in islice(found, _MOST_ON_A_PAGE))
    return tuple(sorted(filter(None, placed), key=lambda one: (one.top, one.left)))


def _placed(image: PdfImage, page: PdfPage, gallery: Gallery) -> PagePicture | None:
    try:
        left, bottom, right, top = image.get_bounds()
        if min(right - left, top - bottom) < _LEAST_POINTS:
            return None
        key = bytes(image.get_data()) + repr(image.get_px_size()).encode()
        text = gallery.add_drawn(key, lambda: _drawn(image))
    except (PdfiumError, ValueError):  # it names no picture, or a damaged one
        return None
    width, height = page.get_size()
    covers = (right - left) * (top - bottom) >= _WHOLE_PAGE * width * height
    return PagePicture(text, left, right, -top, -bottom, covers) if text else None


def _drawn(image: PdfImage) -> Image.Image:
    """Return a picture with its mask, in its own resolution."""
    width, height = image.get_px_size()
    if width * height > MOST_PIXELS:
        raise ValueError("too many pixels")
    drawn: Image.Image = image.get_bitmap(render=True).to_pil().copy()
    if not _PHOTOS.isdisjoint(image.get_filters()):
        drawn.format = "JPEG"
    return drawn


def with_pictures(
    made: Sequence[BuiltBlock], on_pages: Mapping[int, Sequence[PagePicture]], lines: Mapping[int, Sequence[Line]]
) -> list[BuiltBlock]:
    """Return blocks with those of pictures: each behind its caption, else at the end of its page."""
    behind: dict[int, list[BuiltBlock]] = {}
    for page, pictures in on_pages.items():
        for picture in pictures:
            caption = _caption(picture, lines.get(page, ()))
            at = next(_holding(made, page, caption), None) if caption else None
            whole = made[at].text if at is not None else ""
            block = BuiltBlock("picture", f"{picture.text} {' '.join(whole.split())}".rstrip(), 0, [(page, 0)])
            behind.setdefault(_last_on(made, page) if at is None else at, []).append(block)
    return [each for at in range(-1, len(made)) for each in (*made[max(at, 0) : at + 1], *behind.get(at, ()))]


def _caption(picture: PagePicture, lines: Sequence[Line]) -> str:
    """Return the line that names a picture, below it or above it; "" if there is none."""
    near = [
        (abs(line.y - picture.bottom), line.text)
        for line in lines
        if line.x0 < picture.right
        and picture.left < line.x1
        and (0 <= line.y - picture.bottom <= _NEAR or 0 <= picture.top - line.y <= _NEAR)
        and _CAPTION.match(line.text)
    ]
    return min(near)[1] if near else ""


def _holding(made: Sequence[BuiltBlock], page: int, caption: str) -> Iterator[int]:
    """Yield the places of the blocks on a page that begin with a line."""
    start = caption.split("-", maxsplit=1)[0][:40]
    return (at for at, block in enumerate(made) if block.pages[0][0] == page and block.text.startswith(start))


def _last_on(made: Sequence[BuiltBlock], page: int) -> int:
    """Return the place of the last block that ends on a page, or on one before; -1 if there is none."""
    return max((at for at, block in enumerate(made) if block.pages[-1][0] <= page), default=-1)
