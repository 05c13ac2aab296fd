"""Lists and tables that have all things of a kind."""

from __future__ import annotations

from collections.abc import Set

from pipelines.query.extracts.passages.passages import LISTS, Passage
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
