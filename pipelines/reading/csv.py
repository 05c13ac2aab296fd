"""CSV: a table, its rows as lines "value | value" below the header, if it has one."""

from __future__ import annotations

import csv
import io
import re
from itertools import dropwhile, islice

from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.reading.tables import YEAR, remarks_below
from pipelines.types import ParsedDocument

_DELIMITERS = ",;\t|"
_TOLD = re.compile(r"sep=(.)\n")
_SAMPLE = 200
_FEW = 2
"""Cells of a line above a table, such as "Account;DE12"."""
_LARGEST_CELL = 2**24
_NUMBER = re.compile(r"(?=.{0,40}$)[-+]?[\d.,\s%€$£]*\d[\d.,\s%€$£]*")

csv.field_size_limit(_LARGEST_CELL)


def read(source: Source) -> ParsedDocument:
    """Return the rows; the first one is the header unless it holds values like the others."""
    rows, lines = _rows(source.text())
    draft = Draft()
    above = _titles(rows)
    for row, line in zip(rows[:above], lines, strict=False):
        draft.add(": ".join(filter(None, row)), "caption", line=line)
    end = len(rows) - remarks_below(rows[above:])
    remarks = list(zip(rows[end:], lines[end:], strict=True))
    rows, lines = rows[above:end], lines[above:end]
    has_header = _has_header(rows)
    if has_header:
        rows[0] = _named(rows)
    if max(map(len, rows), default=0) > 1:
        draft.add_table(rows, has_header=has_header, lines=lines)
    else:
        for place, (row, line) in enumerate(zip(rows, lines, strict=True)):
            draft.add(row[0], "header" if has_header and place == 0 else "row", level=1, line=line)
    for row, line in remarks:
        draft.add(row[0], line=line)
    return draft.finish(source.format, None)


def _titles(rows: list[list[str]]) -> int:
    """Return how many rows at the beginning are titles: they fill few of the columns that most rows have.

    Only a row that names every column ends them; without one they are rows like the others.
    """
    sample = rows[:_SAMPLE]
    widths = [sum(map(bool, row)) for row in sample]
    usual = max(set(widths), key=widths.count, default=0)
    few = (width * 2 <= usual or (width <= _FEW and bool(row[0])) for width, row in zip(widths, sample, strict=True))
    count = next((place for place, title in enumerate(few) if not title), 0)
    named = [name for name in sample[count] if name] if sample else []
    names = usual > _FEW and len(named) >= usual and not any(map(_NUMBER.fullmatch, named))
    return count if names and _has_header(rows[count:]) else 0


def _named(rows: list[list[str]]) -> list[str]:
    """Return the header; a column without a name that has values is called by its number."""
    width = max(map(len, rows))
    names = rows[0] + [""] * (width - len(rows[0]))
    filled = {place for row in rows[1:] for place, value in enumerate(row) if value}
    return [name or (f"column {place + 1}" if place in filled else "") for place, name in enumerate(names)]


def _rows(text: str) -> tuple[list[list[str]], list[int]]:
    """Return the rows that are not empty, and the lines where they begin."""
    declared = _TOLD.match(text)  # Excel's own way to name the delimiter
    body = text[declared.end() :] if declared else text
    delimiter = declared[1] if declared else _delimiter(_sample(body))
    reader = csv.reader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    rows, lines = [], []
    line = 2 if declared else 1
    for row in reader:
        cells = [" ".join(cell.split()) for cell in row]
        if any(cells):
            rows.append(cells)
            lines.append(line)
        line = reader.line_num + (2 if declared else 1)
    return rows, lines


def _sample(text: str) -> list[str]:
    """Return the first lines, without blank ones above them."""
    filled = dropwhile(str.isspace, io.StringIO(text))
    return list(islice(filled, _SAMPLE))


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that makes the most columns in the first line, and as many in the others.

    The first line decides since decimal commas are found only below it; only where it has one column, the usual row.
    """
    if not lines:
        return _DELIMITERS[0]
    widths = {each: _widths(lines, each) for each in _DELIMITERS}
    usual = {each: max(set(found), key=found.count) for each, found in widths.items()}
    return max(_DELIMITERS, key=lambda each: (_score(widths[each], widths[each][0]), _score(widths[each], usual[each])))


def _widths(lines: list[str], delimiter: str) -> list[int]:
    return [len(row) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True) if row]


def _score(widths: list[int], expected: int) -> float:
    return (expected - 1) * (widths.count(expected) / len(widths)) ** 2


def _has_header(rows: list[list[str]]) -> bool:
    """Return whether the first row names the columns: no number heads a column of numbers, no name comes twice."""
    if not rows:
        return False
    first, others = rows[0], rows[1:_SAMPLE]
    named = [name for name in first if name]
    years = _years(first, others)
    numeric = (index for index, name in enumerate(first) if _NUMBER.fullmatch(name) and index not in years)
    return len(set(named)) == len(named) > 0 and not any(_is_numeric(others, index) for index in numeric)


def _years(first: list[str], others: list[list[str]]) -> frozenset[int]:
    """Return the columns that years name beside other names: what is below them is no year."""
    named = [index for index, name in enumerate(first) if YEAR.fullmatch(name)]
    below = {index: [row[index] for row in others if index < len(row) and row[index]] for index in named}
    years = (
        index for index in named if sum(bool(YEAR.fullmatch(value)) for value in below[index]) * 2 < len(below[index])
    )
    return frozenset(years) if len(named) < sum(map(bool, first)) else frozenset()


def _is_numeric(rows: list[list[str]], index: int) -> bool:
    values = [row[index] for row in rows if index < len(row) and row[index]]
    return sum(bool(_NUMBER.fullmatch(value)) for value in values) * 2 > len(values)
