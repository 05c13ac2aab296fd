"""Tables of contents that were typed into Word documents by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from pipelines.reading.html.boldtitles import HEADINGS, words_of

_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice", re.IGNORECASE)
# A page stands behind a tab, a leader or a gap, or is that of a chapter: "Bolts, 12" may be what a crate holds.
_PAGE = re.compile(r"(?:\t|…|[._·] ?[._·]|\s\s)\s*(?:(\d{1,4})|[ivxlc]{1,8}|N/A)$|\d{1,4}-\d{1,4}$")
_LONGEST_PAGE = 40
_MOST_GAPS = 3
_FEWEST_ENTRIES = 4


def drop_contents(soup: BeautifulSoup) -> None:
    """Take out tables of contents: their lines would pass for sections, and answer in their stead."""
    for title in soup.find_all(["p", *HEADINGS]):
        if _CONTENTS.fullmatch(words_of(title).rstrip(":")):
            entries = _entries(title)
            if len(entries) >= _FEWEST_ENTRIES:
                for entry in (title, *entries):
                    entry.decompose()


def _entries(title: Tag) -> list[Tag]:
    """Return the lines of a table of contents: most of them end with a page, and none stands alone between others.

    It ends where a page is lower than the one before.
    """
    found: list[Tag] = []
    waiting: list[Tag] = []
    last = 0
    for line in _siblings(title):
        waiting.append(line)
        page = _PAGE.search(line.get_text().rstrip()[-_LONGEST_PAGE:])
        if page is None and (len(waiting) > _MOST_GAPS or line.name == "table"):
            break
        if page is not None:
            if int(page[1] or last) < last:
                break
            last = int(page[1] or last)
            found += waiting
            waiting = []
    return found


def _siblings(element: Tag) -> Iterator[Tag]:
    for sibling in element.find_next_siblings():
        if isinstance(sibling, Tag):
            yield sibling
