"""The rows of a PDF's table: which of its lines belong together, and what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.reading.pdf.lines import Piece
from pipelines.types import CELL_BREAK

_SHORTEST = 4  # characters of a cell that goes on below: a letter above the entries of an index does not
_GOES_ON = re.compile(r"[^\W\d_]$|[,&/-]$")
_FIGURE = re.compile(r"(?![(\[])[^A-Za-z\d]*\d[^A-Za-z]*")
"""What is not wrapped; in brackets below another it is an error or a range that belongs to that."""
_NEARER = 0.75  # of the space above a line, that is below it at most where it belongs to the line below

_FEWEST_ENTRIES = 5
_MOST_BEGIN = 0.8
_FULL = 0.85  # of the width of a column: a line that was wrapped there is as long
_WRAPPED_WORDS = 3

Row = list[list[Piece]]
"""The pieces in each column."""


def are_entries(lines: Sequence[Row], edges: Sequence[float]) -> bool:
    """Return whether the lines between two rules are rows: most begin in the first column, and in none of the columns
    are they as long as text that was wrapped.
    """
    begun = sum(bool(line[0]) and any(line[1:]) for line in lines)
    if len(lines) < _FEWEST_ENTRIES or begun < _MOST_BEGIN * len(lines):
        return False
    return not any(_is_wrapped([line[at] for line in lines], *edges[at : at + 2]) for at in range(len(edges) - 1))


def _is_wrapped(cells: Sequence[Sequence[Piece]], left: float, right: float) -> bool:
    filled = [cell for cell in cells if cell]
    reached = left + _FULL * (right - left)
    full = sum(cell[-1].x1 > reached and len(cell_text(cell).split()) >= _WRAPPED_WORDS for cell in filled)
    return full * 2 > len(filled)


def joined_rows(lines: Sequence[Row]) -> list[Row]:
    """Return lines as rows: one that has no cell of its own in the first column goes on with the cells above it.

    The first lines of cells in a row whose other cells stand in their middle, and a name's first line above one that
    goes on with it, belong to the line below them.
    """
    joined: list[Row] = []
    waiting: Row | None = None
    for at, line in enumerate(lines):
        row = [list(cell) for cell in line]
        if waiting is not None:
            row = [[*before, *cell] for before, cell in zip(waiting, row, strict=True)]
            waiting = None
        elif at and at + 1 < len(lines) and _belongs_below(lines, at):
            waiting = row
            continue
        above = joined[-1] if joined else None
        if above is not None and (_is_below_cells(row, above) or _is_rest_of_name(row, above)):
            for column, cell in enumerate(row):
                above[column] += cell
        else:
            joined.append(row)
    return joined


def cell_text(cell: Sequence[Piece]) -> str:
    """Return the words of a cell; a word that a narrow column broke behind its hyphen is whole again."""
    text = ""
    for piece in cell:
        text += piece.text if not text or (text[-1] == "-" and text[-2:-1].isalnum()) else f" {piece.text}"
    return text


def _belongs_below(lines: Sequence[Row], at: int) -> bool:
    """Return whether a line begins the row of the next one, and is not the end of the row above it."""
    above, line, below = lines[at - 1 : at + 2]
    cells = [cell_text(cell) for cell in line if cell]
    if not below[0] or not all(len(cell) >= _SHORTEST and _GOES_ON.search(cell) for cell in cells):
        return False
    if not line[0]:
        return _y(below) - _y(line) < _NEARER * (_y(line) - _y(above))
    if len(cells) > 1 or cells[0][0].islower() or not any(below[1:]) or not below[0][0].text[0].islower():
        return False
    behind = lines[at + 2] if at + 2 < len(lines) else None
    return not (behind and behind[0] and behind[0][0].text[0].islower())


def _y(row: Row) -> float:
    return max((piece.y for cell in row for piece in cell), default=0.0)


def _is_below_cells(row: Row, above: Row) -> bool:
    """Return whether a row has nothing in the first column, and only cells that continue those above."""
    filled = sum(map(bool, row))
    below = not row[0] and all(above[at] for at, cell in enumerate(row) if cell)
    return below and filled < max(2, sum(map(bool, above))) and not any(map(_are_figures, row, above))


def _are_figures(cell: Sequence[Piece], above: Sequence[Piece]) -> bool:
    return all(_FIGURE.fullmatch(cell_text(each)) for each in (cell, above))


def _is_rest_of_name(row: Row, above: Row) -> bool:
    """Return whether a row has nothing but the rest of a name that was too long for the first column."""
    if not row[0] or any(row[1:]) or not above[0] or not any(above[1:]):
        return False
    return row[0][0].text[0].islower() and row[0][0].x0 >= above[0][0].x0 - 1


def shown_row(row: Sequence[str]) -> str:
    """Return a row as one line of text."""
    return CELL_BREAK.join(cell.replace(CELL_BREAK, " / ") for cell in row).rstrip(" ")


def are_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows are the items of a list: their numbers, from 1, and one text behind each."""
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    return len(rows) > 1 and all(len(row) == 2 and row[1] for row in rows) and [row[0] for row in rows] == numbers


def without_empty(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows without those, and without the columns, that say nothing."""
    kept = [at for at in range(len(rows[0])) if any(row[at] for row in rows)] if rows else []
    return [[row[at] for at in kept] for row in rows if any(row)]
