"""What stands on a page of a PDF: pieces of lines, rules, boxes, and bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

from pypdfium2 import PdfPage

from pipelines.reading.pdf.bullets import bullets_of, with_bullets_on_lines
from pipelines.reading.pdf.glyphs import Word, upright, words_of
from pipelines.reading.pdf.lines import Piece, lines_of, pieces_of
from pipelines.reading.pdf.rules import Box, Grid, Rule, drawn_on

_FEWEST_NUMBERS = 10
_SAME_EDGE = 2.0
_WIDE = 0.8
_WALLS = 3  # of a table with several columns
_FEWEST_WORDS = 3  # of a text at another angle: shorter ones name the axes of charts


@dataclass(frozen=True, slots=True)
class Bar:
    """A rule across the page."""

    x0: float
    x1: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PdfPageParts:
    """The parts of a page.

    Attributes:
        pieces: What is written on it.
        grids: The rules that it draws.
        boxes: The boxes that it draws.
        bars: Those of its rules that part what is above from what is below.
        aside: What is written at another angle, such as a stamp along the margin.
        top: The upper edge of the page.
        bottom: The lower edge of the page.
    """

    pieces: tuple[Piece, ...]
    grids: tuple[Grid, ...]
    boxes: tuple[Box, ...]
    bars: tuple[Bar, ...]
    aside: tuple[Piece, ...]
    top: float
    bottom: float

    @property
    def letters(self) -> str:
        """All that the page says, in no order."""
        return " ".join(piece.text for piece in (*self.pieces, *self.aside))


def parts_of(page: PdfPage) -> PdfPageParts:
    """Return the parts of a page as a reader has it who turned it so that most of its words are upright."""
    with closing(page.get_textpage()) as textpage:
        turned = words_of(textpage)
    turn = max(turned, key=lambda each: len(turned[each]), default=0)
    words = with_bullets_on_lines(_distinct(turned.pop(turn, [])))
    drawn = drawn_on(page, turn)
    dots = [dot for dot in drawn.dots if not any(_is_in_cell(dot, grid) for grid in drawn.grids)]
    pieces = _without_line_numbers(pieces_of([*words, *bullets_of(dots, words)]))
    left, bottom, right, top = page.get_bbox()
    edges = sorted((upright(left, bottom, turn)[1], upright(right, top, turn)[1]))
    aside = [piece for words in turned.values() for piece in pieces_of(words) if len(piece.words) >= _FEWEST_WORDS]
    bars = _bars(drawn.lying, pieces)
    return PdfPageParts(tuple(pieces), drawn.grids, drawn.boxes, bars, tuple(aside), edges[0], edges[1])


def _is_in_cell(dot: Box, grid: Grid) -> bool:
    """Return whether a dot stands in a table of several columns, where it says something itself."""
    left, top, right, bottom = grid.box
    is_inside = left <= dot.x0 <= right and top <= dot.top <= bottom
    return is_inside and len(grid.standing) >= _WALLS


def _bars(lying: Sequence[Rule], pieces: Sequence[Piece]) -> tuple[Bar, ...]:
    """Return the rules that go across most of what is written."""
    if not pieces:
        return ()
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    wide = (rule for rule in lying if rule.end - rule.start > _WIDE * (right - left))
    return tuple(Bar(rule.start, rule.end, rule.at, rule.at) for rule in wide)


def _distinct(words: Iterable[Word]) -> list[Word]:
    """Return words without those that are printed twice in a place, as a shadow or to seem bold."""
    return list({(word.text, round(word.x0), round(word.y)): word for word in words}.values())


def _without_line_numbers(pieces: Sequence[Piece]) -> list[Piece]:
    """Return what is left without the numbers that a transcript has in front of its lines."""
    lines = lines_of(pieces)
    first = [line.pieces[0] for line in lines if len(line.words) > 1 or line.text.isdecimal()]
    numbers = [piece for piece in first if piece.words[0].text.isdecimal() and len(piece.words[0].text) < 3]
    found = [numbers[0]] if numbers else []
    for before, piece in pairwise(numbers):
        if int(piece.words[0].text) == int(before.words[0].text) + 1:
            found.append(piece)
    lefts = [piece for piece in found if abs(piece.words[0].x0 - found[-1].words[0].x0) < _SAME_EDGE]
    rights = [piece for piece in found if abs(piece.words[0].x1 - found[-1].words[0].x1) < _SAME_EDGE]
    alike = max(lefts, rights, key=len)
    if len(alike) < _FEWEST_NUMBERS or len(alike) * 5 < len(lines) * 4:
        return list(pieces)
    numbered = set(map(id, alike))
    rest = (Piece(piece.words[1:]) if id(piece) in numbered else piece for piece in pieces if _more(piece, numbered))
    return list(rest)


def _more(piece: Piece, numbered: set[int]) -> bool:
    return id(piece) not in numbered or len(piece.words) > 1
