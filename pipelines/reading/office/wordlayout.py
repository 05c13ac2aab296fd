"""Tables of contents that were typed into Word documents by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from pipelines.reading.html.boldtitles import HEADINGS, words_of

_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice", re.IGNORECASE)
_ENTRY = re.compile(r".*(?:\D\d{1,4}|\d+-\d+|\b[ivxlc]+|N/A)\s*")
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
    """Return the lines of a table of contents: most of them end with a page, and none stands alone between others."""
    found: list[Tag] = []
    waiting: list[Tag] = []
    for line in _siblings(title):
        waiting.append(line)
        if _ENTRY.fullmatch(words_of(line)):
            found += waiting
            waiting = []
        elif len(waiting) > _MOST_GAPS or line.name == "table":
            break
    return found


def _siblings(element: Tag) -> Iterator[Tag]:
    for sibling in element.find_next_siblings():
        if isinstance(sibling, Tag):
            yield sibling
