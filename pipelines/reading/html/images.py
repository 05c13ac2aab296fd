"""The images of an HTML page that can be had: those that it holds itself, and those of the book that it is in."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from bs4 import Tag

from pipelines.reading.html.words import inline_text, tidy_line
from pipelines.reading.pictures import LARGEST_FILE, Gallery

_DATA = re.compile(r"\s*data:image/[a-z.+-]+;base64,", re.IGNORECASE)
Load = Callable[[str], bytes | None]
"""Returns the file that an address names, None where it cannot be had."""


def pictures_of(root: Tag, gallery: Gallery | None, load: Load | None = None) -> dict[int, str]:
    """Return the texts of the blocks that stand for images, by the identities of their elements.

    The alternative text of such an image moves into its block.
    """
    found: dict[int, str] = {}
    for image in root.find_all("img") if gallery is not None else ():
        file = _file(str(image.get("src") or ""), load)
        text = gallery.add(file, _caption(image)) if gallery is not None and file else ""
        if text:
            found[id(image)] = text
            image["alt"] = ""
    return found


def _file(address: str, load: Load | None) -> bytes | None:
    head = _DATA.match(address)
    if head is None:
        return load(address) if load is not None and address else None
    try:
        return base64.b64decode(address[head.end() :]) if len(address) < 2 * LARGEST_FILE else None
    except (binascii.Error, ValueError):
        return None


def _caption(image: Tag) -> str:
    """Return an image's alternative text, else the caption of the figure that it is in."""
    alt = tidy_line(str(image.get("alt") or ""))
    figure = image.find_parent("figure")
    caption = figure.find("figcaption") if alt == "" and figure is not None else None
    return alt if caption is None else tidy_line(inline_text(caption))
