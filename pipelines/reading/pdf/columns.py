"""The order in which the parts of a page are read: columns of running text from left to right, the rest downwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol, TypeVar

from pipelines.reading.pdf.lines import Piece, lines_of

_GUTTER = 0.7  # of the size of the letters
_FEWEST_LINES = 3
_FULL = 0.45  # of a column's width, that its lines fill as a rule
_FEWEST_LETTERS = 14
_EDGES = 12
_DEEPEST = 8


class PageItem(Protocol):
    """Something on a page."""

    @property
    def x0(self) -> float:
        """Left."""

    @property
    def x1(self) -> float:
        """Right."""

    @property
    def top(self) -> float:
        """Top."""

    @property
    def bottom(self) -> float:
        """Bottom."""


P = TypeVar("P", bound=PageItem)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Two columns: where the right one begins, and from where down to where they stand beside each other."""

    x: float
    top: float
    bottom: float
    lines: int


def regions_of(parts: Sequence[P], depth: int = _DEEPEST) -> list[list[P]]:
    """Return the parts of a page, in groups of one column each, in the order of reading."""
    cut = _best_cut(list(parts), depth)
    if cut is None:
        return [list(parts)] if parts else []
    above = [part for part in parts if part.bottom <= cut.top]
    below = [part for part in parts if part.top >= cut.bottom]
    beside = [part for part in parts if part.bottom > cut.top and part.top < cut.bottom]
    left = [part for part in beside if _middle(part) < cut.x]
    right = [part for part in beside if _middle(part) >= cut.x]
    return [region for group in (above, left, right, below) for region in regions_of(group, depth - 1)]


def _middle(part: PageItem) -> float:
    return (part.x0 + part.x1) / 2


def _best_cut(parts: Sequence[PageItem], depth: int) -> _Cut | None:
    """Return the columns that hold the most lines."""
    pieces = [part for part in parts if isinstance(part, Piece)]
    if depth == 0 or len(pieces) < 2 * _FEWEST_LINES:
        return None
    size = median(piece.size for piece in pieces)
    edges = Counter(round(piece.x0 / size) for piece in pieces)
    cuts = []
    for edge, count in edges.most_common(_EDGES):
        if count >= _FEWEST_LINES:
            x = min(piece.x0 for piece in pieces if round(piece.x0 / size) == edge)
            cuts += _cuts_at(x - 0.1 * size, parts, size)
    return max(cuts, key=lambda cut: cut.lines, default=None)


def _cuts_at(x: float, parts: Sequence[PageItem], size: float) -> list[_Cut]:
    """Return the places where no part crosses the gutter to the left of ``x``, and text stands on both sides."""
    gutter = x - _GUTTER * size
    crossing = sorted((part for part in parts if part.x0 < x and part.x1 > gutter), key=lambda part: part.top)
    tops = [min(part.top for part in parts) - 1, *(part.bottom for part in crossing)]
    bottoms = [*(part.top for part in crossing), max(part.bottom for part in parts) + 1]
    cuts = []
    top = tops[0]
    for behind, bottom in zip(tops, bottoms, strict=True):
        top = max(top, behind)
        if bottom - top >= _FEWEST_LINES * size:
            cut = _cut(x, top, bottom, parts)
            cuts += [cut] if cut else []
    return cuts


def _cut(x: float, top: float, bottom: float, parts: Sequence[PageItem]) -> _Cut | None:
    between = [
        part for part in parts if isinstance(part, Piece) and part.top >= top - 0.1 and part.bottom <= bottom + 0.1
    ]
    left = [piece for piece in between if piece.x1 <= x]
    right = [piece for piece in between if piece.x0 >= x]
    lines = _text_lines(left), _text_lines(right)
    if not all(lines):
        return None
    # What stands beside nothing is above or below the columns, not in them.
    first = max(min(piece.top for piece in side) for side in (left, right))
    last = min(max(piece.bottom for piece in side) for side in (left, right))
    if last - first < _FEWEST_LINES * between[0].size:
        return None
    return _Cut(x, top, bottom, sum(lines))


def _text_lines(pieces: Sequence[Piece]) -> int:
    """Return how many lines a column of running text has; 0 if it holds something else, such as figures."""
    lines = lines_of(pieces)
    if len(lines) < _FEWEST_LINES:
        return 0
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    filled = median(line.x1 - line.x0 for line in lines) >= _FULL * width
    wordy = median(sum(map(str.isalpha, line.text)) for line in lines) >= _FEWEST_LETTERS
    solid = median(len(line.pieces) for line in lines) < 2 or len(lines) >= 4 * _FEWEST_LINES
    return len(lines) if filled and wordy and solid else 0
