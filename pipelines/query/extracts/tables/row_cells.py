"""The cells of rows, one by one or shown as a list: in a wide row, a single cell answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import MOST_WORDS
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.types import Block

ASKING = "come comes get gets give given gives have include included includes many much number of offer offers with"
"""Words of questions about a row that say nothing of what is asked."""
_FEWEST_COLUMNS = 3
"""Of a row with several values."""
_MOST_CELLS = 8
_OF_OTHERS = re.compile(
    r"\b(?:boss|deputy|manager|parent|predecessor|replaced|reports?|substitute|successor|superior|supervisor)\b",
    re.IGNORECASE,
)


def cells_of(row: Passage) -> list[str]:
    """Return each cell of a row beside the row's name, as "Boat: Skiff; Berth: £31"; none without a header."""
    if row.kind != "row" or row.computed_for:
        return []
    header, entries = whole_table(row)
    entry = next((one for one in entries if one.span.start == row.span.start), None)
    if header is None or entry is None:
        return []
    shower = ExtractRenderer(row.stored.text)
    names, cells = shower.cells(header), shower.cells(entry)
    if len(names) < _FEWEST_COLUMNS or not cells[0]:
        return []
    first = f"{names[0]}: {cells[0]}" if names[0] else cells[0]
    beside = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=False) if name and cell]
    return [f"{first}; {one}" for one in beside[:_MOST_CELLS]]


def cell_at(row: Sequence[str], column: int) -> str:
    """Return the cell of a row in a column; empty where the row is shorter."""
    return row[column] if column < len(row) else ""


def holds_others(name: str) -> bool:
    """Return whether a column holds the names or roles of others than a row is of: "Reports to"."""
    return _OF_OTHERS.search(name) is not None


def rows_shown(kept: Sequence[Block], header: Block, shower: ExtractRenderer) -> str:
    """Return rows as a list, each with the names of its columns, or no more than their first two cells if that is too
    much; empty if these are too many too.
    """
    whole = "\n".join(f"- {shower.row(row, header)}" for row in kept)
    if word_count(whole) <= MOST_WORDS:
        return whole
    names = shower.cells(header)
    short = "\n".join(
        f"- {'; '.join(f'{name}: {cell}' for name, cell in zip(names[:2], shower.cells(row)[:2], strict=False))}"
        for row in kept
    )
    return without_citations(short) if word_count(short) <= MOST_WORDS else ""
