"""The bookmarks of a PDF, and the lines of its pages that they point to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pypdfium2 import PdfDocument

from pipelines.reading.pdf.lines import Line

_NUMBER = re.compile(
    r"^(?:(?:chapter|section|part|appendix|annex)\s+)?(?:[A-Z]|\d+|[IVX]+)(?:\.\d+)*[.:)]?\s+(?=\S)", re.I
)
_MOST_LINES = 4
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


def titled_lines(bookmarks: Sequence[Bookmark], pages: Sequence[Sequence[Line]]) -> dict[int, Bookmark]:
    """Return the bookmarks whose titles are lines of their pages, by the ids of those lines."""
    titled: dict[int, Bookmark] = {}
    places: dict[int, dict[str, list[int]]] = {}
    for bookmark in bookmarks:
        lines = pages[bookmark.page]
        known = places.setdefault(bookmark.page, _places(lines))
        keys = (_key(bookmark.title), _key(_NUMBER.sub("", bookmark.title)))
        found = next((known[key] for key in keys if key and known.get(key)), None)
        if found:
            chosen = max((_filled(lines[at:], keys) for at in found), key=_prominence)  # others only name the title
            found.remove(next(at for at in found if lines[at] is chosen[0]))
            titled |= {id(line): bookmark for line in chosen}
    return titled


def _places(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return where titles may stand: a line, or some together, with their number and without it."""
    places: dict[str, list[int]] = defaultdict(list)
    for start in range(len(lines)):
        text = ""
        for line in lines[start : start + _MOST_LINES]:
            text += f" {line.text}"
            for key in {_key(text), _key(_NUMBER.sub("", text.strip()))}:
                places[key].append(start)
    return places


def _filled(lines: Sequence[Line], keys: Sequence[str]) -> Sequence[Line]:
    text = ""
    for count, line in enumerate(lines[:_MOST_LINES], start=1):
        text += f" {line.text}"
        if _key(text) in keys or _key(_NUMBER.sub("", text.strip())) in keys:
            return lines[:count]
    return ()


def _prominence(lines: Sequence[Line]) -> tuple[float, bool]:
    """Return what tells a title from a line that only names it: the size of its letters, and whether they are bold."""
    return max((round(line.size, 1) for line in lines), default=0.0), any(line.bold for line in lines)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
