"""Recognises the first paragraph of a section or a document: the first one that says something of its thing."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice, takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.fillers import points_elsewhere, speaks_of_page
from pipelines.query.extracts.passages.passages import Passage

LEAST_WORDS = 6
"""Of the paragraph that a document begins with: shorter ones are lines of dates or links."""
_LEAST_TAGLINE_WORDS = 5
_NAMES = re.compile(r"(?:an?|the|these|this)\s|.*:$", re.IGNORECASE)
"""How a short line begins that says nothing yet, as a sentence with a verb in front does."""
_SYNOPSIS = re.compile(r"[^<\[]{0,80}(?:[<\[][^>\]]{1,80}[>\]][^<\[]{0,80}){2,}(?<![.!?:])")
"""How a command is written: "rope [options] <command>"."""
_APART = re.compile(
    r"(?:syntax|synopsis|usage|type|since)\b\s*:\s.*"
    r"|(?:added|available|changed|introduced|new|updated)\s+(?:since|in|from)\s+(?:\w+\s+){0,3}v?\d[\d.]*\W*"
    r"|[\w ]{1,30}[\u2265>]=?\s*\d[\d.]*\b.{0,60}"
    r"|there\s+is\s+an?\b.*|[^.]{0,60}\bnow\s+(?:also\s+)?[a-z]+s\b.*|(?:please\s+)?note\s+that\b.*"
    r"|[^.]{0,40}(?:\.\d[^.]{0,20})?\b(?:compiled|edited|maintained|organi[sz]ed|published|written)\s+by\b[^.]{1,100}",
    re.IGNORECASE,
)
"""A line on how the thing is written, by whom, or since when there is one: "Syntax: :moor", "New in version 2.1."."""


def begins_section(passage: Passage, start: int, least_words: int = LEAST_WORDS) -> bool:
    """Return whether prose is part of the first paragraph behind ``start`` that says something.

    A paragraph of fewer than ``least_words`` words says nothing.
    """
    text, blocks = passage.stored.text, passage.stored.blocks
    behind = islice(blocks, bisect_left(blocks, start, key=lambda block: block.span.start), None)
    until = takewhile(lambda block: block.span.start < passage.span.end, behind)
    paragraphs = (block.span for block in until if block.kind == "paragraph")
    first = next((span for span in paragraphs if _says_something(text[span.start : span.end], least_words)), None)
    if first is None or passage.is_part or speaks_of_page(text[first.start : first.end]):
        return False
    # A passage may begin with a reply too short to count: "Yes."
    return start <= passage.span.start < first.end


def begins_document(passage: Passage) -> bool:
    """Return whether prose is part of the first paragraph of its document."""
    return passage.offset == 0 and begins_section(passage, 0)


def _says_something(paragraph: str, least_words: int) -> bool:
    line = " ".join(paragraph.split())
    is_long = word_count(line) >= (_LEAST_TAGLINE_WORDS if line.endswith(".") else LEAST_WORDS)
    is_long = is_long or (word_count(line) >= least_words and not _NAMES.match(line))
    is_apart = _SYNOPSIS.fullmatch(line) or _APART.fullmatch(line)
    return is_long and not is_apart and not points_elsewhere(line)
