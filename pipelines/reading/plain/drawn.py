"""Tables in plain text that are drawn with lines, as editors and database clients draw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from pipelines.reading.plain.blocks import PlainTable
from pipelines.types import CELL_BREAK

_BORDER = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_FENCED = re.compile(r"[ \t]*\|.*\|[ \t]*")
_OF_DIVIDER = frozenset("-:=|+ \t")
_CROSSING = re.compile(r"[|+]")
_FEWEST_COLUMNS = 2


class _Drawn(NamedTuple):
    """A table: the cells of each row by the number of its line, none if it is no table; and the line after it."""

    rows: dict[int, list[str]]
    end: int


def with_drawn_cells(lines: Sequence[str]) -> tuple[list[str], list[PlainTable]]:
    """Return the lines with `CELL_BREAK` between the cells of drawn tables and without what is drawn, and the tables.

    Three ways to draw are known: a box with ``+---+`` around rows such as ``| a | b |``; such rows with ``|---|---|``
    below the first; and rows such as ``a | b`` with ``---+---`` below the first. The first row is the header. If a box
    has a rule below each row, or one of ``=``, rows may be several lines high; each is written into its first line.
    """
    written, tables = list(lines), list[PlainTable]()
    at = 0
    while at < len(lines):
        drawn = _boxed(lines, at) if _is_border(lines[at]) else _divided(lines, at)
        if not drawn.rows:
            at = drawn.end
            continue
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        written[at : drawn.end] = [""] * (drawn.end - at)
        for number, cells in drawn.rows.items():
            written[number] = (indent + CELL_BREAK.join(cells)).rstrip()
        tables.append(PlainTable(tuple(drawn.rows), drawn.end, has_header=True))
        at = drawn.end
    return written, tables


def _boxed(lines: Sequence[str], first: int) -> _Drawn:
    """Return the table in the box that begins with the border at a line."""
    end = _end(lines, first, lambda line: _is_border(line) or _FENCED.fullmatch(line) is not None)
    if not _is_border(lines[end - 1]):
        return _Drawn({}, end)
    groups = [
        list(group)
        for border, group in groupby(range(first, end), lambda number: _is_border(lines[number]))
        if not border
    ]
    has_double = any("=" in lines[number] for number in range(first, end) if _is_border(lines[number]))
    if len(groups) > 2 or has_double:
        rows = {group[0]: _merged(_cells(lines[number]) for number in group) for group in groups}
    else:
        rows = {number: _cells(lines[number]) for number in chain.from_iterable(groups)}
    return _table(rows, end)


def _divided(lines: Sequence[str], first: int) -> _Drawn:
    """Return the table that begins at a line and has a rule below its first row."""
    if "|" not in lines[first] or first + 1 == len(lines) or not _is_divider(lines[first + 1]):
        return _Drawn({}, first + 1)
    columns = len(_cells(lines[first]))
    if len(_cells(_CROSSING.sub("|", lines[first + 1]))) != columns:
        return _Drawn({}, first + 1)
    end = _end(lines, first + 2, lambda line: "|" in line and len(_cells(line)) == columns)
    rows = {number: _cells(lines[number]) for number in (first, *range(first + 2, end))}
    return _table(rows, end)


def _table(rows: dict[int, list[str]], end: int) -> _Drawn:
    """Return the table if there is a row below the header and all rows have the same number of cells."""
    columns = {len(cells) for cells in rows.values()}
    is_table = len(rows) > 1 and len(columns) == 1 and min(columns) >= _FEWEST_COLUMNS
    return _Drawn(rows if is_table else {}, end)


def _end(lines: Sequence[str], first: int, belongs: Callable[[str], bool]) -> int:
    """Return the first line from ``first`` on that does not belong to a table."""
    return next((number for number in range(first, len(lines)) if not belongs(lines[number])), len(lines))


def _is_divider(line: str) -> bool:
    return "--" in line and _OF_DIVIDER.issuperset(line)


def _is_border(line: str) -> bool:
    return _BORDER.fullmatch(line) is not None


def _cells(line: str) -> list[str]:
    return [" ".join(cell.split()) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _merged(lines: Iterable[Sequence[str]]) -> list[str]:
    """Return the cells of a row that is several lines high; none if its lines have different numbers of cells."""
    rows = list(lines)
    if len({len(row) for row in rows}) > 1:
        return []
    return [" ".join(filter(None, parts)) for parts in zip(*rows, strict=True)]
