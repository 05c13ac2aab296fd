"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# A longer table is written as several, each with the header, for a chunk of it to know its columns.
ROWS_PER_HEADER = 20


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Return rows, the first one the header, as a Markdown table; empty rows and columns are left out."""
    cells = _without_empty([[_cell(text) for text in row] for row in rows])
    if not cells:
        return ""
    if len(cells[0]) == 1:
        return "\n".join(row[0] for row in cells)
    header, *body = cells
    groups = [body[start : start + ROWS_PER_HEADER] for start in range(0, len(body), ROWS_PER_HEADER)] or [[]]
    return "\n\n".join("\n".join((_line(header), _line(["---"] * len(header)), *map(_line, group))) for group in groups)


def _without_empty(rows: list[list[str]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    padded = [row + [""] * (width - len(row)) for row in rows if any(row)]
    kept = [column for column in range(width) if any(row[column] for row in padded)]
    return [[row[column] for column in kept] for row in padded]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
