"""The words of HTML within a paragraph, a cell or a line of code."""

from __future__ import annotations

import re

from bs4 import Tag
from bs4.element import CData, NavigableString, PageElement, PreformattedString

from pipelines.reading.badges import is_badge
from pipelines.reading.tidying import MATH_SIGNS, joined_math, raised, tidy

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre section summary"
    " table tbody td tfoot th thead tr ul"
)
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""The elements that stand on lines of their own."""
_SPACES = re.compile(r"[ \t\n\r\f]+")
_UNSEEN = frozenset({"rp", "annotation", "annotation-xml"})
_WITHIN_PAGE = re.compile("#")


def inline_text(element: PageElement) -> str:
    """Return what an element shows in a line; a line break is kept, and so are spaces at both ends."""
    if isinstance(element, NavigableString):
        return "" if isinstance(element, PreformattedString) else _SPACES.sub(" ", element)
    if not isinstance(element, Tag) or element.name in _UNSEEN or _is_note_number(element):
        return ""
    if element.name == "br":
        return "\n"
    if element.name == "img":
        return "" if is_badge(str(element.get("src") or "")) else str(element.get("alt") or "")
    text = _said(element)
    if element.name == "sup":
        return "" if element.find("a", href=_WITHIN_PAGE) else raised(text)
    return f" {text} " if element.name in BLOCKS else text


def _said(element: Tag) -> str:
    if element.name in MATH_SIGNS:
        return joined_math(element.name, [inline_text(child) for child in element.find_all(recursive=False)])
    return "".join(map(inline_text, element.children))


def _is_note_number(element: Tag) -> bool:
    """Return whether it is the number of a note of an e-book, which is no word of its sentence."""
    return element.name == "a" and "noteref" in (element.get("epub:type"), str(element.get("role", ""))[4:])


def tidy_line(text: str) -> str:
    """Return words with single spaces, each line without spaces at its ends."""
    lines = (" ".join(line.split()) for line in tidy(text).split("\n"))
    return "\n".join(filter(None, lines))


def cell_text(cell: Tag, line_break: str) -> str:
    """Return what a cell of a table shows on one line, with this between its lines and paragraphs."""
    parts: list[str] = [""]
    for child in cell.children:
        if isinstance(child, Tag) and child.name in BLOCKS:
            parts += [_cell_block(child, line_break), ""]
        else:
            parts[-1] += inline_text(child)
    lines = (line for part in parts for line in tidy_line(part).split("\n"))
    return line_break.join(filter(None, lines))


def _cell_block(element: Tag, line_break: str) -> str:
    if element.name in ("ul", "ol"):
        items = element.find_all("li", recursive=False)
        return "; ".join(filter(None, (cell_text(item, line_break) for item in items)))
    return cell_text(element, line_break)


def code_of(element: Tag) -> str:
    """Return code as it is written; lines that are elements of their own stand on lines of their own."""
    lines = element.find_all("code", recursive=False)
    of_lines = len(lines) > 1 and not any(
        child.get_text(strip=True)
        for child in element.children
        if not (isinstance(child, Tag) and child.name == "code")
    )
    joined = "\n".join(_written(line).rstrip("\n") for line in lines) if of_lines else _written(element)
    return tidy(joined.replace("\xa0", " ")).rstrip()


def _written(element: Tag) -> str:
    """Return an element's text with its line breaks."""
    return "".join(_piece(child) for child in element.descendants)


def _piece(element: PageElement) -> str:
    if isinstance(element, NavigableString) and (type(element) is CData or not isinstance(element, PreformattedString)):
        return element
    return "\n" if isinstance(element, Tag) and element.name == "br" else ""
