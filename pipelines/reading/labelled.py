"""Questions and answers with labels, "Q: May I swim? A: No.": the question is a heading, and the labels go."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.reading.edits import BETWEEN_BLOCKS, EditedText
from pipelines.types import Block, BlockKind, Heading, ParsedDocument, Span

LABEL = re.compile(
    r"(?:^|(?<=\? ))[ \t]*(?:(?P<question>Q|(?i:question))|A|(?i:answer))"
    r"[ ]?(?P<number>\d{0,3})(?P<sign>[.:])\s+(?=\S)",
    re.MULTILINE,
)
_STARTS = ("q", "a")
_ASKS = re.compile(r"\?[)\"'\u201d\u2019]?$")
_CHOICES = {".": re.compile(r"(?<!\S)B[.)]\s"), ":": re.compile(r"(?<!\S)B:\s")}
"""The second of several answers to choose from."""
_LONGEST = 200
"""Characters of a question; a longer one is a letter."""
_FEWEST = 2
_NEAR = 1000
"""Characters behind which no other answer to choose from is looked for."""
_DEEPEST = 6
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands behind a label, up to the next one or to the end of its block.

    ``before`` is where the text before the label ends: the beginning of the block where it begins with the label.
    """

    block: int
    before: int
    start: int
    end: int
    asks: bool
    number: str
    sign: str


def with_questions(document: ParsedDocument) -> ParsedDocument:
    """Return a document whose labelled questions are headings a level below their section, without the labels.

    There are at least two of them, each right above its answer; the labels of a single one have colons.
    """
    parts = list(_parts(document))
    pairs = [(asked, said) for asked, said in pairwise(parts) if _is_pair(document, asked, said)]
    if len(pairs) < _FEWEST and not all(asked.sign == said.sign == ":" for asked, said in pairs):
        return document
    return _rewritten(document, pairs) if pairs else document


def _parts(document: ParsedDocument) -> Iterator[_Part]:
    for index, block in enumerate(document.blocks):
        start = block.span.start
        is_text = block.kind == "heading" or (block.kind == "paragraph" and block.level == 0)
        if not is_text or document.text[start : start + 1].lower() not in _STARTS:
            continue
        words = document.text[start : block.span.end]
        labels = list(LABEL.finditer(words))
        if not labels or labels[0].start():
            continue
        before = start
        for label, end in zip(labels, [*(each.start() for each in labels[1:]), len(words)], strict=True):
            begins = start + label.end()
            last = begins + len(words[label.end() : end].rstrip())
            asks = label["question"] is not None
            yield _Part(index, before, begins, last, asks, label["number"], label["sign"])
            before = last


def _is_pair(document: ParsedDocument, asked: _Part, said: _Part) -> bool:
    """Return whether a question stands right above its answer, and not above several to choose from."""
    if not asked.asks or said.asks or said.block > asked.block + 1 or said.number not in ("", asked.number):
        return False
    if asked.end - asked.start > _LONGEST or document.blocks[said.block].kind != "paragraph":
        return False
    asks = _ASKS.search(document.text[asked.start : asked.end]) is not None
    return asks and said.end > said.start and not _is_choice(document, said)


def _is_choice(document: ParsedDocument, said: _Part) -> bool:
    behind = document.blocks[min(said.block + 1, len(document.blocks) - 1)]
    until = min(behind.span.end, said.start + _NEAR)
    return _CHOICES[said.sign].search(document.text, said.start, until) is not None


def _rewritten(document: ParsedDocument, pairs: Sequence[tuple[_Part, _Part]]) -> ParsedDocument:
    levels = {asked: _level(document, asked) for asked, _ in pairs}
    edited = EditedText(document.text, list(_changes(document, pairs)))
    by_block: dict[int, list[_Part]] = {}
    for part in (part for pair in pairs for part in pair):
        by_block.setdefault(part.block, []).append(part)
    blocks: list[Block] = []
    for index, block in enumerate(document.blocks):
        pieces = _pieces(block, by_block[index], levels) if index in by_block else [block]
        blocks += (replace(piece, span=edited.span(piece.span)) for piece in pieces)
    asked_at = {document.blocks[asked.block].span.start for asked in levels}
    kept = (replace(one, start=edited.at(one.start)) for one in document.headings if one.start not in asked_at)
    places = ((level, edited.span(Span(asked.start, asked.end))) for asked, level in levels.items())
    titles = (Heading(level, edited.text[place.start : place.end], place.start) for level, place in places)
    return replace(
        document,
        text=edited.text,
        pages=tuple(replace(page, span=edited.span(page.span)) for page in document.pages),
        headings=tuple(sorted((*kept, *titles), key=lambda heading: heading.start)),
        blocks=tuple(blocks),
    )


def _level(document: ParsedDocument, asked: _Part) -> int:
    """Return the level of a question's heading: a level below the heading above it, that of it if it is a question."""
    block = document.blocks[asked.block]
    if block.kind == "heading":
        return block.level
    at = bisect_left(document.headings, block.span.start, key=lambda heading: heading.start) - 1
    if at < 0:
        return 1
    above = document.headings[at]
    return above.level if _ASKS.search(above.title) else min(above.level + 1, _DEEPEST)


def _changes(document: ParsedDocument, pairs: Sequence[tuple[_Part, _Part]]) -> Iterator[tuple[Span, str]]:
    """Yield what changes in the text: labels go, questions stand on one line, and answers apart from them."""
    for asked, said in pairs:
        yield _apart(document, asked)
        for blank in _BLANKS.finditer(document.text, asked.start, asked.end):
            if blank[0] != " ":
                yield Span(*blank.span()), " "
        yield _apart(document, said)


def _apart(document: ParsedDocument, part: _Part) -> tuple[Span, str]:
    begins = part.before == document.blocks[part.block].span.start
    return Span(part.before, part.start), "" if begins else BETWEEN_BLOCKS


def _pieces(block: Block, parts: Sequence[_Part], levels: Mapping[_Part, int]) -> Iterator[Block]:
    """Yield the blocks that a block with questions and answers becomes."""
    piece = block
    for part in parts:
        if part.before > block.span.start:
            yield replace(piece, span=Span(piece.span.start, part.before))
        kind: BlockKind = "heading" if part.asks else "paragraph"
        piece = replace(block, kind=kind, level=levels.get(part, 0), span=Span(part.start, block.span.end))
    yield piece
