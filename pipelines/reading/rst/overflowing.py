"""Cells of simple tables that are wider than their column: the columns are made as wide as they need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_RULE = re.compile(r"[=-][ =-]*")
_BORDER = re.compile(r"[=-]+")
_GAP = re.compile(r" {2,}")
_MOST_COLUMNS = 50


def with_wide_columns(lines: Sequence[str]) -> list[str]:
    """Return the lines of a simple table in which every cell ends where its column does.

    docutils refuses a table in which a word reaches into the space behind its column. Where it is not plain which word
    begins the next cell, or cells span columns, the lines stay as they are.
    """
    columns = _borders(lines[0])
    rules = {at for at, line in enumerate(lines) if _RULE.fullmatch(line.rstrip())}
    as_written = list(lines)
    if not 2 <= len(columns) <= _MOST_COLUMNS or any(_borders(lines[at]) != columns for at in rules):
        return as_written
    inner = [line for at, line in enumerate(lines) if at not in rules]
    if not any(map(str.strip, (line[end:start] for line in inner for end, start in _margins(columns)))):
        return as_written
    rows = [_cells(line, columns) for line in lines]
    if any(row is None for at, row in enumerate(rows) if at not in rules):
        return as_written
    cells = [row for row in rows if row is not None]
    widths = [max(end - start, *(len(row[at]) for row in cells)) for at, (start, end) in enumerate(columns)]
    return [
        " ".join(line.lstrip()[:1] * width for width in widths)
        if at in rules
        else " ".join(cell.ljust(width) for cell, width in zip(row or (), widths, strict=True)).rstrip()
        for at, (line, row) in enumerate(zip(lines, rows, strict=True))
    ]


def _borders(rule: str) -> list[tuple[int, int]]:
    return [(border.start(), border.end()) for border in _BORDER.finditer(rule)]


def _margins(columns: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where each column but the last ends and the next one begins."""
    return [(end, start) for (_, end), (start, _) in pairwise(columns)]


def _cells(line: str, columns: Sequence[tuple[int, int]]) -> list[str] | None:
    """Return the cells of a line, None where it is not plain which word begins the next one."""
    found: list[str] = []
    at = columns[0][0]
    for end, start in _margins(columns):
        cut = _cut(line, at, end, start) if at > start or line[end:start].strip() else start
        if cut is None:
            return None
        found.append(line[at:cut].rstrip())
        at = cut + len(line[cut:]) - len(line[cut:].lstrip(" ")) if cut != start else cut
    return [*found, line[at:].rstrip()]


def _cut(line: str, at: int, end: int, start: int) -> int | None:
    """Return where a cell ends that is wider than its column."""
    if line[start - 1 : start] in ("`", "*") and line[start : start + 1] in (":", "`", "*"):
        return start
    if gap := _GAP.search(line, max(at, end)):
        return gap.start()
    blank = line.find(" ", max(at, end))
    return blank if blank >= 0 and " " not in line[at:blank].strip() else None
