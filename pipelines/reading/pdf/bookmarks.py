"""The bookmarks of a PDF, and where in its text the headings stand that they point to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pypdfium2 import PdfDocument

from pipelines.types import Heading, Span

_NUMBERED = re.compile(r"((?:[A-Z]|\d+)(?:\.\d+)*\.?)\s+(\S.*)")
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of a PDF's outline: its level from 1, its title, and the index of the page it opens."""

    level: int
    title: str
    page: int


def bookmarks_of(pdf: PdfDocument) -> list[Bookmark]:
    """Return the bookmarks that have a title and point into the document."""
    found = []
    for entry in pdf.get_toc():
        title, target = " ".join(entry.get_title().split()), entry.get_dest()
        page = target.get_index() if target else None
        if title and page is not None and 0 <= page < len(pdf):
            found.append(Bookmark(min(entry.level + 1, _DEEPEST), title, page))
    return found


def headings_of(bookmarks: list[Bookmark], texts: list[str], spans: list[Span]) -> list[Heading]:
    """Return a heading for each bookmark: at the line of its page that holds its title, else where the page begins."""
    headings: list[Heading] = []
    page, cursor = -1, 0
    for bookmark in bookmarks:
        if bookmark.page != page:
            page, cursor = bookmark.page, 0
        found = _find(bookmark.title, texts[page], cursor)
        headings.append(Heading(bookmark.level, bookmark.title, spans[page].start + (found[0] if found else cursor)))
        cursor = found[1] if found else cursor
    return headings


def _find(title: str, text: str, cursor: int) -> tuple[int, int] | None:
    """Return where, from the cursor on, the line begins that a title fills, or else opens, and where the title ends."""
    numbered = _NUMBERED.fullmatch(title)
    number, rest = numbered.groups() if numbered else (None, title)
    # On the page a word may be hyphenated, and the number stand on a line of its own.
    words = r"\s+".join(r"(?:-\n?)?".join(map(re.escape, word)) for word in rest.split())
    number = rf"{re.escape(number)}\s+" if number else r"[\dA-Z][\d.]*[.:]?[ \t]+"
    prefix = rf"(?:(?:\w+[ \t]+)?{number})?"
    for ending in (r"[ \t]*$", r"\b"):
        found = re.compile(rf"^{prefix}{words}{ending}", re.IGNORECASE | re.MULTILINE).search(text, cursor)
        if found:
            return found.start(), found.end()
    return None
