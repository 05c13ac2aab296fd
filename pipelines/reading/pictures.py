"""The pictures of a file under construction: which are kept, as what files, and what stands for them in the text.

A reader hands over each picture as it comes by, and gets the text of a block of the kind ``picture``.
`Gallery.finished` numbers these blocks once the whole text is known, and takes out pictures that repeat as logos do.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from pipelines.components.images import with_colours
from pipelines.reading.picture_blocks import caption_of, placed_on, shown_text, with_texts
from pipelines.types import ParsedDocument, Picture

if TYPE_CHECKING:
    from PIL import Image

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
MOST_PIXELS = 25_000_000
"""Of one picture."""
_LONGEST_SIDE = 1600
LARGEST_FILE = 30_000_000
"""Bytes of a picture's own file."""
_LARGE_PNG = 500_000
"""Bytes from which a picture is written as a JPEG."""
_QUALITY = 88
_REPEATS = 4
"""A picture that is shown so often is a logo or a rule."""


@dataclass(frozen=True, slots=True)
class PictureBounds:
    """What is kept of a document's pictures.

    Attributes:
        most: How many of them, at most.
        least_side: Pixels of the shorter side; smaller ones are decoration.
        pixels: How many are decoded, at most, over all pictures; it bounds the time.
    """

    most: int = 200
    least_side: int = 64
    pixels: int = 250_000_000


class Gallery:
    """The pictures of one file. What cannot be decoded, or is beyond the bounds, is left out and harms nothing."""

    def __init__(self, bounds: PictureBounds) -> None:
        self._bounds = bounds
        self._pixels = bounds.pixels
        self._known: dict[bytes, int | None] = {}
        self._kept: list[Picture] = []

    def add(self, raw: bytes, caption: str = "") -> str:
        """Take a picture as the file of it; return the text of its block, "" where it is left out."""
        return self.add_drawn(raw, lambda: opened(raw), caption)

    def add_drawn(self, key: bytes, draw: Callable[[], Image.Image], caption: str = "") -> str:
        """Take a picture that ``draw`` makes, which must not draw more than `MOST_PIXELS`; pictures of one ``key`` are
        the same. See `add`.
        """
        digest = hashlib.sha256(key).digest()
        if digest not in self._known:
            self._known[digest] = self._taken(draw) if len(key) <= LARGEST_FILE else None
        index = self._known[digest]
        return "" if index is None else placed_on(index, caption)

    def finished(self, document: ParsedDocument) -> ParsedDocument:
        """Return a document with the pictures that its blocks stand for, numbered in the order of its text."""
        blocks = [block for block in document.blocks if block.kind == "picture"]
        if not blocks:
            return document
        found = [caption_of(document.text[block.span.start : block.span.end]) for block in blocks]
        uses = Counter(index for index, _ in found)
        numbers: dict[int, int] = {}
        shown, texts = [], []
        for index, caption in found:
            if uses[index] >= _REPEATS:
                texts.append("")
                continue
            number = numbers.setdefault(index, len(numbers) + 1)
            texts.append(shown_text(number, caption))
            shown.append((number, self._kept[index].media_type))
        return with_texts(replace(document, pictures=tuple(self._kept[index] for index in numbers)), texts, shown)

    def _taken(self, draw: Callable[[], Image.Image]) -> int | None:
        if len(self._kept) >= self._bounds.most or self._pixels <= 0:
            return None
        try:
            with draw() as image:
                if not self._fits(*image.size):
                    return None
                self._kept.append(_written(image))
        except (Exception, MemoryError):  # noqa: BLE001 - decoders raise whatever they stumble over
            return None
        return len(self._kept) - 1

    def _fits(self, width: int, height: int) -> bool:
        """Return whether a picture of so many pixels is decoded, and count them."""
        if min(width, height) < self._bounds.least_side or width * height > MOST_PIXELS:
            return False
        self._pixels -= width * height
        return self._pixels >= 0


def opened(raw: bytes) -> Image.Image:
    """Return an image of a known format, not decoded yet."""
    from PIL import Image

    return Image.open(BytesIO(raw), formats=_FORMATS)


def _written(image: Image.Image) -> Picture:
    """Return an image as a file of a bearable size: upright, on white where it is transparent, without metadata."""
    from PIL import Image, ImageOps

    photo = image.format == "JPEG"
    image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    colours = with_colours(ImageOps.exif_transpose(image))
    canvas = Image.new("RGB", colours.size, "white")
    canvas.paste(colours, mask=colours)
    if not photo:
        drawn = _file(canvas, "PNG")
        if len(drawn) < _LARGE_PNG:
            return Picture("image/png", drawn)
    return Picture("image/jpeg", _file(canvas, "JPEG"))


def _file(image: Image.Image, format_: str) -> bytes:
    target = BytesIO()
    image.save(target, format_, quality=_QUALITY)
    return target.getvalue()
