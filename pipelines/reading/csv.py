"""CSV: each row as a line of its own, "header: value; header: value".

A Markdown table would name its columns once, and no chunk but the first would hold the names; a question asks for both
("the phone number of Vega-Gentry"), so each row repeats the names of the values that it has.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_DELIMITERS = ",;\t|"
_TOLD = re.compile(r"sep=(.)\n")
_SAMPLE = 200
_LARGEST_CELL = 2**24
_NUMBER = re.compile(r"(?=.{0,40}$)[-+]?[\d.,\s%€$£]*\d[\d.,\s%€$£]*")

csv.field_size_limit(_LARGEST_CELL)


def read(source: Source) -> ParsedDocument:
    """Return the rows as paragraphs; the first row is the header unless it holds values like the others."""
    rows = _rows(source.text())
    header, body = (rows[0], rows[1:]) if _has_header(rows) else ([], rows)
    records = (_record(_cells(header, row)) for row in body)
    text = "\n\n".join(line for line in records if line)
    return ParsedDocument(text or "; ".join(filter(None, header)), source.format.media_type)


def _record(cells: Iterator[tuple[str, str]]) -> str:
    """Return named values on one line, without those that are empty."""
    return "; ".join(f"{name}: {value}" if name else value for name, value in cells if value)


def _rows(text: str) -> list[list[str]]:
    told = _TOLD.match(text)  # Excel's own way to name the delimiter
    body = text[told.end() :] if told else text
    delimiter = told[1] if told else _delimiter(body.split("\n", _SAMPLE)[:_SAMPLE])
    rows = csv.reader(io.StringIO(body), delimiter=delimiter, skipinitialspace=True)
    cleaned = ([" ".join(cell.split()) for cell in row] for row in rows)
    return [row for row in cleaned if any(row)]


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that makes the most columns in the first line, and as many in the others.

    The first line decides since decimal commas are found only below it; only where it has one column, the usual row.
    """
    widths = {each: _widths(lines, each) for each in _DELIMITERS}
    usual = {each: max(set(found), key=found.count) for each, found in widths.items()}
    return max(_DELIMITERS, key=lambda each: (_score(widths[each], widths[each][0]), _score(widths[each], usual[each])))


def _widths(lines: list[str], delimiter: str) -> list[int]:
    return [len(row) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True) if row]


def _score(widths: list[int], expected: int) -> float:
    return (expected - 1) * (widths.count(expected) / len(widths)) ** 2


def _has_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: no number heads a column of numbers, no name comes twice."""
    if not rows:
        return False
    first, others = rows[0], rows[1:_SAMPLE]
    named = [name for name in first if name]
    numeric = (index for index, name in enumerate(first) if _NUMBER.fullmatch(name))
    return len(set(named)) == len(named) > 0 and not any(_is_numeric(others, index) for index in numeric)


def _is_numeric(rows: list[list[str]], index: int) -> bool:
    values = [row[index] for row in rows if index < len(row) and row[index]]
    return sum(bool(_NUMBER.fullmatch(value)) for value in values) * 2 > len(values)


def _cells(header: list[str], row: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each value with the name of its column; where the header has none, its number."""
    for index, value in enumerate(row):
        name = header[index] if index < len(header) else ""
        yield (name or f"column {index + 1}" if header else "", value)
