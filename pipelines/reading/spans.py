"""Cells of a table that span several rows or columns, written out row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_REPEATED = 120
"""A longer text is a remark on the table, and is not said again in each column."""

_FIGURE = re.compile(r"(?:[A-Z]{3}\s?)?[-+(\u2212]?\s?[$\u00a3\u20ac]?\s?\d")
"""What a figure begins with."""


class SpannedRows:
    """The rows of a table one after the other; what spans rows stands in each of them.

    Args:
        longest: How long a text may be that is said again in the rows below it, None for any.

    Attributes:
        cells: The row that was begun last, what spans columns in the first of them alone.
        spread: The same row, what spans columns in each of them.
    """

    def __init__(self, longest: int | None = None) -> None:
        self.cells: list[str] = []
        self.spread: list[str] = []
        self._longest = longest
        self._hanging: dict[int, tuple[int, str, str]] = {}

    def begin(self) -> None:
        """Begin the next row."""
        self.cells, self.spread = [], []

    def add(self, text: str, across: int = 1, down: int = 1, *, is_name: bool = False) -> None:
        """Append a cell that spans so many columns and rows; a name of columns stands in each of ``cells``, too."""
        self._fill()
        first = len(self.cells)
        is_repeated = self._longest is None or len(text) <= self._longest
        for column in range(first, first + across):
            shown = text if is_name or column == first else ""
            if down > 1:
                self._hanging[column] = (down - 1, shown, text) if is_repeated else (down - 1, "", "")
            self.cells.append(shown)
            self.spread.append(text)

    def end(self) -> None:
        """Append what hangs down behind the last cell."""
        self._fill()

    def fill_up(self) -> None:
        """Append what hangs down behind the cells that a short row lacks."""
        width = max(self._hanging, default=-1) + 1
        while len(self.cells) < width:
            self.cells.append("")
            self.spread.append("")
            self._fill()

    def clear(self) -> None:
        """Let nothing more hang down."""
        self._hanging.clear()

    def _fill(self) -> None:
        while (column := len(self.cells)) in self._hanging:
            left, shown, text = self._hanging.pop(column)
            if left > 1:
                self._hanging[column] = (left - 1, shown, text)
            self.cells.append(shown)
            self.spread.append(text)


def under_names(names: Sequence[str], cells: Sequence[str], spread: Sequence[str]) -> list[str]:
    """Return a row with what spans columns under the name of each.

    A row of a single value heads those below, or is a remark. A name that spans columns needs its value once, and what
    spans columns before nothing but figures is their label: "To pay" before a sum.

    Args:
        names: The header.
        cells: The row, what spans columns in the first of them alone.
        spread: The row, what spans columns in each of them.
    """
    shown = list(cells)
    if sum(map(bool, cells)) < 2:
        return shown
    for at in range(_label_end(cells, spread), min(len(cells), len(names))):
        is_named = names[at] not in ("", names[at - 1])
        if is_named and not cells[at] and len(spread[at]) <= LONGEST_REPEATED:
            shown[at] = spread[at]
    return shown


def _label_end(cells: Sequence[str], spread: Sequence[str]) -> int:
    """Return the column after the label of a row."""
    end = 1
    while end < len(cells) and not cells[end] and spread[end] == spread[0] != "":
        end += 1
    return end if all(map(_FIGURE.match, filter(None, cells[end:]))) else 1
