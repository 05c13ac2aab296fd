"""Lists in which the terms are questions, as those of an FAQ: each question is a heading above its answer."""

from __future__ import annotations

import re
from dataclasses import replace
from operator import attrgetter

from pipelines.reading.questions.parts import ASKS, LONGEST, level_of_question
from pipelines.types import Block, Heading, ParsedDocument

_FEWEST = 2
_WORD = re.compile(r"[^\W\d_]{2}")
_ONE_WORD = re.compile(r"[A-Z]\w+\?")


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
    asked: list[Heading] = []
    blocks: list[Block] = []
    is_below = False
    for block in document.blocks:
        if _is_outer_term(block) and block.span.start in starts:
            level = level_of_question(document, block)
            title = " ".join(document.text[block.span.start : block.span.end].split())
            asked.append(Heading(level, title, block.span.start))
            blocks.append(replace(block, kind="heading", level=level))
            is_below = True
            continue
        is_below = is_below and block.level > 0 and block.kind != "heading"
        blocks.append(_raised(block) if is_below else block)
    headings = sorted((*document.headings, *asked), key=attrgetter("start"))
    return replace(document, headings=tuple(headings), blocks=tuple(blocks))


def _is_outer_term(block: Block) -> bool:
    return block.kind == "term" and block.level == 0


def _asks(document: ParsedDocument, term: Block) -> bool:
    """Return whether a term is a question; the sign "*?" is none, and neither is a function such as "empty?"."""
    text = document.text[term.span.start : term.span.end]
    if len(text) > LONGEST or ASKS.search(text) is None:
        return False
    return (len(text.split()) > 1 and _WORD.search(text) is not None) or _ONE_WORD.fullmatch(text) is not None


def _raised(block: Block) -> Block:
    """Return a block of what a term means as one of the text below a heading."""
    is_text = block.kind == "definition" and block.level == 1
    return replace(block, kind="paragraph" if is_text else block.kind, level=block.level - 1)
