"""What was so in old versions, and what is so now, which the next paragraph says. The rules are for English."""

from __future__ import annotations

import re
from bisect import bisect_left

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.types import Span

_VERSION = r"(?:[A-Z][\w+-]{0,30}\s)?(?:versions?\s)?v?\d{1,4}(?:\.\w{1,5}){0,3}"
_BEGINS_OLD = re.compile(
    rf"(?:(?i:before|prior\sto|until|up\sto)\s{_VERSION}"
    rf"|(?i:in|with)\s{_VERSION}\s(?i:(?:and|or)\s(?:before|below|earlier|lower|older))"
    r"|(?i:in\s(?:earlier|older|previous)\s(?:releases|versions))(?:\sof\s[A-Z][\w+-]{0,30})?),\s"
)
"""How prose begins that says what was so once: "In Ebb 0.4 and lower, ...", "Before version 3, ..."."""
_NOW = re.compile(r"\b(?:as\sof|no\slonger|now|nowadays|since|today)\b", re.IGNORECASE)
_MOST_WORDS = 60
"""Of what is so now."""


def with_present(passage: Passage, span: Span, shown: str) -> tuple[Span, str]:
    """Return prose on old versions with the paragraph below it, if that says what is so now."""
    blocks, shower = passage.stored.blocks, ExtractRenderer(passage.stored.text)
    if passage.kind != "sentences" or not _BEGINS_OLD.match(shown):
        return span, shown
    at = bisect_left(blocks, span.end, key=lambda block: block.span.end)
    if at + 1 >= len(blocks) or blocks[at].span.end != span.end:
        return span, shown
    below = blocks[at + 1]
    told = shower.line(below.span)
    is_next = below.kind == "paragraph" and below.level == blocks[at].level
    if not is_next or _NOW.search(told) is None or word_count(told) > _MOST_WORDS:
        return span, shown
    return Span(span.start, below.span.end), f"{shown} {told}"
