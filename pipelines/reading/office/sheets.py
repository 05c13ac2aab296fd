"""Sheets of workbooks: stretches of rows between empty ones, each a table with its title and its header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.tables import heads_columns, remarks_above, remarks_below, tables_beside

MOST_CELLS = 2_000_000
"""Cells of a workbook, the empty ones that a file repeats included."""


class CellBudget:
    """How many cells of a workbook may still be read."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._left = MOST_CELLS

    def spend(self, cells: int) -> None:
        """Take cells from the budget.

        Raises:
            CorruptDocument: None are left.
        """
        self._left -= cells
        if self._left < 0:
            raise CorruptDocument(self._label, f"it has more than the {MOST_CELLS:,} cells that are read; split it")


def add_sheet(
    draft: Draft,
    name: str,
    rows: Iterable[Sequence[str]],
    pictures: Sequence[str] = (),
    boxes: Sequence[str] = (),
) -> None:
    """Append a sheet that is not empty, its name a heading, and at its end what lies on it.

    Args:
        draft: What is appended to.
        name: The sheet's.
        rows: The texts of its cells.
        pictures: The texts of the blocks of its pictures.
        boxes: The paragraphs of its text boxes.
    """
    stretches = list(_stretches(rows))
    if stretches or pictures or boxes:
        draft.add_heading(1, name)
    for stretch in stretches:
        for columns in tables_beside(stretch):
            _add_stretch(draft, [row[columns] for row in stretch if any(row[columns])])
    for box in boxes:
        draft.add(box)
    for picture in pictures:
        draft.add(picture, "picture")


def _stretches(rows: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    stretch: list[Sequence[str]] = []
    for row in rows:
        if any(row):
            stretch.append(row)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _add_stretch(draft: Draft, rows: list[Sequence[str]]) -> None:
    """Append a table; rows of one cell above it, and remarks, are its titles, which lead into it."""
    count = sum(1 for _ in takewhile(_is_single, rows))
    count += remarks_above(rows[count:])
    titles, table = rows[:count], rows[count:]
    if not table:
        titles, table = [], rows
    for title in titles:
        draft.add(" ".join(" ".join(title).split()), "caption")
    end = len(table) - remarks_below(table)
    draft.add_table(table[:end], has_header=heads_columns(table))
    for remark in table[end:]:
        draft.add(" ".join(" ".join(remark).split()))


def _is_single(row: Sequence[str]) -> bool:
    return sum(bool(cell) for cell in row) == 1
