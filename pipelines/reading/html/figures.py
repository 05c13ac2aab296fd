"""Figures: images with a caption, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bs4 import Tag

from pipelines.reading.html.words import inline_text, tidy_line

_CLASSES = frozenset({"figure", "imageblock", "mediaobject"})
_FILE_NAME = re.compile(r"\S+(?:_\S+|\.(?:png|jpe?g|gif|svg|webp|bmp))", re.IGNORECASE)
"""What programs write for an image that nobody described."""


def is_figure(element: Tag) -> bool:
    """Return whether an element holds images and their captions alone."""
    if element.name != "figure" and _CLASSES.isdisjoint(element.get_attribute_list("class")):
        return False
    words = (text for text in element.find_all(string=True) if text.strip())
    return element.find("img") is not None and all(text.find_parent("figcaption") is not None for text in words)


def figure_text(element: Tag) -> str:
    """Return what a figure says: its caption, and behind it what its parts and images are called besides."""
    captions = [tidy_line(inline_text(caption)) for caption in element.find_all("figcaption")]
    images = [tidy_line(str(image.get("alt") or "")) for image in element.find_all("img")]
    said = _joined([*captions, *(image for image in images if not _FILE_NAME.fullmatch(image))])
    return said if any(captions) or not said else f"Image: {said}"


def _joined(parts: Iterable[str]) -> str:
    said = ""
    for part in parts:
        if part.casefold() not in said.casefold():
            said = f"{said}; {part}" if said else part
    return said
