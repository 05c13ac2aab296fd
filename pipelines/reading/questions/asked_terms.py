"""Lists in which the terms are questions, as those of an FAQ: each question is a heading above its answer."""

from __future__ import annotations

from bisect import insort
from dataclasses import replace
from operator import attrgetter

from pipelines.reading.questions.parts import ASKS, LONGEST, level_of_question
from pipelines.types import Block, Heading, ParsedDocument

_FEWEST = 2


def with_asked_terms(document: ParsedDocument) -> ParsedDocument:
    """Return a document whose terms that ask are headings a level below their section; at least two do.

    Where most terms ask, all are headings: an FAQ also has "It does not start.".
    """
    terms = [block for block in document.blocks if _is_outer_term(block)]
    asking = [term for term in terms if _asks(document, term)]
    if len(asking) < _FEWEST:
        return document
    chosen = terms if len(asking) * 2 > len(terms) else asking
    starts = frozenset(term.span.start for term in chosen)
    headings = list(document.headings)
    blocks: list[Block] = []
    is_below = False
    for block in document.blocks:
        if _is_outer_term(block) and block.span.start in starts:
            level = level_of_question(document, block)
            title = " ".join(document.text[block.span.start : block.span.end].split())
            insort(headings, Heading(level, title, block.span.start), key=attrgetter("start"))
            blocks.append(replace(block, kind="heading", level=level))
            is_below = True
            continue
        is_below = is_below and block.level > 0 and block.kind != "heading"
        blocks.append(_raised(block) if is_below else block)
    return replace(document, headings=tuple(headings), blocks=tuple(blocks))


def _is_outer_term(block: Block) -> bool:
    return block.kind == "term" and block.level == 0


def _asks(document: ParsedDocument, term: Block) -> bool:
    is_short = term.span.end - term.span.start <= LONGEST
    return is_short and ASKS.search(document.text[term.span.start : term.span.end]) is not None


def _raised(block: Block) -> Block:
    """Return a block of what a term means as one of the text below a heading."""
    is_text = block.kind == "definition" and block.level == 1
    return replace(block, kind="paragraph" if is_text else block.kind, level=block.level - 1)
