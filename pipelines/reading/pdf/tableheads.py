"""The first rows of a PDF's table: which of them name the columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipelines.reading.pdf.lines import DASHES, Piece
from pipelines.reading.pdf.rules import Grid
from pipelines.reading.pdf.tablerows import Row, cell_text
from pipelines.reading.tables import begins_with_value, is_fact

NUMERIC = re.compile(r"[^A-Za-z\d]*\d[^A-Za-z]*")
_LABELLED = re.compile(r"([^:]{1,30}): \S")
_YEAR = re.compile(r"(?:19|20)\d\d(?:\s?[/\u2013-]\s?(?:(?:19|20)\d)?\d{1,2})?")
_REFERENCE = re.compile(r"[A-Z]{1,6}[-/]\d{3,}")
"""The number of an invoice, an order or a rule: "QX-40417"."""
_AMOUNT = re.compile(r"[(+\u2212-]?[$€£¥]\s?\d[\d.,]*\)?|\d[\d.,]*\s?(?:[$€£¥%]|EUR|GBP|USD)")
_CENTRED = 0.2
_LONGEST_HEADER = 3
_LONGEST_ABOVE_LABELS = 7  # of lines that leave the column of the labels empty, but for the last one


@dataclass(frozen=True)
class Head:
    """The lines of the first row of a table, which names its columns if it has a header."""

    lines: tuple[Row, ...]
    edges: tuple[float, ...]
    grid: Grid | None

    def names(self, row: Row) -> list[str]:
        """Return the name of each column; one that stands in the middle above several names each of them."""
        names = list(map(cell_text, row))
        middles = [(start + end) / 2 for start, end in pairwise(self.edges)]
        for cell in filter(None, row):
            walls = walls_beside(self.grid, cell[0]) if self.grid else []
            middle = (min(piece.x0 for piece in cell) + max(piece.x1 for piece in cell)) / 2
            place = bisect_right(walls, middle)
            if not 0 < place < len(walls):
                continue
            left, right = walls[place - 1 : place + 1]
            if abs((left + right) / 2 - middle) < _CENTRED * (right - left):
                names = [
                    cell_text(cell) if left < at < right and not below else name
                    for at, name, below in zip(middles, names, row, strict=True)
                ]
        return names


def walls_beside(grid: Grid, piece: Piece) -> list[float]:
    """Return where rules stand on the line of a piece."""
    y = piece.y - 0.4 * piece.size
    return sorted(rule.at for rule in grid.standing if rule.start <= y <= rule.end)


def header_height(rows: Sequence[Row], grid: Grid | None) -> int:
    """Return how many rows name the columns; 0 if the first does not."""
    return 0 if _is_headless(rows, grid) else _height(rows)


def _is_headless(rows: Sequence[Row], grid: Grid | None) -> bool:
    """Return whether the first row names no columns: it is one of entries, of facts, or of cells with labels."""
    below = [[cell_text(cell) for cell in column[1:] if cell] for column in zip(*rows, strict=True)]
    if any(map(_have_labels, below)) or begins_with_value([list(map(cell_text, row)) for row in rows]):
        return True
    if all(len(letter := cell_text(row[0])) == 1 and letter.isalpha() for row in rows):
        return True
    if grid is None:
        return _are_entries(rows)
    if len(rows[0]) != 2 or all(piece.bold for cell in rows[0] for piece in cell):
        return False
    figures = sum(bool(NUMERIC.fullmatch(text)) for text in below[1])
    first = cell_text(rows[0][1])
    is_value = is_fact(first) or _REFERENCE.match(first) is not None or _are_bold_labels(rows)
    return is_value and figures * 2 <= len(below[1])


def _are_bold_labels(rows: Sequence[Row]) -> bool:
    """Return whether each row of two cells is a label in bold and a value that is not."""
    pairs = [(label, value) for label, value in rows if label and value]
    bold = [[all(piece.bold for piece in cell) for cell in pair] for pair in pairs]
    return len(bold) > 1 and all(pair == [True, False] for pair in bold)


def _have_labels(cells: Sequence[str]) -> bool:
    """Return whether most cells of a column begin with labels, each with another one."""
    labels = [found[1] for cell in cells if (found := _LABELLED.match(cell))]
    return len(set(labels)) == len(labels) > 1 and len(labels) * 2 > len(cells)


def _are_entries(rows: Sequence[Row]) -> bool:
    """Return whether each row is a term with what it means, or a chapter with its page, and the first no header."""
    if len(rows[0]) != 2 or not rows[0][0]:
        return False
    first, *below = (cell_text(row[1]) for row in rows)
    if NUMERIC.fullmatch(first):
        return not _YEAR.fullmatch(first)
    return not all(piece.bold for cell in rows[0] for piece in cell) and not any(map(NUMERIC.fullmatch, below))


def _height(rows: Sequence[Row]) -> int:
    """Return how many rows name the columns: those above the figures, if there are figures; 0 if the first is a row."""
    shown = [[cell_text(cell) for cell in row] for row in rows]
    figures = [sum(bool(NUMERIC.fullmatch(text)) for text in row) for row in shown]
    figures[0] -= _years_above_figures(shown)
    filled = [sum(map(bool, row)) for row in shown]
    bold = [all(piece.bold for cell in row for piece in cell) for row in rows]
    stands_out = bold[0] and not all(bold) and not NUMERIC.fullmatch(shown[0][0])
    if any(text.endswith(":") for text in shown[0]):
        return 0
    if not stands_out and (figures[0] * 2 > filled[0] or _begins_with_amount(shown)):
        return 0
    height = 1
    most, first = _LONGEST_HEADER, 0
    if not any(row[0] for row in shown[:_LONGEST_HEADER]):
        most, first = _LONGEST_ABOVE_LABELS, next((at for at, count in enumerate(figures) if count), 0)
    nothing = sum(text.lstrip("$€£¥ ") in DASHES for row in shown[first:] for text in row)
    numbered = sum(figures[first:]) * 2.5 > sum(filled[first:]) - nothing
    while height < min(most, len(rows) - 1):
        is_sum = bool(shown[height][0]) and figures[height] * 2 >= filled[height] > 0
        stands_out = bold[height] and not all(bold) and not is_sum
        named = filled[height] > 1 and ((figures[height] == 0 and numbered) or stands_out)
        if not named or (bold[0] and not bold[height] and filled[0] * 2 > len(shown[0])):
            break
        height += 1
    return height


def _begins_with_amount(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has an amount of money, or a percentage, above others."""
    columns = ([text for text in column if text] for column in zip(*rows, strict=True) if column[0])
    return any(
        len(column) > 1
        and _AMOUNT.fullmatch(column[0])
        and sum(map(bool, map(_AMOUNT.fullmatch, column))) * 2 > len(column)
        for column in columns
    )


def _years_above_figures(rows: Sequence[Sequence[str]]) -> int:
    """Return how many years of the first row name columns, as what is below them is something else."""
    years = [at for at, text in enumerate(rows[0]) if _YEAR.fullmatch(text)]
    return sum(sum(bool(_YEAR.fullmatch(row[at])) for row in rows[1:]) * 2 < len(rows) - 1 for at in years)
