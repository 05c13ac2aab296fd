"""A page in the order of reading: its tables, what is framed, and its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.reading.pdf.columns import regions_of
from pipelines.reading.pdf.lines import Line, Piece, lines_of
from pipelines.reading.pdf.page import Bar, PdfPageParts
from pipelines.reading.pdf.rules import Box
from pipelines.reading.pdf.tables import Table, apart, is_inside, reaches_to, table_in

_FEWEST_PIECES = 2
_LARGEST = 0.6  # of what the page holds: a larger frame is the page's own

Column = list[Line | Table]


@dataclass(frozen=True)
class Frame:
    """What stands in a box that the page draws around it."""

    parts: tuple[_Part, ...]
    x0: float
    x1: float
    top: float
    bottom: float


_Part = Piece | Table | Bar | Frame


def columns_of(page: PdfPageParts) -> list[Column]:
    """Return the lines and tables of a page, column by column."""
    pieces, tables = _tables(page)
    return [column for column in _columns([*_framed([*pieces, *tables], page.boxes), *page.bars]) if column]


def _tables(page: PdfPageParts) -> tuple[list[Piece], list[Table]]:
    """Return the pieces of a page that are in no table with rules, and those tables."""
    pieces, tables = list(page.pieces), []
    for grid in [part for whole in page.grids for part in apart(whole, pieces)]:
        inside = [piece for piece in pieces if is_inside(piece, grid)]
        table = table_in(grid, inside) if inside else None
        if table is not None:
            taken = {id(piece) for piece in inside if reaches_to(table, piece)}  # without the notes below
            pieces = [piece for piece in pieces if id(piece) not in taken]
            tables.append(table)
    return pieces, tables


def _framed(parts: list[_Part], boxes: Iterable[Box]) -> list[_Part]:
    """Return parts of which those in a box are one; the smallest box comes first."""
    whole = len(parts)
    for box in sorted(boxes, key=lambda box: (box.x1 - box.x0) * (box.bottom - box.top)):
        inside = [part for part in parts if _is_within(part, box)]
        count = sum(len(part.parts) if isinstance(part, Frame) else 1 for part in inside)
        if _FEWEST_PIECES <= count <= _LARGEST * whole and len(inside) < len(parts):
            taken = set(map(id, inside))
            frame = Frame(tuple(inside), box.x0, box.x1, box.top, box.bottom)
            parts = [*(part for part in parts if id(part) not in taken), frame]
    return parts


def _is_within(part: _Part, box: Box) -> bool:
    across, down = (part.x0 + part.x1) / 2, (part.top + part.bottom) / 2
    return box.x0 <= across <= box.x1 and box.top <= down <= box.bottom


def _columns(parts: Sequence[_Part]) -> Iterator[Column]:
    """Yield columns; a frame stands between the lines above and below it, or behind those that it is beside."""
    for region in regions_of(parts):
        shown = [part for part in region if isinstance(part, Piece | Table)]
        frames = sorted((part for part in region if isinstance(part, Frame)), key=lambda frame: frame.top)
        beside = [frame for frame in frames if _has_beside(frame, shown)]
        between = [frame for frame in frames if not _has_beside(frame, shown)]
        for frame in between:
            yield _in_order([part for part in shown if part.top < frame.top])
            yield from _columns(frame.parts)
            shown = [part for part in shown if part.top >= frame.top]
        yield _in_order(shown)
        for frame in beside:
            yield from _columns(frame.parts)


def _has_beside(frame: Frame, parts: Iterable[Piece | Table]) -> bool:
    return any(frame.top < (part.top + part.bottom) / 2 < frame.bottom for part in parts)


def _in_order(parts: Sequence[Piece | Table]) -> Column:
    """Return the lines and tables of a column from the top down."""
    tables = [part for part in parts if isinstance(part, Table)]
    lines = lines_of(part for part in parts if isinstance(part, Piece))
    return sorted([*lines, *tables], key=lambda part: part.top)
