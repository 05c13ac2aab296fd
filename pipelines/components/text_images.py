"""Text as images, for language models that see: a page of text costs a model fewer tokens than its words.

After "DeepSeek-OCR: Contexts Optical Compression" (Wei et al. 2025): what is older may be smaller.
"""

from __future__ import annotations

import io
import textwrap
import unicodedata
from collections.abc import Iterator

_PAGE = 1280  # pixels a side
_MARGIN = 24
_FONT = 20
_LEADING = 26
_COLUMNS = 120  # characters
_MOST_UNDRAWN = 0.02
_SPELT = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})


def can_be_drawn(text: str) -> bool:
    """Return whether the font that Pillow brings along has nearly all characters of ``text``: those of Latin script."""
    drawn = _drawn(text)
    return sum(not one.isascii() for one in drawn) <= _MOST_UNDRAWN * len(drawn)


def images_of_text(text: str, side: int, most: int) -> tuple[bytes, ...]:
    """Return the last ``most`` pages of ``text`` as square PNGs of ``side`` pixels, in its order; the same every
    time.
    """
    pages = list(_pages(_drawn(text)))[-most:]
    return tuple(_image(lines, side) for lines in pages)


def _drawn(text: str) -> str:
    """Return the text with letters that the font has: without accents, and with plain quotes and dashes."""
    parts = unicodedata.normalize("NFKD", text.translate(_SPELT))
    return "".join(one for one in parts if not unicodedata.combining(one))


def _pages(text: str) -> Iterator[list[str]]:
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, _COLUMNS) or [""]]
    size = (_PAGE - 2 * _MARGIN) // _LEADING
    for start in range(0, len(lines), size):
        yield lines[start : start + size]


def _image(lines: list[str], side: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(_FONT)
    page = Image.new("L", (_PAGE, _PAGE), 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        draw.text((_MARGIN, _MARGIN + number * _LEADING), line, fill=0, font=font)
    if side < _PAGE:
        page = page.resize((side, side), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    page.save(written, "PNG")
    return written.getvalue()
