"""Tables of AsciiDoc: their cells by row, and whether the first row is a header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipelines.reading.asciidoc.lines import Line

_MOST_COLUMNS = 200
_MOST_CELLS = 50_000
# What may stand before a cell's bar: how often it is repeated, what it spans, how it is set.
_SPECIFIER = (
    r"(?:(\d{1,3})\*|(?=[\d.])(\d{0,3})(?:\.(\d{1,3}))?\+)?(?:[<^>](?:\.[<^>])?|(?:[<^>]?\.)?[<^>])?[adehlmsv]?$"
)
_SPECIFIED = re.compile(rf"(?<=\s){_SPECIFIER}")
_SPECIFIED_FIRST = re.compile(rf"(?:^|(?<=\s)){_SPECIFIER}")
"""The same before the first bar of a line, where it may be all that stands there."""
_BAR = re.compile(r"(?<!\\)\|")
_COLUMNS = re.compile(r"""cols\s*=\s*("[^"]{0,500}"|'[^']{0,500}'|[^,\]]{1,100})""")
_REPEATED = re.compile(r"(\d{1,3})\*")
_OPTIONS = re.compile(r"%[\w%]{0,80}header|options\s*=\s*\"?[\w,]{0,80}header|opts\s*=\s*\"?[\w,]{0,80}header")
_NO_HEADER = re.compile(r"noheader")


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table by row as they are written, the line of each row, and whether the first is a header."""

    rows: list[list[str]]
    lines: list[int]
    has_header: bool


class _Cell(NamedTuple):
    text: str
    line: int
    down: int
    """How many rows it spans."""


def table_of(lines: Sequence[Line], attributes: str, delimiter: str) -> Table:
    """Return the table between two delimiters, as its block's attributes describe it."""
    if delimiter.startswith((",", ":")) or "format=csv" in attributes or "format=dsv" in attributes:
        return _separated(lines, attributes, ":" if delimiter.startswith(":") or "dsv" in attributes else ",")
    cells, first_width = _cells(lines)
    width = _columns(attributes) or first_width
    rows, numbers = _laid_out(cells, width)
    return Table(rows, numbers, _has_header(lines, attributes))


def _laid_out(cells: Sequence[_Cell], width: int) -> tuple[list[list[str]], list[int]]:
    """Return cells by row with the line of each row; one that spans rows stands in each."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    hanging: dict[int, tuple[int, str]] = {}
    for cell in cells:
        while not rows or len(rows[-1]) >= width:
            rows.append([])
            numbers.append(cell.line)
            _fill(rows[-1], hanging)
        if cell.down > 1:
            hanging[len(rows[-1])] = (cell.down - 1, cell.text.strip())
        rows[-1].append(cell.text.strip())
        _fill(rows[-1], hanging)
    return rows, numbers


def _fill(row: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Append what hangs down from the rows above into the next columns."""
    while len(row) in hanging and hanging[len(row)][0] > 0:
        left, text = hanging[len(row)]
        hanging[len(row)] = (left - 1, text)
        row.append(text)


def _separated(lines: Sequence[Line], attributes: str, sign: str) -> Table:
    rows = list(csv.reader(io.StringIO("\n".join(line.text for line in lines)), delimiter=sign))
    filled = [row for row in rows if any(row)]
    first = lines[0].number if lines else 1
    return Table(filled, [first] * len(filled), _has_header(lines, attributes))


def _cells(lines: Sequence[Line]) -> tuple[list[_Cell], int]:
    """Return the cells, and how many the first line with any has."""
    cells: list[_Cell] = []
    first_width = 0
    for line in lines:
        before, *parts = _BAR.split(line.text)
        text, spec = _specified(before, _SPECIFIED_FIRST) if parts else (before, (1, 1, 1))
        if cells and text.strip():
            last = cells[-1]
            cells[-1] = last._replace(text=f"{last.text}\n{text}" if last.text else text)
        for index, part in enumerate(parts):
            copies, columns, down = spec
            words, spec = _specified(part) if index + 1 < len(parts) else (part, (1, 1, 1))
            cells += [_Cell(words.replace("\\|", "|"), line.number, down)] * copies
            cells += [_Cell("", line.number, down)] * (columns - 1)
        if not first_width:
            first_width = len(cells)
        if len(cells) > _MOST_CELLS:
            break
    return cells, max(first_width, 1)


def _specified(text: str, pattern: re.Pattern[str] = _SPECIFIED) -> tuple[str, tuple[int, int, int]]:
    """Return a cell's text, and the specifier of the next cell: its copies, and the columns and rows it spans."""
    found = pattern.search(text[-20:])
    if found is None or not found[0]:
        return text, (1, 1, 1)
    kept = text[: len(text) - len(found[0])]
    copies, columns, down = (min(max(int(found[group] or 1), 1), _MOST_COLUMNS) for group in (1, 2, 3))
    return kept, (copies, columns, down)


def _columns(attributes: str) -> int:
    found = _COLUMNS.search(attributes)
    if not found:
        return 0
    written = found[1].strip("\"' ")
    if written.isdecimal() and len(written) < 4:  # so many columns of the same width
        return min(int(written), _MOST_COLUMNS)
    parts = re.split("[,;]", written)
    repeats = (_REPEATED.match(part.strip()) for part in parts)
    return min(sum(int(one[1]) if one else 1 for one in repeats), _MOST_COLUMNS)


def _has_header(lines: Sequence[Line], attributes: str) -> bool:
    """Return whether the options name a header, or the first line stands alone above an empty one."""
    if _NO_HEADER.search(attributes):
        return False
    alone = len(lines) > 2 and bool(lines[0].text) and not lines[1].text
    return _OPTIONS.search(attributes) is not None or alone
