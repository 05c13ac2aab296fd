"""The tables of HTML as rows of texts."""

from __future__ import annotations

from itertools import dropwhile
from typing import NamedTuple

from bs4 import Tag
from bs4.element import PageElement

from pipelines.reading.html.words import cell_text
from pipelines.reading.spans import SpannedRows, under_names
from pipelines.reading.tables import heads_columns, is_above_figures, joined_header, names_values

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TEXTS = ("p", "ul", "ol", "div")
_WIDEST_SPAN = 1000
_PAIR = 2
"""Columns of a table that more often says one thing of another in each row than has unmarked names above them."""
_MARKED = ":is(table.tableblock, .informaltable > table, .table-contents > table)"
"""Tables of programs that mark each header: AsciiDoc's and DocBook's."""
_MOST_CELLS = 50_000


class TableRows(NamedTuple):
    """A table: the title in its first row, if it has one, and the rows below it, with or without a header."""

    title: str
    rows: list[list[str]]
    has_header: bool


class _Row(NamedTuple):
    cells: list[str]
    names: bool  # all its cells are headers
    title: bool  # it is one cell as wide as the table
    labelled: bool  # its first cell names it, and no other is a header
    spread: list[str]  # its cells, each in all the columns that it spans


def is_layout(table: Tag) -> bool:
    """Return whether a table only arranges blocks on the page, as in newsletters."""
    if table.get("role") == "presentation" or table.find("table") or _holds_sections(table):
        return True
    return all(len(row.find_all(["td", "th"], recursive=False)) <= 1 for row in table.find_all("tr"))


def _holds_sections(table: Tag) -> bool:
    """Return whether a cell has a heading with text below it: columns of a page, no values of anything."""
    headings = table.find_all(_HEADINGS) if table.find("th") is None else []
    parents = {id(heading.parent): heading.parent for heading in headings if heading.parent is not None}
    return any(map(_has_text_below, parents.values()))


def _has_text_below(parent: Tag) -> bool:
    """Return whether a heading inside of an element has text below it."""
    names = (child.name for child in parent.children if isinstance(child, Tag))
    behind = dropwhile(lambda name: name not in _HEADINGS, names)
    return any(name in _TEXTS for name in behind)


def table_rows(table: Tag) -> TableRows:
    """Return a table's rows, a cell that spans several rows or named columns in each: every row can stand alone."""
    rows = [row for row in _expanded(table) if any(row.cells)]
    title = rows.pop(0).cells[0] if len(rows) > 1 and rows[0].title else ""
    count = next((index for index, row in enumerate(rows) if not row.names), len(rows))
    if count == len(rows):
        count = min(1, count)
    if count:
        return _headed(title, _merged(rows[:count]), rows[count:])
    cells = [row.cells for row in rows]
    if table.css.match(_MARKED):
        return TableRows(title, cells, has_header=False)
    header = joined_header(rows[0].spread, cells[0], cells[1:]) if rows else None
    if header:
        return _headed(title, header, rows[2:])
    labelled = all(row.labelled for row in rows)
    is_headed = _is_bold(table) or is_above_figures(cells) or names_values(cells)
    paired = max(map(len, cells), default=0) == _PAIR and not is_headed
    if not labelled and not paired and heads_columns(cells):
        return _headed(title, cells[0], rows[1:])
    return TableRows(title, cells, has_header=False)


def _headed(title: str, names: list[str], rows: list[_Row]) -> TableRows:
    shown = (under_names(names, row.cells, row.spread) for row in rows)
    return TableRows(title, [names, *shown], has_header=True)


def _is_bold(table: Tag) -> bool:
    """Return whether the first row stands out."""
    first = table.find("tr")
    cells = first.find_all("td", recursive=False) if isinstance(first, Tag) else []
    return all(cell.find(["b", "strong"]) is not None for cell in cells)


def _merged(rows: list[_Row]) -> list[str]:
    """Return the rows of a header as one: a name that stands over several columns before the name of each."""
    width = max(len(row.cells) for row in rows)
    columns = [[row.cells[index] for row in rows if index < len(row.cells)] for index in range(width)]
    return [": ".join(dict.fromkeys(filter(None, names))) for names in columns]


def _expanded(table: Tag) -> list[_Row]:
    """Return the rows with their spans written out, until they are as many cells as any honest table has."""
    found: list[_Row] = []
    spanned = SpannedRows()
    total = 0
    for row in table.find_all("tr"):
        cells = row.find_all(["td", "th"], recursive=False)
        in_head = row.parent is not None and row.parent.name == "thead"
        names = bool(cells) and (in_head or all(cell.name == "th" for cell in cells))
        spanned.begin()
        for cell in cells:
            text = cell_text(cell, " " if names else " / ")
            down, across = (_span(cell, "rowspan"), _span(cell, "colspan")) if total < _MOST_CELLS else (1, 1)
            spanned.add(text, across, down, is_name=names)
        spanned.end()
        only = len(cells) == 1 and len(spanned.cells) > 1
        spanned.fill_up()
        total += len(spanned.cells)
        if total >= _MOST_CELLS:
            spanned.clear()
        headers = [cell.name == "th" and bool(cell.get_text(strip=True)) for cell in cells]
        labelled = headers[:1] == [True] and not any(headers[1:])
        if cells:  # otherwise it repeats what hangs down, and says nothing of its own
            found.append(_Row(spanned.cells, names and not only, only, labelled, spanned.spread))
    return found


def _span(cell: PageElement, attribute: str) -> int:
    value = str(cell.get(attribute, "1")) if isinstance(cell, Tag) else "1"
    return min(int(value), _WIDEST_SPAN) if value.isdecimal() and len(value) < 10 and int(value) else 1
