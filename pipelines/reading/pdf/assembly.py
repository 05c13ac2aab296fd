"""The pages of a PDF as one text with its blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from pipelines.reading.draft import Draft
from pipelines.reading.pdf.bookmarks import Bookmark, titled_lines
from pipelines.reading.pdf.definitions import with_definitions, with_options
from pipelines.reading.pdf.flow import BuiltBlock, Flow
from pipelines.reading.pdf.furniture import without_furniture
from pipelines.reading.pdf.lines import Line, Piece, lines_of
from pipelines.reading.pdf.looks import style_of, usual_step
from pipelines.reading.pdf.order import Column, columns_of
from pipelines.reading.pdf.page import PdfPageParts
from pipelines.reading.pdf.pictures import PagePicture, with_pictures
from pipelines.reading.pdf.titles import shown_title
from pipelines.reading.pdf.words import Vocabulary
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.types import Heading, Span

_CHAPTERS = frozenset({"APPENDIX", "CHAPTER", "PART"})
_NUMBER = re.compile(r"[A-Z]{1,12}(?:-[A-Z]{1,6})?|\d{1,3}")


def assembled(
    pages: Sequence[PdfPageParts],
    labels: Sequence[str | None],
    bookmarks: Sequence[Bookmark],
    seen: Mapping[int, str],
    pictures: Mapping[int, Sequence[PagePicture]],
) -> tuple[Draft, str | None]:
    """Return the text of pages with their spans and labels, and the title that the first page shows.

    ``seen`` has the texts of those pages that were recognised.
    """
    looks = style_of(_pieces(pages))
    cleaned = without_furniture(pages, looks.size)
    columns = [[] if at in seen else columns_of(each) for at, each in enumerate(cleaned)]
    titles = titled_lines(bookmarks, [_lines(each) for each in columns])
    looks = replace(looks, step=usual_step(_lines([column]) for each in columns for column in each))
    vocabulary = Vocabulary(_whole_words(pages))
    flow = Flow(looks, vocabulary, titles, bookmarked=bool(bookmarks))
    for at, page in enumerate(cleaned):
        if at in seen:
            flow.add_blocks(at, seen[at], plain_blocks(seen[at]))
        for column in columns[at]:
            flow.add(at, column)
        flow.add(at, [line for piece in page.aside if at not in seen for line in lines_of([piece])])
    made = with_options(with_definitions(_without_chapter_numbers(flow.finish())))
    made = with_pictures(made, pictures, {page: _lines(columns[page]) for page in pictures})
    unfound = [mark for mark in bookmarks if not any(mark is each for each in titles.values())]
    first, *later = map(_lines, columns)
    return _drafted(made, labels, unfound), shown_title(first, chain.from_iterable(later), looks.size, vocabulary)


def _without_chapter_numbers(made: Sequence[BuiltBlock]) -> list[BuiltBlock]:
    """Return blocks without the lines "CHAPTER" and "FOUR" above the title of a chapter, which are no text."""
    marks = {
        place
        for place, (mark, number, title) in enumerate(zip(made, made[1:], made[2:], strict=False))
        if title.kind == "heading" and mark.text.strip() in _CHAPTERS and _NUMBER.fullmatch(number.text.strip())
    }
    return [block for place, block in enumerate(made) if not marks & {place, place - 1}]


def _lines(columns: Sequence[Column]) -> list[Line]:
    return [part for column in columns for part in column if isinstance(part, Line)]


def _whole_words(pages: Sequence[PdfPageParts]) -> list[str]:
    """Return the words that do not stand at the end or the beginning of a line."""
    return [word.text for piece in _pieces(pages) for word in piece.words[1:-1]]


def _pieces(pages: Sequence[PdfPageParts]) -> list[Piece]:
    return [piece for page in pages for piece in page.pieces]


def _drafted(made: Sequence[BuiltBlock], labels: Sequence[str | None], unfound: Sequence[Bookmark]) -> Draft:
    draft = Draft()
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    headed: set[int] = set()
    for block in made:
        span = draft.add_heading(block.level, block.text) if block.kind == "heading" else _added(draft, block)
        headed |= {span.start} if block.kind == "heading" else set()
        for (page, at), (_, until) in pairwise([*block.pages, (0, span.end - span.start)]):
            starts.setdefault(page, span.start + at)
            ends[page] = span.start + until
    at = 0
    for page, label in enumerate(labels):
        span = Span(starts.get(page, at), ends.get(page, at))
        draft.add_page(span, page + 1, label)
        lost = [mark for mark in unfound if mark.page == page and span.start not in headed]
        draft.add_headings(Heading(mark.level, mark.title, span.start) for mark in lost)
        at = span.end
    return draft


def _added(draft: Draft, block: BuiltBlock) -> Span:
    return draft.add(block.text, block.kind, level=block.level)
