"""Layout by style sheets: rows of prices become tables, and words side by side get blanks between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement, PreformattedString

from pipelines.reading.html.words import BLOCKS

_ROWS = ["div", "li"]
_CELLS = frozenset({"a", "b", "data", "div", "small", "span", "strong", "time"})
_NO_CELL = BLOCKS | {"br", "code", "img"}
"""What no cell of a row holds."""
_LEAST_ROWS = 2
_LONGEST_CELL = 100
_HEADER = re.compile(r"(?:^|[_-])(?:head|header|heading)\b")
_FIGURE = re.compile(r"\d")
_WORD = re.compile(r"[^\W_]")
_APART = frozenset({"a", "b", "data", "em", "i", "label", "mark", "small", "span", "strong", "time", "u"})
_HOLDERS = ["dd", "div", "dt", "li", "section", "td", "th"]
"""Elements whose parts are words of their own, where they hold nothing but elements."""
_SENTENCES = ["p", "a", "h1", "h2", "h3", "h4", "h5", "h6"]
"""Elements whose parts may be those of one word."""
_CURRENCY = frozenset("$\u00a3\u00a5\u20ac\u20b9")
_DEEPEST = 20


def set_apart(soup: BeautifulSoup) -> None:
    """Make tables of rows that look like one, and put blanks between words that only a style sheet sets apart."""
    holders = {id(row.parent): row.parent for row in soup.find_all(_ROWS) if row.parent is not None and _cells(row)}
    for holder in holders.values():
        if holder.name != "ol" and holder.find_parent("table") is None:
            for rows in list(_runs(holder)):
                _make_table(soup, holder, rows)
    for element in soup.find_all([*_HOLDERS, *_SENTENCES]):
        _space(element)


def _runs(holder: Tag) -> Iterator[list[Tag]]:
    """Yield the rows of an element that follow one another and have as many cells; of a list, all of its items."""
    run: list[Tag] = []
    width = 0
    children = list(filter(_is_shown, holder.children))
    for child in [*children, None]:
        cells = _cells(child) if isinstance(child, Tag) else []
        if len(cells) != width:
            if len(run) >= _LEAST_ROWS and (holder.name == "div" or len(run) == len(children)) and _is_grid(run):
                yield run
            run, width = [], len(cells)
        if cells and isinstance(child, Tag):
            run.append(child)


def _cells(row: Tag) -> list[Tag]:
    """Return the elements that a row holds, and nothing else; none if it is no row."""
    children = list(filter(_is_shown, row.children)) if row.name in _ROWS else []
    cells = [each for each in children if isinstance(each, Tag) and each.name in _CELLS and _is_cell(each)]
    return cells if len(cells) == len(children) > 1 and _WORD.search(cells[0].get_text()) else []


def _is_cell(element: Tag) -> bool:
    is_plain = not any(isinstance(each, Tag) and each.name in _NO_CELL for each in element.descendants)
    return is_plain and len(element.get_text(strip=True)) <= _LONGEST_CELL


def _is_shown(child: PageElement) -> bool:
    return not isinstance(child, PreformattedString) and bool(isinstance(child, Tag) or str(child).strip())


def _is_grid(rows: Sequence[Tag]) -> bool:
    """Return whether most rows give a figure for a name, and no row consists of links."""
    cells = [_cells(row) for row in rows]
    figures = sum(any(_FIGURE.search(cell.get_text()) for cell in row[1:]) for row in cells)
    linked = sum(all(cell.name == "a" for cell in row) for row in cells)
    return 2 * figures >= len(rows) and not linked


def _make_table(soup: BeautifulSoup, holder: Tag, rows: Sequence[Tag]) -> None:
    table = soup.new_tag("table")
    (holder if holder.name in ("ul", "menu") else rows[0]).insert_before(table)
    for at, row in enumerate(rows):
        names = " ".join(map(str, row.get("class") or ()))
        for cell in _cells(row):
            cell.name = "th" if at == 0 and _HEADER.search(names) else "td"
        row.name = "tr"
        table.append(row.extract())
    if holder.name in ("ul", "menu"):
        holder.decompose()


def _space(element: Tag) -> None:
    """Put blanks between the parts of an element that are no parts of one word."""
    children = list(element.children)
    if not any(isinstance(each, Tag) for each in children[1:]) or element.find_parent(["pre", "code"]):
        return
    is_holder = element.name in _HOLDERS and all(isinstance(each, Tag) or not str(each).strip() for each in children)
    for left, right in pairwise(children):
        if isinstance(left, Tag) and isinstance(right, Tag) and _APART.issuperset((left.name, right.name)):
            before, behind = _edge(left, -1), _edge(right, 0)
            if len(before) > 1 and before[-1].isalnum() | (before[-1] in ")%"):
                starts = behind[:1]
                is_word = is_holder and (starts.isupper() or (starts.isdigit() and not before[-1].isdigit()))
                if starts in _CURRENCY or is_word:
                    left.insert_after(NavigableString(" "))


def _edge(element: Tag, at: int) -> str:
    """Return the first or last piece of text of an element."""
    piece: PageElement = element
    for _ in range(_DEEPEST):
        if not isinstance(piece, Tag) or not piece.contents:
            break
        piece = piece.contents[at]
    return "" if isinstance(piece, (Tag, PreformattedString)) else str(piece)
