"""Prose with the code right before or behind it, which shows what it says, and code that a passage holds."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice, takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.groups import joined
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.types import Span

_OF_CODE_ABOVE = re.compile(
    r"(?:(?:this|that|these|the)\s+(?:[\w-]+\s+)?(?:call|code|command|example|line|program|script|snippet)s?\b"
    r"|(?:running|executing|entering)\s+(?:this|that|these|the)\b|[^.!?\n]{1,80}?\bdo\s+(?:so|that|this)\b|(?-i:and|or|then|which)\s)",
    re.IGNORECASE,
)
"""The beginning of prose that speaks of the code above it, or goes on with the sentence that led into it."""


def shows_code(passage: Passage) -> bool:
    """Return whether a passage is shown with some of the code that it holds."""
    return any(_are_shown(passage))


def leaves_out_code(passage: Passage) -> bool:
    """Return whether a passage, such as a long list with its items cut short, is shown without code that it holds."""
    return not all(_are_shown(passage))


def _are_shown(passage: Passage) -> Iterator[bool]:
    """Yield for each piece of code in the place of a passage whether it begins in what is shown."""
    blocks, text = passage.stored.blocks, passage.stored.text
    at = bisect_left(blocks, passage.span.start, key=lambda block: block.span.start)
    within = takewhile(lambda block: block.span.start < passage.span.end, islice(blocks, at, None))
    codes = (text[block.span.start : block.span.end].strip() for block in within if block.kind == "code")
    return (code.split("\n", 1)[0] in passage.shown for code in codes)


def with_code_behind(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch of prose with the code right behind it, if it goes on to its end and the code is short."""
    blocks = passage.stored.blocks
    at = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    if passage.kind != "sentences" or at in (0, len(blocks)) or blocks[at].kind != "code":
        return span, shown
    code = ExtractRenderer(passage.stored.text).block(blocks[at])
    if blocks[at - 1].span.end != span.end or word_count(code) > most_words:
        return span, shown
    return Span(span.start, blocks[at].span.end), f"{shown}\n{code}"


def with_code_before(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch with the code right before it, if it speaks of that code and the code is short.

    What leads into the code comes with it.
    """
    blocks = passage.stored.blocks
    at = bisect_left(blocks, span.start, key=lambda block: block.span.start)
    if not (0 < at < len(blocks)) or passage.is_part or blocks[at].span.start != span.start:
        return span, shown
    code, shower = blocks[at - 1], ExtractRenderer(passage.stored.text)
    if code.kind != "code" or not _OF_CODE_ABOVE.match(shown) or word_count(shower.block(code)) > most_words:
        return span, shown
    leads_in = at > 1 and blocks[at - 2].kind == "paragraph" and joined(shower.text, blocks[at - 2], code)
    before = blocks[at - 2 : at] if leads_in else (code,)
    return Span(before[0].span.start, span.end), f"{shower.blocks(before)}\n{shown}"
