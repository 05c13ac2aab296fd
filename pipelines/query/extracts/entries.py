"""What stands inside of long items and entries: their paragraphs, lists and code are groups of their own.

The entry of a setting in a manual may have a page of text. Shown behind its name, only the first sentence fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.groups import Group, is_further_name, joined
from pipelines.types import Block, Span

_LISTED = frozenset({"item", "term", "definition"})
_MARK = re.compile(r"\s*(?:[-*•]|\w{1,3}[.)])\s+")
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


def insides(text: str, group: Group, most_words: int) -> Iterator[tuple[str, Group]]:
    """Yield what items and entries of more than ``most_words`` are made of, with the name that it stands under.

    The name of an item is empty. A group that is neither a list nor definitions has none.
    """
    if group.kind not in ("list", "definition"):
        return
    for _, blocks in subtrees(group.blocks):
        if word_count(text[blocks[0].span.start : blocks[-1].span.end]) > most_words:
            terms = list(takewhile(lambda block: block.kind == "term", blocks))
            name = _BEHIND_NAME.sub("", text[terms[0].span.start : terms[0].span.end]) if terms else ""
            yield from ((name, part) for part in _parts(text, _raised(text, blocks[len(terms) :])))


def _raised(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of an entry as they would stand outside of it."""
    if not blocks:
        return []
    first, *rest = blocks
    mark = _MARK.match(text, first.span.start, first.span.end) if first.kind == "item" else None
    start = mark.end() if mark else first.span.start
    above = min((block.level for block in rest), default=first.level)
    prose = replace(first, kind="paragraph", level=0, span=Span(start, first.span.end))
    return [prose, *(replace(block, level=block.level - above) for block in rest)]


def _parts(text: str, blocks: Sequence[Block]) -> Iterator[Group]:
    begins = 0
    for index in range(1, len(blocks) + 1):
        if index == len(blocks) or not joined(text, blocks[index - 1], blocks[index]):
            yield Group(tuple(blocks[begins:index]))
            begins = index
