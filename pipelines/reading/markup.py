"""From HTML to Markdown that reads and quotes like the page: words and structure, no decoration.

Bold, italics and the targets of links are dropped: they break words and quotes apart and say nothing to a search.
"""

from __future__ import annotations

import re
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from markdownify import MarkdownConverter

from pipelines.reading.tables import markdown_table
from pipelines.reading.tidying import raised, tidy

_NEVER_READ = [
    "script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "video", "audio", "select", "input",
    "dialog",
]  # fmt: skip
_FOLDING = ["h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"]
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}\?>")
_LOOKS_LIKE_SYNTAX = re.compile(r"^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:-+|=+)\s*$)")
_BACKTICKS = re.compile(r"`+")
_WITHIN_PAGE = re.compile("#")
_WIDEST_SPAN = 1000


def parse_html(markup: str) -> BeautifulSoup:
    """Parse HTML or XHTML as browsers do, and take out what is never read."""
    # Without a tag Beautiful Soup takes its input for the name of a file, and warns.
    soup = BeautifulSoup(f"<!DOCTYPE html>{_DECLARATION.sub('', markup)}", "lxml")
    for element in soup.find_all(_NEVER_READ):
        element.decompose()
    for button in soup.find_all("button"):
        # Inside a heading it folds the section, and holds the heading's words.
        if not button.find_parent(_FOLDING):
            button.decompose()
    return soup


def to_markdown(root: Tag) -> str:
    """Return an element's content as Markdown."""
    for table in root.find_all("table"):
        if _is_layout(table):
            _unwrap(table)
    for item in root.find_all("li"):
        _lift(item)
    try:
        text = _Converter(heading_style="ATX", wrap=True, wrap_width=None).convert_soup(root)
    except RecursionError:
        # Nested deeper than any author would: the words are kept, the structure is not.
        text = root.get_text("\n")
    return tidy(text)


def _is_layout(table: Tag) -> bool:
    """Whether a table only arranges blocks on the page, as in newsletters."""
    if table.get("role") == "presentation" or table.find("table"):
        return True
    return all(len(row.find_all(["td", "th"], recursive=False)) <= 1 for row in table.find_all("tr"))


def _unwrap(table: Tag) -> None:
    parts = table.find_all(["thead", "tbody", "tfoot", "tr", "td", "th"])
    own = [part for part in parts if part.find_parent("table") is table]
    for element in (table, *own):
        element.name = "div"


def _lift(item: Tag) -> None:
    """Put a list that is all there is in a list of one item in that list's place: it was only set in."""
    inner, outer = item.find(["ul", "ol"], recursive=False), item.parent
    if not isinstance(inner, Tag) or not outer or len(outer.find_all("li", recursive=False)) > 1:
        return
    if item.get_text(strip=True) == inner.get_text(strip=True):
        outer.replace_with(inner.extract())


class _Converter(MarkdownConverter):
    """Markdownify, with whole tables instead of one row after the other, and nothing escaped but false structure."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cells: dict[int, str] = {}
        self._numbers: dict[int, int] = {}

    def process_text(self, el: Any, parent_tags: Any = None) -> str:
        text = str(super().process_text(el, parent_tags=parent_tags))  # type: ignore[misc]
        opens_line = el.previous_sibling is None or el.previous_sibling.name == "br"
        return _LOOKS_LIKE_SYNTAX.sub(r"\\", text) if opens_line and "pre" not in parent_tags else text

    def escape(self, text: str, parent_tags: Any) -> str:
        return text

    def _as_it_is(self, el: Tag, text: str, parent_tags: Any) -> str:
        return text

    convert_a = convert_b = convert_strong = convert_em = convert_i = _as_it_is

    def convert_hr(self, el: Tag, text: str, parent_tags: Any) -> str:
        return "\n\n"

    def convert_img(self, el: Tag, text: str, parent_tags: Any) -> str:
        return str(el.get("alt") or "")

    def convert_sup(self, el: Tag, text: str, parent_tags: Any) -> str:
        return "" if el.find("a", href=_WITHIN_PAGE) else raised(text)

    def convert_li(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Return an item; counted here, since markdownify counts the items before it for each one anew."""
        sign = f"{self._number(el.parent)}." if el.parent and el.parent.name == "ol" else "-"
        indented = text.strip().replace("\n", "\n" + " " * (len(sign) + 1))
        return f"{sign} {indented}\n" if indented else "\n"

    def _number(self, ordered: Tag) -> int:
        start = str(ordered.get("start") or "1")
        first = int(start) if start.isdecimal() else 1
        self._numbers[id(ordered)] = number = self._numbers.get(id(ordered), first - 1) + 1
        return number

    def convert_code(self, el: Tag, text: str, parent_tags: Any) -> str:
        if el.parent and el.parent.name == "pre":
            return f"{text}\n" if el.find_next_sibling("code") else text
        return str(super().convert_code(el, text, parent_tags))  # type: ignore[misc]

    def convert_pre(self, el: Tag, text: str, parent_tags: Any) -> str:
        longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        code = text.strip("\n")
        return f"\n\n{fence}\n{code}\n{fence}\n\n" if code.strip() else ""

    def convert_td(self, el: Tag, text: str, parent_tags: Any) -> str:
        self._cells[id(el)] = text
        return f" {text.strip()} "

    convert_th = convert_td

    def convert_tr(self, el: Tag, text: str, parent_tags: Any) -> str:
        return text

    def convert_caption(self, el: Tag, text: str, parent_tags: Any) -> str:
        return ""

    def convert_table(self, el: Tag, text: str, parent_tags: Any) -> str:
        caption = el.find("caption")
        title = " ".join(caption.get_text().split()) if caption else ""
        return "\n\n" + f"{title}\n\n{markdown_table(self._grid(el))}".strip("\n") + "\n\n"

    def _grid(self, table: Tag) -> list[list[str]]:
        """Return the cells by row, a cell that spans rows repeated in each: every row can stand alone."""
        grid: list[list[str]] = []
        hanging: dict[int, tuple[int, str]] = {}
        for row in table.find_all("tr"):
            line: list[str] = []
            for cell in row.find_all(["td", "th"], recursive=False):
                _fill(line, hanging)
                text, rows, columns = self._cells.get(id(cell), ""), _span(cell, "rowspan"), _span(cell, "colspan")
                for column in range(len(line), len(line) + columns):
                    if rows > 1:
                        hanging[column] = (rows - 1, text)
                line += [text] + [""] * (columns - 1)
            _fill(line, hanging)
            grid.append(line)
        return grid


def _fill(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Append the cells that hang down from rows above into the next columns."""
    while len(line) in hanging:
        left, text = hanging.pop(len(line))
        if left > 1:
            hanging[len(line)] = (left - 1, text)
        line.append(text)


def _span(cell: PageElement, attribute: str) -> int:
    value = str(cell.get(attribute, "1")) if isinstance(cell, Tag) else "1"
    return min(int(value), _WIDEST_SPAN) if value.isdecimal() and int(value) else 1
