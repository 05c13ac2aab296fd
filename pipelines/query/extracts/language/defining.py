"""Finds the paragraphs of a document that say what a thing is, wherever they stand in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from pipelines.query.extracts.language.definitions import Definition
from pipelines.query.short_names import in_full
from pipelines.types import Span, StoredText

_AROUND = 100_000
"""Characters before and behind a hit that are looked through: a book says in many places what its things are."""
_MOST = 40
"""Places where the thing is named, the nearest ones to the hit."""
_FIRST = 5
"""Places where it is named first: there a text that names it often says what it is."""
_LONGEST = 1_500
"""Characters of a paragraph that is read."""


def naming_places(stored: StoredText, short: str) -> Iterator[Span]:
    """Yield the first places in a text that say what a short name stands for: "low-density lipoprotein (LDL)"."""
    named = re.finditer(in_full(short), stored.text, re.IGNORECASE)
    yield from (Span(*one.span()) for one in islice(named, _FIRST))


def defining_paragraphs(stored: StoredText, definition: Definition, hit: Span) -> Iterator[Span]:
    """Yield the paragraphs around a hit with a sentence that says what the thing is."""
    start, end = max(hit.start - _AROUND, 0), hit.end + _AROUND
    places = [named.start() for named in definition.heading.finditer(stored.text, start, end)]
    nearest = sorted(places, key=lambda place: abs(place - hit.start))[:_MOST]
    looked_at = (*places[:_FIRST], *nearest)
    numbers = {bisect_right(stored.blocks, place, key=lambda block: block.span.start) - 1 for place in looked_at}
    for number in sorted(numbers - {-1}):
        block = stored.blocks[number]
        is_read = block.kind == "paragraph" and block.span.end - block.span.start <= _LONGEST
        if is_read and definition.stands_in(stored.text[block.span.start : block.span.end]):
            yield block.span
