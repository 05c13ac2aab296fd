"""Finds the row of a table whose name and column a question says: "What support does the Team edition get?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.row_cells import ASKING, cell_at
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.properties import properties_of, with_properties
from pipelines.query.terms import Terms
from pipelines.types import Block

_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 3
_MOST_ROWS = 2000
_MOST_CELLS = 8
_OF_ANOTHER = re.compile(
    r"\b(?:boss|deputy|manager|parent|predecessor|replaced|reports?|substitute|successor|superior|supervisor)\b",
    re.IGNORECASE,
)
"""The name of a column that holds the names or roles of others: "Reports to"."""


def rows_looked_up(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return the row of a table that a question names together with one of its columns, and with nothing else.

    None is returned where rows of several tables, or several rows of one, are named so.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    found = [passage for rows in tables if rows for passage in _looked_up(question, rows, terms)]
    return found if len(found) == 1 else []


def _looked_up(question: str, rows: Sequence[Passage], terms: Terms) -> list[Passage]:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return []
    shower, asked = ExtractRenderer(rows[0].stored.text), terms(question)
    properties = terms(" ".join(properties_of(question)))
    label, *columns = shower.cells(header)
    named = [column for column in columns if (words := terms(column)) and (words <= asked or words & properties)]
    if not named or len(columns) < _FEWEST_COLUMNS - 1:
        return []
    place = " ".join((rows[0].hit.title, *rows[0].headings, label, *named, ASKING))
    left = asked - terms(with_properties(question, place))
    called = _called([(entry, shower.cells(entry)) for entry in entries], [label, *columns], left, asked, terms)
    return [
        replace(rows[0], span=entry.span, shown=_shown(entry, header, named, shower), computed_for=question)
        for entry in called
    ]


def _called(
    entries: Sequence[tuple[Block, Sequence[str]]],
    names: Sequence[str],
    left: frozenset[int],
    asked: frozenset[int],
    terms: Terms,
) -> list[Block]:
    """Return the rows of which a cell says what else is asked, and nothing besides.

    That is the name of the row; where no row has it, it is a role, which does not stand below "Reports to".
    """
    own = [at for at, name in enumerate(names[:_MOST_CELLS]) if at and not _OF_ANOTHER.search(name)]
    for columns in ([0], own):
        said = [(entry, [terms(cell_at(cells, at)) for at in columns]) for entry, cells in entries]
        called = [entry for entry, told in said if any(one and left <= one <= asked for one in told)]
        if called:
            return called
    return []


def _shown(entry: Block, header: Block, named: Sequence[str], shower: ExtractRenderer) -> str:
    """Return a row with the names of its columns; a cell that is asked for and empty says "none"."""
    names, cells = shower.cells(header), shower.cells(entry)
    empty = [f"{name}: none" for at, name in enumerate(names) if name in named and not cell_at(cells, at)]
    return "; ".join((shower.row(entry, header), *empty))
