"""What a PDF repeats at the edges of its pages: running heads, and the numbers of pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.reading.pdf.lines import Line, Piece, lines_of
from pipelines.reading.pdf.page import PdfPageParts
from pipelines.reading.pdf.rules import Grid

_MARGIN = 0.12  # of the page's height
_NUMBER_MARGIN = 0.18
_LINES = 3
_NUMBER = re.compile(r"\d{1,9}")
_MOST_NUMBERS = 6
_PAGE_NUMBER = re.compile(
    r"(?:page )?[-–—|]? ?(?:\d{1,5}|[ivxlc]{1,6})(?: ?(?:of|/) ?\d{1,4})? ?[-–—|]?", re.IGNORECASE
)
_PRINTED_AT = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AP]\.?M\.?)?", re.IGNORECASE
)
_PRINTED_FROM = re.compile(r"(?:file|https?)://\S+")
_PAIR = 2
_MARK = re.compile(r"(?:(?:APPENDIX|CHAPTER|PART)\s[A-Z\d]{1,5}|(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+)\.\s[^a-z]+")
"""What LaTeX writes above the pages of a book, in capitals: the chapter, and the section."""
_OF_PAGES = re.compile(r"\d{1,5}\s?(?:/|of)\s?\d{1,5}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
_ROMAN_COUNTER = "Roman #"
_FEWEST_NUMBERED, _FEWEST_ROMAN = 3, 2  # pages; few are before the first chapter, which have Roman numbers
_APART = 1.8  # of the size of the letters: the space between a head further in and the text
_MOST_PARTS = 3  # of a running head: left, in the middle and right
_FEWEST_LETTERS = 2
_OFTEN = 0.2  # of the pages
_SAME_PLACE = 4.0
_SAME_EDGE = 2.0
_LARGEST = 1.15  # of the size of most of the text: what is larger is a title

_Key = tuple[str, int]


@dataclass(frozen=True)
class _Edge:
    """A line in the margin of a page: whether it is far enough out for a running head, or first or last and alone.

    Attributes:
        below: The line below it, if that is close to it and has words under each piece, as the first row of a table.
    """

    line: Line
    outer: bool
    alone: bool
    below: Line | None


def without_furniture(pages: Sequence[PdfPageParts], body_size: float) -> list[PdfPageParts]:
    """Return the pages without what repeats at their edges; a page keeps it if it says nothing else."""
    edges = [_edges(page) for page in pages]
    seen: dict[_Key, set[int]] = defaultdict(set)
    for at, found in enumerate(edges):
        for key in (key for edge in found for piece in edge.line.pieces for key in _keys(piece, at)):
            seen[key].add(at)
    fewest = max(2, min(3, len(pages)), round(_OFTEN * min(len(pages), 20)))
    edging = {id(piece) for found in edges for edge in found for piece in edge.line.pieces}
    said = {_letters(piece) for page in pages for piece in page.pieces if id(piece) not in edging}
    cleaned = []
    for at, (page, found) in enumerate(zip(pages, edges, strict=True)):
        furniture = [piece for edge in found for piece in _furniture(edge, at, seen, fewest, body_size)]
        furniture += _of_browser(found)
        taken = set(map(id, furniture))
        titles = [piece for edge in found for piece in _titles_beside(edge, taken, said)]
        cleaned.append(_without(_without(page, furniture), titles))
    return cleaned


def _titles_beside(edge: _Edge, furniture: Collection[int], said: Set[str]) -> list[Piece]:
    """Return what stands beside the head of a page and is said inside of one too: the title of the section."""
    rest = [piece for piece in edge.line.pieces if id(piece) not in furniture]
    is_head = edge.outer and len(rest) == 1 and len(edge.line.pieces) > 1
    return rest if is_head and _letters(rest[0]) in said - {""} else []


def _letters(piece: Piece) -> str:
    return "".join(filter(str.isalnum, piece.text.casefold()))


def _edges(page: PdfPageParts) -> list[_Edge]:
    """Return the first and the last lines, as far as they are in the margins and in no table."""
    height = page.bottom - page.top
    top, bottom = page.top + _NUMBER_MARGIN * height, page.bottom - _NUMBER_MARGIN * height
    grids = [grid for grid in page.grids if grid.box[1] < bottom and grid.box[3] > top]
    lines = [line for line in lines_of(page.pieces) if not any(_is_in_row(line, grid) for grid in grids)]
    chosen = [line for line in lines[:_LINES] if line.bottom < top]
    chosen += [line for line in lines[-_LINES:] if line.top > bottom and line not in chosen]
    room = _MARGIN * height
    alone = {id(line) for line, other in (lines[:2], lines[:-3:-1]) if _are_apart(line, other)} if lines[2:] else set()
    below = {id(line): other for line, other in pairwise(lines) if _is_above_row(line, other)}
    return [
        _Edge(
            line,
            line.bottom < page.top + room or line.top > page.bottom - room,
            id(line) in alone,
            below.get(id(line)),
        )
        for line in chosen
    ]


def _is_above_row(line: Line, other: Line) -> bool:
    places = [piece.x0 for piece in other.pieces]
    aligned = all(any(abs(piece.x0 - place) < _SAME_EDGE for place in places) for piece in line.pieces)
    return len(line.pieces) > 1 and aligned and not _are_apart(line, other)


def _are_apart(line: Line, other: Line) -> bool:
    return abs(line.y - other.y) > _APART * max(line.size, other.size)


def _is_in_row(line: Line, grid: Grid) -> bool:
    """Return whether a line stands between two rules of a grid."""
    inside = [rule.at for rule in grid.lying if rule.start <= line.x0 and line.x1 <= rule.end]
    return any(at < line.y for at in inside) and any(at > line.y for at in inside)


def _keys(piece: Piece, page: int) -> Iterator[_Key]:
    """Yield what makes a piece the same as others: its words, also with one number that counts the pages."""
    place = round(piece.y / _SAME_PLACE)
    yield piece.text, place
    for found in list(_NUMBER.finditer(piece.text))[:_MOST_NUMBERS]:
        yield f"{piece.text[: found.start()]}#{int(found[0]) - page}{piece.text[found.end() :]}", place
    if piece.text in _ROMAN:
        yield f"{_ROMAN_COUNTER}{_ROMAN.index(piece.text) - page}", place


def _furniture(edge: _Edge, page: int, seen: Mapping[_Key, set[int]], fewest: int, body_size: float) -> list[Piece]:
    """Return the pieces of a line that repeat, and what stands beside them: the number of the page, or a date."""
    pieces = edge.line.pieces
    if edge.below is not None and all(_count(piece, page, seen) < fewest for piece in edge.below.pieces):
        return []  # the names of a table's columns
    is_head = (edge.outer or edge.alone) and len(pieces) <= _MOST_PARTS and edge.line.size <= _LARGEST * body_size
    if is_head and any(_numbers_pages(piece, page, seen, fewest) for piece in (pieces[0], pieces[-1])):
        return list(pieces)  # a running head may change with each section
    if is_head and len(pieces) == _PAIR and all(_MARK.fullmatch(piece.text) for piece in pieces):
        return list(pieces)
    repeated = [
        piece
        for piece in pieces
        if edge.outer
        and piece.size <= _LARGEST * body_size
        and _is_worded(piece)
        and _count(piece, page, seen) >= fewest
    ]
    found = set(map(id, repeated))
    rest = [piece for piece in pieces if id(piece) not in found]
    if len(rest) == 1 and _PAGE_NUMBER.fullmatch(rest[0].text):
        is_number = not _YEAR.fullmatch(rest[0].text) or _count(rest[0], page, seen) > 1
        return list(pieces) if is_number else repeated
    return list(pieces) if repeated and all(_count(piece, page, seen) >= fewest for piece in rest) else repeated


def _of_browser(edges: Sequence[_Edge]) -> list[Piece]:
    """Return what browsers print above and below a page: when and from where, title and number.

    The title beside a time is that of the page only if the other line has the number: it may be a row of a programme.
    """
    pairs = [edge.line.pieces for edge in edges if edge.outer and len(edge.line.pieces) == _PAIR]
    numbered = [pair for pair in pairs if _numbers_printed(pair)]
    headed = [pair for pair in pairs if numbered and _PRINTED_AT.fullmatch(pair[0].text)]
    return [piece for pair in (*numbered, *headed) for piece in pair]


def _numbers_printed(pair: Sequence[Piece]) -> bool:
    """Return whether one of two pieces is "1 of 3", and the other is when or from where the page was printed."""
    first, second = (piece.text for piece in pair)
    return any(
        _OF_PAGES.fullmatch(number) and any(one.fullmatch(other) for one in (_PRINTED_AT, _PRINTED_FROM))
        for number, other in ((first, second), (second, first))
    )


def _numbers_pages(piece: Piece, page: int, seen: Mapping[_Key, set[int]], fewest: int) -> bool:
    """Return whether a piece is a number that grows by one from page to page, at about the same place."""
    roman = piece.text in _ROMAN
    counted = [key for key in _keys(piece, page) if key[0].startswith(_ROMAN_COUNTER if roman else "#")]
    enough = _FEWEST_ROMAN if roman else max(_FEWEST_NUMBERED, fewest)
    return bool(_PAGE_NUMBER.fullmatch(piece.text)) and any(_pages(key, seen) >= enough for key in counted)


def _is_worded(piece: Piece) -> bool:
    """Return whether a piece has words; figures alone may be the number of a heading."""
    return not _PAGE_NUMBER.fullmatch(piece.text) and sum(map(str.isalpha, piece.text)) >= _FEWEST_LETTERS


def _count(piece: Piece, page: int, seen: Mapping[_Key, set[int]]) -> int:
    """Return on how many pages a piece stands at about the same place."""
    return max(_pages(key, seen) for key in _keys(piece, page))


def _pages(key: _Key, seen: Mapping[_Key, set[int]]) -> int:
    text, place = key
    near = ((text, place + step) for step in (-1, 0, 1))
    return len(set().union(*(seen[key] for key in near if key in seen)))


def _without(page: PdfPageParts, furniture: Sequence[Piece]) -> PdfPageParts:
    gone = set(map(id, furniture))
    pieces = tuple(piece for piece in page.pieces if id(piece) not in gone)
    return replace(page, pieces=pieces) if pieces else page
