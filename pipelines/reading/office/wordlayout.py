"""What Word documents show by their looks alone: headings in bold, and tables of contents typed by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice", re.IGNORECASE)
_ENTRY = re.compile(r".*(?:\D\d{1,4}|\d+-\d+|\b[ivxlc]+|N/A)\s*")
_MOST_GAPS = 3
_FEWEST_ENTRIES = 4
_LONGEST_HEADING = 100


def drop_contents(soup: BeautifulSoup) -> None:
    """Take out tables of contents: their lines would pass for sections, and answer in their stead."""
    for title in soup.find_all(["p", *_HEADINGS]):
        if _CONTENTS.fullmatch(_words(title).rstrip(":")):
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
        if _ENTRY.fullmatch(_words(line)):
            found += waiting
            waiting = []
        elif len(waiting) > _MOST_GAPS or line.name == "table":
            break
    return found


def _siblings(element: Tag) -> Iterator[Tag]:
    for sibling in element.find_next_siblings():
        if isinstance(sibling, Tag):
            yield sibling


def promote_bold(soup: BeautifulSoup) -> None:
    """Make headings of short paragraphs that are bold throughout, below the headings that say so themselves.

    The last of several is one: those before it are the lines of a title.
    """
    levels = [int(heading.name[1]) for heading in soup.find_all(_HEADINGS)]
    name = f"h{min(max(levels, default=1) + 1, 6)}"
    for paragraph in [each for each in soup.find_all("p") if _is_bold(each) and _leads_text(each)]:
        paragraph.name = name


def _is_bold(paragraph: Tag) -> bool:
    text = _words(paragraph)
    if (
        not text
        or len(text) > _LONGEST_HEADING
        or text[-1] in ".;,"
        or paragraph.find_parent(["table", "li", "blockquote"])
    ):
        return False
    return all(
        isinstance(child, Tag) and child.name in ("strong", "b")
        for child in paragraph.children
        if not (isinstance(child, NavigableString) and not child.strip())
        and not (isinstance(child, Tag) and child.name == "a" and not _words(child))
    )


def _leads_text(paragraph: Tag) -> bool:
    """Return whether what follows is text, a list or a table, and no other bold line or heading."""
    behind = paragraph.find_next_sibling()
    return isinstance(behind, Tag) and behind.name not in _HEADINGS and not _is_bold(behind)


def _words(element: Tag) -> str:
    return " ".join(element.get_text().split())
