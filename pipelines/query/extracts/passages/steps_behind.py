"""Prose with the numbered steps right behind it, which say how what it speaks of is done."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice, takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.types import Block, Span

_FIRST = re.compile(r"\s*1[.)]\s")
_NUMBER = re.compile(r"\s*\d{1,2}[.)]\s")
_FEWEST = 2
_FARTHEST = 60
"""Blocks among which the steps stand, with the code between them."""


def with_steps_behind(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch of prose with the steps right behind it, if it goes on to its end and they are short.

    The code and the remarks between the steps are left out.
    """
    blocks, text = passage.stored.blocks, passage.stored.text
    at = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    if passage.kind != "sentences" or passage.is_inside or at == 0 or blocks[at - 1].span.end != span.end:
        return span, shown
    steps = _steps(text, blocks, at)
    lines = [ExtractRenderer(text).block(step).strip() for step in steps]
    if len(steps) < _FEWEST or sum(map(word_count, lines)) > most_words:
        return span, shown
    return Span(span.start, steps[-1].span.end), "\n".join((shown, *lines))


def _steps(text: str, blocks: Sequence[Block], at: int) -> list[Block]:
    """Return the steps that begin with the block at ``at``, up to the next block beside them; none if it is no step."""
    if at >= len(blocks) or blocks[at].kind != "item" or not _FIRST.match(text, blocks[at].span.start):
        return []
    level = blocks[at].level
    near = takewhile(lambda block: block.kind == "item" or block.level > 0, islice(blocks, at, at + _FARTHEST))
    return [one for one in near if one.kind == "item" and one.level == level and _NUMBER.match(text, one.span.start)]
