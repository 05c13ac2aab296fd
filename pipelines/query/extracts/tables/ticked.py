"""Finds the rows of a table that have, or lack, what a column of yes and no is about: "Which boats have an anchor?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import MOST_WORDS
from pipelines.query.extracts.tables.row_cells import cell_at
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.identifiers import identifiers
from pipelines.query.terms import Terms
from pipelines.types import Span

_ASKS = re.compile(r"^\W*(?:what|which)\s+(?!(?:are|is|was|were|does|did|do)\b)[^?]*?\w", re.IGNORECASE)
_ASKS_PARTS = re.compile(r"\b(?:are|is|were|was)\s+there\s+(?:in|of)\b", re.IGNORECASE)
"""A question for what something is made of, "Which parts are there of an anchor?", is for no row that has it."""
LACKS = re.compile(
    r"\b(?:can(?:not|['\u2019]t)|(?:do|does|is|are|can|has|have)(?:n['\u2019]t|\s+(?:no|not))|lacks?|lacking|without)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:yes|y|true|supported|included|available)\b|[\u2713\u2714\u2705\u2611\u25cf\u2022\U0001f44d\U0001f7e2]|x$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|n|none|false|never|n/a|not\s.*|unsupported|unavailable)$|no\b[^\w]|[\u2716-\u2718\u274c\u274e\u2610\u2612\u2013\u2014\u26d4\U0001f6ab\U0001f44e\U0001f534-]+$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[\W_]+")
_FEWEST_ROWS = 2
_MOST_ROWS = 300
_ANSWERS = 0.6
"""The share of cells that are a plain yes or no in a column of such."""


def asks_which(question: str) -> bool:
    """Return whether a question asks which things do, have or are something."""
    return _ASKS.match(question) is not None


def rows_with_property(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return, of each table, the rows that have what the question asks for, as one passage; or lack it if so asked.

    The question names a column whose cells say yes or no, or are empty, and no single row. All other cells, such as
    "from 2.1", say yes with more words. A table has none if that fits no single column, or all rows, or no row.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    if not asks_which(question) or _ASKS_PARTS.search(question):
        return []
    found = (_with_property(question, rows, terms) for rows in tables if rows)
    return [passage for passage in found if passage is not None]


def _with_property(question: str, rows: Sequence[Passage], terms: Terms) -> Passage | None:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return None
    shower = ExtractRenderer(rows[0].stored.text)
    names, cells = shower.cells(header), [shower.cells(entry) for entry in entries]
    column = _column(question, names, cells, terms)
    if column is None or _names_row(_beside_place(question, rows[0]), names[0], cells, terms):
        return None
    wants_no = LACKS.search(question) is not None
    kept = [at for at, row in enumerate(cells) if _is_no(cell_at(row, column)) == wants_no]
    label = names[0].removesuffix(":")
    lines = [f"- {label}: {cells[at][0]}; {names[column]}: {cell_at(cells[at], column) or 'none'}" for at in kept]
    if not label:
        lines = [line.replace("- : ", "- ", 1) for line in lines]
    shown = without_citations("\n".join(lines))
    if not kept or len(kept) == len(entries) or word_count(shown) > MOST_WORDS:
        return None
    span = Span(entries[kept[0]].span.start, entries[kept[-1]].span.end)
    return replace(rows[0], span=span, shown=shown, computed_for=question)


def _beside_place(question: str, row: Passage) -> str:
    """Return a question without the identifiers that a table stands below: "read_tide" does not name the row "tide"."""
    place = " ".join((row.hit.title, *row.headings))
    for name in identifiers(question):
        question = question.replace(name, " ") if name in place else question
    return question


def _column(question: str, names: Sequence[str], cells: Sequence[Sequence[str]], terms: Terms) -> int | None:
    """Return the column of yes and no that the question names best; None if none or several are named so well."""
    asked = terms(question) - terms(names[0])
    words = {at: terms(_SIGN.sub(" ", name)) for at, name in enumerate(names) if at}
    fitting = [at for at in words if words[at] & asked and _says_yes_or_no([cell_at(row, at) for row in cells])]
    ranked = sorted(fitting, key=lambda at: (-len(words[at] & asked), len(words[at] - asked)))
    if not ranked:
        return None
    best, *others = ranked
    for at in others:
        is_as_good = len(words[at] & asked) == len(words[best] & asked) and len(words[at]) == len(words[best])
        if is_as_good or (words[at] <= asked and not words[at] <= words[best]):
            return None
    return best


def _says_yes_or_no(column: Sequence[str]) -> bool:
    """Return whether a column is one of yes and no; empty cells are a no beside cells that say yes."""
    plain = [cell for cell in column if _is_no(cell) or _YES.match(cell)]
    return len(plain) >= _ANSWERS * len(column) and any(column)


def _names_row(question: str, label: str, cells: Sequence[Sequence[str]], terms: Terms) -> bool:
    """Return whether a word of the question stands in the names of some rows and not of all."""
    asked = terms(question) - terms(label)
    held = [asked & terms(row[0]) for row in cells]
    return frozenset[int]().union(*held) != held[0].intersection(*held)


def _is_no(cell: str) -> bool:
    return not cell or _NO.match(cell) is not None
