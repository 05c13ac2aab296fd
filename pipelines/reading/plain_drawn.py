"""Tables in plain text that are drawn with lines, as editors and database clients draw them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, takewhile
from typing import NamedTuple

from pipelines.reading.plain import PlainTable
from pipelines.types import CELL_BREAK

_BORDER = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_FENCED = re.compile(r"[ \t]*\|.*\|[ \t]*")
_DIVIDER = re.compile(r"[-:=|+ \t]*-{2}[-:=|+ \t]*")
_CROSSING = re.compile(r"[|+]")
_FEWEST_COLUMNS = 2


class _Drawn(NamedTuple):
    """A table: the cells of each row by the number of its line, and the line after the table."""

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
        drawn = _boxed(lines, at) or _divided(lines, at)
        if drawn is None:
            at += 1
            continue
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        written[at : drawn.end] = [""] * (drawn.end - at)
        for number, cells in drawn.rows.items():
            written[number] = (indent + CELL_BREAK.join(cells)).rstrip()
        tables.append(PlainTable(tuple(drawn.rows), drawn.end, has_header=True))
        at = drawn.end
    return written, tables


def _boxed(lines: Sequence[str], first: int) -> _Drawn | None:
    """Return the table in a box that begins at a line; None if there is none."""
    if not _is_border(lines[first]):
        return None
    box = list(takewhile(lambda line: _is_border(line) or _FENCED.fullmatch(line), lines[first:]))
    if not _is_border(box[-1]):
        return None
    numbered = enumerate(box, first)
    groups = [list(group) for border, group in groupby(numbered, lambda line: _is_border(line[1])) if not border]
    if len(groups) > 2 or any("=" in line for line in box if _is_border(line)):
        rows = {group[0][0]: _merged(_cells(line) for _, line in group) for group in groups}
    else:
        rows = {number: _cells(line) for number, line in chain.from_iterable(groups)}
    return _table(rows, first + len(box))


def _divided(lines: Sequence[str], first: int) -> _Drawn | None:
    """Return the table that begins at a line and has a rule below its first row; None if there is none."""
    if "|" not in lines[first] or first + 1 == len(lines) or not _DIVIDER.fullmatch(lines[first + 1]):
        return None
    columns = len(_cells(lines[first]))
    if len(_cells(_CROSSING.sub("|", lines[first + 1]))) != columns:
        return None
    below = list(takewhile(lambda line: "|" in line and len(_cells(line)) == columns, lines[first + 2 :]))
    rows = {first: _cells(lines[first]), **{number: _cells(line) for number, line in enumerate(below, first + 2)}}
    return _table(rows, first + 2 + len(below))


def _table(rows: dict[int, list[str]], end: int) -> _Drawn | None:
    """Return the table if there is a row below the header and all rows have the same number of cells."""
    columns = {len(cells) for cells in rows.values()}
    is_table = len(rows) > 1 and len(columns) == 1 and min(columns) >= _FEWEST_COLUMNS
    return _Drawn(rows, end) if is_table else None


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
