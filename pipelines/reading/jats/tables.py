"""The tables of a JATS article as rows of cells."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from pipelines.reading.jats.inline import line

_MOST_CELLS = 50_000
"""Cells of a table with those that spans fill; beyond them a cell is taken once."""


def table_rows(table: etree._Element) -> tuple[list[list[str]], bool]:
    """Return the rows, a cell that spans several in each of them, and whether the first names the columns."""
    rows = list(table.iter("tr"))
    grid = _grid(rows)
    height = next((at for at, row in enumerate(rows) if not _is_header(row)), len(rows))
    if height == 0 or height == len(grid):
        return grid, height > 0
    return [_merged(grid[:height]), *grid[height:]], True


def _is_header(row: etree._Element) -> bool:
    parent = row.getparent()
    if parent is not None and parent.tag == "thead":
        return True
    return len(row) > 0 and all(cell.tag == "th" for cell in row)


def _grid(rows: Sequence[etree._Element]) -> list[list[str]]:
    spanning: dict[int, tuple[int, str]] = {}  # by column: how many rows more, and the text
    room = _MOST_CELLS
    grid = []
    for row in rows:
        cells: list[str] = []
        for cell in row.iterchildren("td", "th"):
            _fill(cells, spanning)
            text, wide, high = line(cell), _span(cell, "colspan"), _span(cell, "rowspan")
            if wide * high > room:
                wide = high = 1
            room -= wide * high
            for _ in range(wide):
                if high > 1:
                    spanning[len(cells)] = high - 1, text
                cells.append(text)
        _fill(cells, spanning)
        grid.append(cells)
    return grid


def _fill(cells: list[str], spanning: dict[int, tuple[int, str]]) -> None:
    """Append the cells of rows above that reach into this one."""
    while len(cells) in spanning:
        place = len(cells)
        left, text = spanning.pop(place)
        if left > 1:
            spanning[place] = left - 1, text
        cells.append(text)


def _span(cell: etree._Element, name: str) -> int:
    written = cell.get(name) or ""
    return max(int(written), 1) if written.isdecimal() and len(written) < 6 else 1


def _merged(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return one name for each column, of what stands above it; repetitions are left out."""
    width = max(map(len, rows))
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    return [" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*padded, strict=True)]
