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
    places: dict[int, dict[str, list[Sequence[Line]]]] = {}
    for bookmark in bookmarks:
        if bookmark.page not in places:
            places[bookmark.page] = _places(pages[bookmark.page])
        known = places[bookmark.page]
        keys = (_key(bookmark.title), _key(_NUMBER.sub("", bookmark.title)))
        found = next((known[key] for key in keys if key and known.get(key)), None)
        if found:
            titled |= {id(line): bookmark for line in found.pop()}
    return titled


def _places(lines: Sequence[Line]) -> dict[str, list[Sequence[Line]]]:
    """Return where titles may stand: a line, or some together, with their number and without it.

    The last place of a title is the most prominent one, of several the first: others only name the title.
    """
    places: dict[str, list[Sequence[Line]]] = defaultdict(list)
    for start in range(len(lines) - 1, -1, -1):
        text, seen = "", {""}
        for count, line in enumerate(lines[start : start + _MOST_LINES], start=1):
            text += f" {line.text}"
            for key in {_key(text), _key(_NUMBER.sub("", text.strip()))} - seen:
                seen.add(key)
                places[key].append(lines[start : start + count])
    return {key: sorted(found, key=_prominence) for key, found in places.items()}


def _prominence(lines: Sequence[Line]) -> tuple[float, bool]:
    """Return what tells a title from a line that only names it: the size of its letters, and whether they are bold."""
    return max((round(line.size, 1) for line in lines), default=0.0), any(line.bold for line in lines)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
