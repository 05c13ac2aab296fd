"""Cards: short sections about one person or thing, with a line that is no sentence, such as an office or a price."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.types import Block, Span

_LINE = re.compile(r"(?![-*\u2022|#>(\[])\S[^\n]{0,39}(?<![.!?:;,])")
"""A line of few letters that ends like no sentence."""
_MOST_LINE_WORDS = 4
_NUMBERED = re.compile(r"\d\.\d")
"""In a heading that has the number of a version or a section, which is no name."""
_MOST_PARAGRAPHS = 4
_MOST_CHARS = 300
_SIGNATURE = re.compile(r"(?:[a-z]+ )?(?:[a-z]\w{0,40}\.){0,6}((?:[A-Z]\w{0,40}\.)?(\w{1,60}))(?:\(.*)?", re.DOTALL)
"""The term of a thing in a program, with what it is, where it is and what it takes: "class port.Berth(number)"."""
_MOST_NAME_WORDS = 6
"""Of a heading that is the name of what its card is about."""


def is_of_card(text: str, blocks: Sequence[Block], index: int) -> bool:
    """Return whether a paragraph and the one before it are of one card: it shows them together."""
    if not 0 < index < len(blocks) or not _is_prose(blocks[index - 1]) or not _is_prose(blocks[index]):
        return False
    first, last = index - 1, index
    while first > 0 and _is_prose(blocks[first - 1]) and index - first < _MOST_PARAGRAPHS:
        first -= 1
    while last + 1 < len(blocks) and _is_prose(blocks[last + 1]) and last - first < _MOST_PARAGRAPHS:
        last += 1
    # A line above a list or a table is the title of that.
    ends = last + 1 == len(blocks) or blocks[last + 1].kind == "heading"
    is_short = blocks[last].span.end - blocks[first].span.start <= _MOST_CHARS and last - first < _MOST_PARAGRAPHS
    is_named = first > 0 and _is_name(text, blocks, first - 1)
    return ends and is_short and is_named and any(_is_line(text, block.span) for block in blocks[first : last + 1])


def card_name(text: str, blocks: Sequence[Block], first: int) -> str:
    """Return the name of the card that begins with the block with the index ``first``, else nothing.

    That is the heading right above it. Prose right below a term is a card too, and need not say the term again.
    """
    if 0 < first < len(blocks) and _is_prose(blocks[first]) and blocks[first - 1].kind == "term":
        return _term_name(text, blocks[first - 1].span, blocks[first].span)
    if not 0 < first < len(blocks) or not _is_prose(blocks[first]) or not _is_name(text, blocks, first - 1):
        return ""
    if not _is_line(text, blocks[first].span) and not is_of_card(text, blocks, first + 1):
        return ""
    return without_citations(" ".join(text[blocks[first - 1].span.start : blocks[first - 1].span.end].split()))


def _term_name(text: str, term: Span, prose: Span) -> str:
    """Return the name in a term, without where it is and what it takes: "Berth.free" of "port.Berth.free(day)".

    It is empty where the prose below says it.
    """
    signature = _SIGNATURE.fullmatch(text, term.start, term.end)
    if signature is None:
        return ""
    own = re.compile(rf"(?<!\w){re.escape(signature[2])}(?!\w)", re.IGNORECASE)
    return "" if own.search(text, prose.start, prose.end) else signature[1]


def entry_name(text: str, first: Block, names: Sequence[str]) -> str:
    """Return the name of the entry that a block stands in if that is a short line: "Default: 5"; else nothing."""
    return names[-1] if names and first.kind == "paragraph" and _is_line(text, first.span) else ""


def named(name: str, shown: str, between: str = " ") -> str:
    """Return the shown text of a card, with its name before it."""
    return f"{name}{between}{shown}" if name[-1] in ".:;!?" else f"{name}:{between}{shown}"


def _is_name(text: str, blocks: Sequence[Block], index: int) -> bool:
    """Return whether a block is a heading that may be the name of a card; what a document begins with is its title."""
    heading = blocks[index]
    is_title = index == 0 or heading.level == 1
    title = text[heading.span.start : heading.span.end]
    is_short = word_count(title) <= _MOST_NAME_WORDS and _NUMBERED.search(title) is None
    return heading.kind == "heading" and not is_title and is_short


def _is_line(text: str, span: Span) -> bool:
    """Return whether a paragraph is a few words that are no sentence: "£62", "Practice manager"."""
    found = _LINE.fullmatch(text, span.start, span.end)
    return found is not None and len(found[0].split()) <= _MOST_LINE_WORDS


def _is_prose(block: Block) -> bool:
    return block.kind == "paragraph" and block.level == 0
