"""What stands around the words of a page and is asked for all the same: opening hours, addresses, telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bs4 import BeautifulSoup, Tag

from pipelines.reading.html.boldtitles import HEADINGS, is_bold
from pipelines.reading.html.tables import is_layout
from pipelines.reading.html.words import BLOCKS, inline_text, tidy_line

_AROUND = "header, footer, aside, [role=banner], [role=contentinfo], [role=complementary], .footer, #footer"
_WHOLE = frozenset({*HEADINGS, "p", "ul", "ol", "dl", "table", "address", "pre"})
"""What is kept or left as one."""
_LEGAL = re.compile(r"\u00a9|\bcopyright\b|\ball rights reserved\b", re.IGNORECASE)
_FACT_LINKS = re.compile(r"(?:tel|mailto):")
_PHONE = re.compile(
    r"(?<![\w.-])(?:(?:\+\d{1,3}|0|\(\d)(?:[ ()-]{0,2}\d){8,13}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w:-])"
)
_HOUR = r"(?<![\w.,:/-])\d{1,2}"
_TO = r"\s?(?:[-\u2013\u2014]|to|until|bis)\s?\d{1,2}"
_HOURS = re.compile(
    rf"{_HOUR}[:.]\d\d(?:\s?[ap]m|\s?Uhr)?{_TO}[:.]\d\d|{_HOUR}(?:[:.]\d\d)?\s?[ap]\.?m\b", re.IGNORECASE
)
_TIMES = re.compile(rf"{_HOUR}(?:[:.]\d\d)?{_TO}(?![\d.,%])|@")
"""What is a time or a mailbox below a title, and may be anything elsewhere."""
_DIGIT = re.compile(r"\d")
_LINE_BREAK = re.compile(r"[\n,]")
_ADDRESS_LINE = re.compile(r"[A-Z\d\u00c0-\u00de][^.!?]{0,60}")
_LINES = range(2, 8)
"""Of an address."""
_MOST_LINKED = 0.5
_BELOW_TITLE = 2


def around(soup: BeautifulSoup, main: Tag) -> list[Tag]:
    """Return the outermost surroundings of the element that holds what a page is about."""
    above = {id(each) for each in main.parents}
    seen = {id(main)}
    found = []
    for element in soup.select(_AROUND):
        is_inside = any(id(each) in seen or each.name == "article" for each in element.parents)
        if id(element) not in above and not is_inside:
            seen.add(id(element))
            found.append(element)
    return found


def take_facts(surroundings: Iterable[Tag]) -> list[Tag]:
    """Take hours, addresses and telephone numbers out of surroundings with the titles above them, and return them.

    Those with titles come first, so that the others do not stand below the last title of the page.
    """
    kept = [facts for element in surroundings for part in list(_parts(element)) if (facts := _facts(part))]
    kept.sort(key=lambda facts: not _is_title(facts[0]))
    return [leaf.extract() for facts in kept for leaf in facts]


def append_facts(main: Tag, facts: Sequence[Tag]) -> None:
    """Append facts to a page, their titles on the level of its sections."""
    levels = [int(heading.name[1]) for heading in main.find_all(HEADINGS)]
    is_titled = levels.count(1) == 1
    level = _BELOW_TITLE if is_titled or not levels else min(levels)
    for leaf in facts:
        if _is_title(leaf):
            leaf.name = f"h{level}"
        elif leaf.name not in _WHOLE:
            leaf.name = "p"
        main.append(leaf)


def _parts(element: Tag) -> Iterator[list[Tag]]:
    """Yield each title with what stands below it in its element, and what has no title alone."""
    part: list[Tag] = []
    holder: Tag | None = None
    for leaf in _leaves(element):
        is_title = _is_title(leaf)
        if is_title or holder is None or not any(each is holder for each in leaf.parents):
            yield part
            part, holder = [], _holder(leaf) if is_title else None
        part.append(leaf)
    yield part


def _leaves(element: Tag) -> Iterator[Tag]:
    """Yield the blocks of an element that are kept or left as one."""
    if element.find(list(BLOCKS)) is None:
        words = Tag(name="p")
        words.extend(list(element.contents))
        element.append(words)
    inside: set[int] = set()
    for each in element.find_all(list(BLOCKS)):
        if id(each.parent) in inside:
            inside.add(id(each))
        elif each.name in _WHOLE or each.find(list(BLOCKS)) is None:
            inside.add(id(each))
            yield each


def _holder(title: Tag) -> Tag | None:
    """Return the element whose blocks a title heads: the one that holds more than the title."""
    holder = title.parent
    while (
        holder is not None and holder.parent is not None and len(holder.find_all(True, recursive=False, limit=2)) == 1
    ):
        holder = holder.parent
    return holder


def _is_title(leaf: Tag) -> bool:
    return leaf.name in HEADINGS or (leaf.name == "p" and is_bold(leaf))


def _facts(part: Sequence[Tag]) -> list[Tag]:
    """Return what is kept of a part: all but links and rights below a title with a fact, else what is one itself."""
    if part and _is_title(part[0]):
        said = [leaf for leaf in part[1:] if not _is_left(leaf)]
        return [part[0], *said] if any(_is_fact(leaf) or _is_fact_below_title(leaf) for leaf in said) else []
    return [leaf for leaf in part if not _is_left(leaf) and _is_fact(leaf)]


def _is_left(leaf: Tag) -> bool:
    """Return whether a block is about rights, or little but links to other pages."""
    text = leaf.get_text()
    if _LEGAL.search(text) or not text.strip():
        return True
    links = [link for link in leaf.find_all("a") if not _FACT_LINKS.match(str(link.get("href", "")))]
    return sum(len(link.get_text(strip=True)) for link in links) > _MOST_LINKED * len(text.strip())


def _is_fact(leaf: Tag) -> bool:
    text = leaf.get_text(" ")
    if leaf.name == "address" or leaf.find("a", href=_FACT_LINKS) is not None or _PHONE.search(text):
        return True
    is_table = leaf.name == "table" and not is_layout(leaf) and _DIGIT.search(text) is not None
    return is_table or _HOURS.search(text) is not None


def _is_fact_below_title(leaf: Tag) -> bool:
    """Return whether a block below a title has times, a mailbox, or the short lines of an address."""
    text = tidy_line(inline_text(leaf))
    if _TIMES.search(text):
        return True
    lines = [line.strip() for line in _LINE_BREAK.split(text, maxsplit=_LINES.stop)]
    return len(lines) in _LINES and _DIGIT.search(text) is not None and all(map(_ADDRESS_LINE.fullmatch, lines))
