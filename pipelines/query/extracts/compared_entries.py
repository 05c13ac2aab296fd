"""Finds the entries of a list that a question names side by side: "What is the difference between a jib and a genoa?".

Such a list says of each thing what it is, one below the other; one entry alone compares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from pipelines.components.sentences import sentence_spans, word_count
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import CUT, OTHERS, entry_name_of
from pipelines.query.extracts.passages.windows import MOST_WORDS
from pipelines.query.extracts.tables.compared import COMPARING, name_in_words, side_by_side
from pipelines.query.extracts.tables.row_cells import ASKING
from pipelines.query.extracts.tables.rows import table_of
from pipelines.query.question_types import question_form
from pipelines.query.terms import Terms
from pipelines.types import Span

_FEWEST = 2
_MOST_TITLE_WORDS = 5
_MARK = re.compile(r"(?:[-*\u2022]|\w{1,3}[.)])\s+")


def entries_compared(question: str, passages: Sequence[Passage], terms: Terms) -> list[Passage]:
    """Return, of each list with such entries, these as one passage; none where it is not asked to compare.

    Where the question is about more than the list says of itself, the passage is scored like any other.

    Args:
        question: The question.
        passages: Passages, the items of a list among them.
        terms: The terms of a text.
    """
    if question_form(question) != "comparison":
        return []
    lists: dict[Hashable, list[Passage]] = {}
    for passage in passages:
        if passage.kind == "item":
            lists.setdefault(table_of(passage), []).append(passage)
    found = (_compared(question, items, terms) for items in lists.values())
    return [passage for passage in found if passage is not None]


def _compared(question: str, items: Sequence[Passage], terms: Terms) -> Passage | None:
    called: dict[str, Passage] = {}
    for item in items:
        called.setdefault(name_in_words(_name(item)), item)
    named = side_by_side(question, called, terms)
    kept = sorted((called[name] for name in named), key=lambda item: item.span.start)
    if not _FEWEST <= len(kept) < len(items):
        return None
    lead_in, _ = _split(kept[0])
    bodies = [_split(item)[1] for item in kept]
    if sum(map(word_count, bodies)) > MOST_WORDS:
        bodies = [_shortened(body, MOST_WORDS // len(bodies)) for body in bodies]
    shown = "\n".join(filter(None, (lead_in, *bodies, OTHERS if lead_in else "")))
    told = " ".join((kept[0].hit.title, *kept[0].headings, lead_in, *named, ASKING, COMPARING))
    span = Span(kept[0].span.start, kept[-1].span.end)
    is_told = terms(question) <= terms(told)
    return replace(kept[0], kind="list", span=span, shown=shown, computed_for=question if is_told else "")


def _name(item: Passage) -> str:
    """Return what an item begins with that names what it is about, such as a short line of its own; maybe nothing."""
    body = _MARK.sub("", _split(item)[1], count=1)
    line, more, _ = body.partition("\n")
    is_title = more != "" and word_count(line) <= _MOST_TITLE_WORDS and line[-1:] not in ".,:;"
    return line if is_title else entry_name_of(body)


def _shortened(body: str, most_words: int) -> str:
    """Return the first sentences of an item, in about so many words, with a sign that others are left out."""
    end = 0
    for start, stop in sentence_spans(body):
        if start and word_count(body[:stop]) > most_words:
            break
        end = stop
    return body if end == len(body) else f"{body[:end].rstrip()}{CUT}"


def _split(item: Passage) -> tuple[str, str]:
    """Return what leads into the list of an item, which may be nothing, and the item without the sign for others."""
    if not item.shown.endswith(f"\n{OTHERS}"):
        return "", item.shown
    lead_in, _, body = item.shown.removesuffix(f"\n{OTHERS}").partition("\n")
    return lead_in, body
