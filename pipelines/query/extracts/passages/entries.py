"""What stands inside of long items and entries: their paragraphs, lists and code are groups of their own.

Tables are also in short ones: a row answers on its own.

The entry of a setting in a manual may have a page of text. Shown behind its name, only the first sentence fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.groups import Group, is_further_name, joined
from pipelines.query.extracts.passages.showing import is_field
from pipelines.query.extracts.passages.windows import sentences_in
from pipelines.types import Block, Span

_LISTED = frozenset({"item", "term", "definition"})
_WITH_ENTRIES = frozenset({"list", "definition"})
_LEADS = frozenset({"item", "definition", "paragraph"})
_MARK = re.compile(r"\s*(?:[-*•]|\w{1,3}[.)])\s+")
_MOST_TITLE_WORDS = 10
_BEHIND_NAME = re.compile(r"\s*[(\[=<].*", re.DOTALL)
"""What stands behind the name in a term: the type of a setting, the arguments of a function."""


def subtrees(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, Sequence[Block]]]:
    """Yield each item or term with the blocks that belong to it, and the block that leads into its list."""
    level = min(block.level for block in blocks if block.kind in _LISTED)
    tops = (index for index, block in enumerate(blocks) if block.level <= level)
    starts = [index for index in tops if not is_further_name(blocks, index)]
    lead_in: Block | None = None
    for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True):
        if blocks[start].kind not in _LISTED:
            lead_in = blocks[start]
        else:
            yield lead_in, blocks[start:end]


def insides(text: str, group: Group, most_words: int) -> Iterator[tuple[tuple[str, ...], Group]]:
    """Yield the parts of long items and entries, and the tables in short ones, each with the names it stands under.

    Long ones have more than ``most_words`` words.

    An item has a name only if it begins with a title above paragraphs. A group that is neither a list nor definitions
    has nothing inside.
    """
    if group.kind not in _WITH_ENTRIES:
        return
    for _, blocks in subtrees(group.blocks):
        if word_count(text[blocks[0].span.start : blocks[-1].span.end]) <= most_words:
            yield from _tables(text, blocks)
            continue
        terms = list(takewhile(lambda block: block.kind == "term", blocks))
        title = _title(text, blocks)
        names = (_name(text, terms[0]),) if terms else tuple(filter(None, (title,)))
        for part in _parts(text, _raised(text, blocks[len(terms) + bool(title) :])):
            yield names, part
            if part.kind in _WITH_ENTRIES:
                yield from (((*names, *inner), table) for inner, table in _tables(text, part.blocks))


def _tables(text: str, blocks: Sequence[Block]) -> Iterator[tuple[tuple[str, ...], Group]]:
    """Yield the tables with named columns among the blocks of entries, with the terms that each stands under."""
    above: list[Block] = []
    for index, block in enumerate(blocks):
        if block.kind == "term" and not is_further_name(blocks, index):
            above = [*(term for term in above if term.level < block.level), block]
        elif block.kind == "header":
            names = tuple(_name(text, term) for term in above if term.level < block.level)
            rows = list(takewhile(lambda one: one.kind == "row" and not is_field(text, one), blocks[index + 1 :]))
            if rows:
                yield names, Group((*_before_table(text, blocks, index), block, *rows))


def _before_table(text: str, blocks: Sequence[Block], at: int) -> tuple[Block, ...]:
    """Return the title of the table that begins there, else the sentence that leads into it, if there is one."""
    before = blocks[at - 1] if at else None
    if before is None or before.kind == "caption":
        return (before,) if before else ()
    if before.kind not in _LEADS or text[before.span.end - 1] != ":":
        return ()
    (lead_in,) = _raised(text, [before])
    return (replace(lead_in, span=(sentences_in(text, lead_in.span) or [lead_in.span])[-1]),)


def _name(text: str, term: Block) -> str:
    return _BEHIND_NAME.sub("", text[term.span.start : term.span.end])


def _title(text: str, blocks: Sequence[Block]) -> str:
    """Return the short line with which an item begins above its paragraphs: "14. Depth of the basin"; maybe nothing."""
    if blocks[0].kind != "item" or not blocks[1:] or blocks[1].kind != "paragraph":
        return ""
    line = text[blocks[0].span.start : blocks[0].span.end]
    title = _MARK.sub("", line, count=1).strip()
    return title if word_count(title) <= _MOST_TITLE_WORDS and title[-1:] not in ".,:;" else ""


def _raised(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of an entry as they would stand outside of it."""
    if not blocks:
        return []
    first, *rest = blocks
    mark = _MARK.match(text, first.span.start, first.span.end) if first.kind == "item" else None
    start = mark.end() if mark else first.span.start
    # A table keeps a level of its own, or its rows would not be joined.
    above = min((block.level - (block.kind == "header") for block in rest), default=first.level)
    prose = replace(first, kind="paragraph", level=0, span=Span(start, first.span.end))
    return [prose, *(replace(block, level=block.level - above) for block in rest)]


def _parts(text: str, blocks: Sequence[Block]) -> Iterator[Group]:
    begins = 0
    for index in range(1, len(blocks) + 1):
        if index == len(blocks) or not joined(text, blocks[index - 1], blocks[index]):
            yield Group(tuple(blocks[begins:index]))
            begins = index
