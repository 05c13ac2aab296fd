"""What a PDF repeats at the edges of its pages: running heads, and the numbers of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pipelines.reading.pdf.lines import Line, lines_of
from pipelines.reading.pdf.page import PdfPageParts
from pipelines.reading.pdf.rules import Grid

_MARGIN = 0.18  # of the page's height
_LINES = 3
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page )?[-–—|]? ?(?:\d{1,5}|[ivxlc]{1,6})(?: ?(?:of|/) ?\d{1,4})? ?[-–—|]?", re.IGNORECASE
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SURE = re.compile(r"page \d+ of \d+", re.IGNORECASE)
_OFTEN = 0.2  # of the pages
_SAME_PLACE = 4.0
_LARGEST = 1.15  # of the size of most of the text: what is larger is a title


def without_furniture(pages: Sequence[PdfPageParts], body_size: float) -> list[PdfPageParts]:
    """Return the pages without what repeats at their edges; a page keeps it if it says nothing else."""
    edges = [_edge_lines(page) for page in pages]
    counted = Counter(key for lines in edges for key in {_key(line) for line in lines})
    fewest = max(2, min(3, len(pages)), round(_OFTEN * min(len(pages), 20)))
    return [
        _without(page, [line for line in lines if _is_furniture(line, counted, fewest, body_size)])
        for page, lines in zip(pages, edges, strict=True)
    ]


def _edge_lines(page: PdfPageParts) -> list[Line]:
    """Return the first and the last lines, as far as they are in the margins."""
    lines = [line for line in lines_of(page.pieces) if not any(_is_in_row(line, grid) for grid in page.grids)]
    margin = _MARGIN * (page.bottom - page.top)
    above = [line for line in lines[:_LINES] if line.bottom < page.top + margin]
    below = [line for line in lines[-_LINES:] if line.top > page.bottom - margin]
    return list({id(line): line for line in (*above, *below)}.values())


def _is_in_row(line: Line, grid: Grid) -> bool:
    """Whether a line stands between rules of a grid; what a grid does to the edges of the page is not known."""
    inside = [rule.at for rule in grid.lying if rule.start <= line.x0 and line.x1 <= rule.end]
    return any(at < line.y for at in inside) and any(at > line.y for at in inside)


def _key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text).casefold(), round(line.y / _SAME_PLACE)


def _is_furniture(line: Line, counted: Counter[tuple[str, int]], fewest: int, body_size: float) -> bool:
    text, place = _key(line)
    count = sum(counted[text, place + step] for step in (-1, 0, 1))
    if _SURE.fullmatch(line.text):
        return True
    if _PAGE_NUMBER.fullmatch(line.text):
        return count >= 2 or not _YEAR.fullmatch(line.text)
    return count >= fewest and line.size <= _LARGEST * body_size


def _without(page: PdfPageParts, furniture: Sequence[Line]) -> PdfPageParts:
    gone = {id(piece) for line in furniture for piece in line.pieces}
    pieces = tuple(piece for piece in page.pieces if id(piece) not in gone)
    return replace(page, pieces=pieces) if pieces else page
