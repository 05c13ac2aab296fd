"""Tables in plain text whose columns are separated by spaces or tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import eq
from typing import NamedTuple

from pipelines.reading.marks import mark_of
from pipelines.reading.plain.blocks import PlainTable
from pipelines.types.documents import CELL_BREAK

_GAP = re.compile(r"(?<=\S)(?: {2,}| *\t[ \t]*)(?=\S)")
_RULE = re.compile(r"[ \t]*[-=]{2,}(?:[ \t]+[-=]{2,})*[ \t]*")
_CODE = re.compile(r"[{}();=<>\[\]\\]|#|//|(?<!\w)--?\w|^\s*(?:[$%>]|\d+:)|[\u2500-\u257f]")
_FIGURE = re.compile(r"[$\u20ac\u00a3]?[-+]?\d[\d.,:]*\s?[%\u20ac$\u00a3]?")
_FEWEST_ROWS = 3
_TAB = 8
_SHORT = 20  # characters


class _Row(NamedTuple):
    """A line that may be a row: for each cell its start, the end of its first word, and its end, as columns."""

    cells: tuple[tuple[int, int, int], ...]


def with_cells(lines: Sequence[str]) -> tuple[list[str], list[PlainTable]]:
    """Return the lines with `CELL_BREAK` between the cells of tables and without their rules, and the tables.

    A table is at least three consecutive lines with the same number of cells and aligned columns. Its first line is the
    header if a rule follows it, or if it has words above a column of numbers.
    """
    written, found = list(lines), list[PlainTable]()
    for first, end in _tables(lines):
        rows = [number for number in range(first, end) if _RULE.fullmatch(lines[number]) is None]
        for number in range(first, end):
            written[number] = _GAP.sub(CELL_BREAK, lines[number].rstrip()) if number in rows else ""
        is_named = first + 1 not in rows or _names_columns([written[row].split(CELL_BREAK) for row in rows])
        found.append(PlainTable(tuple(rows), end, has_header=is_named))
    return written, found


def _names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether no cell of the first of some rows is a figure, and a column below it has nothing else."""
    head, *below = ([_FIGURE.fullmatch(cell.strip()) is not None for cell in row] for row in rows)
    return not any(head) and any(map(all, zip(*below, strict=True)))


def _tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line of each table and the line after its last."""
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        rows = [line for line in lines[at:end] if _RULE.fullmatch(line) is None]
        if len(rows) >= _FEWEST_ROWS and sum(_CODE.search(line) is not None for line in rows) * 2 <= len(rows):
            yield at, end
        at = max(end, at + 1)


def _end(lines: Sequence[str], first: int) -> int:
    """Return the line after the aligned rows that begin at ``first``; ``first`` if that line is no row."""
    above = last = _row(lines[first])
    end = first
    while above is not None and last is not None and end < len(lines):
        is_rule = end == first + 1 and _RULE.fullmatch(lines[end]) is not None
        row = _row(lines[end])
        if not is_rule:
            if row is None or not (_aligned(above, row) or _aligned(last, row)):
                break
            last = row  # a figure that is longer than the name of its column ends with the figures above
        end += 1
    return end


def _row(line: str) -> _Row | None:
    shown = line.expandtabs(_TAB).rstrip()
    gaps = [found.span() for found in _GAP.finditer(shown)]
    begin = len(shown) - len(shown.lstrip())
    if not gaps or mark_of(shown.strip()) or CELL_BREAK in line:
        return None
    starts, ends = [begin, *(gap[1] for gap in gaps)], [*(gap[0] for gap in gaps), len(shown)]
    words = [shown.find(" ", start, end) for start, end in zip(starts, ends, strict=True)]
    return _Row(
        tuple((start, word if word > 0 else end, end) for start, word, end in zip(starts, words, ends, strict=True))
    )


def _aligned(above: _Row, row: _Row) -> bool:
    """Return whether each cell is aligned with the cell above: by its start, the end of its first word, or its end.

    The end counts for short cells alone, as numbers are: prose with even margins has gaps too, and ends in one column.
    """
    if len(above.cells) != len(row.cells):
        return False
    return all(
        any(map(eq, upper[:-1], lower[:-1])) or _end_together(upper, lower)
        for upper, lower in zip(above.cells, row.cells, strict=True)
    )


def _end_together(*cells: tuple[int, int, int]) -> bool:
    return len({end for _, _, end in cells}) == 1 and all(end - start <= _SHORT for start, _, end in cells)
