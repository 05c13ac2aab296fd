"""Whether a list or a table has all things of a kind, or the entry of one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Set
from itertools import islice, takewhile

from pipelines.query.extracts.passages.passages import LISTS, Passage
from pipelines.query.extracts.passages.showing import names_in
from pipelines.query.terms import Terms


def stands_for_all(passage: Passage, thing: Set[int], asked: Set[int], terms: Terms) -> bool:
    """Return whether a list or a table stands under the name of a kind of thing, and nothing more is asked of them.

    ``asked`` are the terms of the question, ``thing`` those of the kind. Whose things they are, the title and the
    headings may say: "piers" under "Harbour" for "Which piers does the harbour have?".
    """
    lead_in, *items = passage.shown.split("\n")
    if passage.kind not in LISTS or not items or not thing:
        return False
    heading = passage.headings[-1] if passage.headings else passage.hit.title
    place = terms(" ".join((passage.hit.title, *passage.headings, lead_in)))
    return asked <= thing | place and thing <= place and bool(thing & terms(f"{heading} {lead_in}"))


def has_one_entry(passage: Passage) -> bool:
    """Return whether a list has a single entry, such as a class with its members: it does not say which there are."""
    blocks = passage.stored.blocks
    at = bisect_left(blocks, passage.span.start, key=lambda block: block.span.start)
    within = takewhile(lambda block: block.span.start < passage.span.end, islice(blocks, at, None))
    levels = [block.level for block in within if block.kind == "term"]
    return passage.kind in ("list", "definition") and levels.count(min(levels, default=0)) == 1


def is_of_names(passage: Passage) -> bool:
    """Return whether a list is shown as a line with the names of its entries, and no word of what they are."""
    return passage.kind == "list" and bool(names_in(passage.shown))
