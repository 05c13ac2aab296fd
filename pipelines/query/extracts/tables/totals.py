"""Totals: the row of a table that answers "How much do I owe?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.query.citations import without_citations
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.row_cells import rows_shown
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.question_types import names_new
from pipelines.query.terms import Terms
from pipelines.types import CELL_BREAK, Span

_ASKS = re.compile(
    r"\bhow\s+much\b.{0,60}\b(?:owed?|owes|owing|outstanding|payable|in\s+(?:all|total)|altogether)\b"
    r"|\bhow\s+much\s+(?:do|does|did|must|should|shall|will|is)\s+(?:i|we|they|you|the\s+\w+|there)\s+(?:(?:have|need)\s+)?"
    r"(?:to\s+)?(?:be\s+)?(?:pay|paid)(?:\s+(?:(?:to|the)\s+)?(?-i:[A-Z])[\w-]*)*\W*$"
    r"|\b(?:what(?:['\u2019]s|\s+is|\s+was)|which\s+is)\s+(?:the\s+)?(?:\w+\s+)?(?:total|balance|sum)\b"
    r"|\b(?:balance|amount|total)\s+(?:due|owed|outstanding|payable|to\s+pay)\b",
    re.IGNORECASE,
)
_TO_PAY = re.compile(
    r"(?:total\s+|amount\s+|balance\s+|sum\s+|still\s+|now\s+)*(?:to\s+(?:be\s+)?pa(?:y|id)|due|owed|owing|outstanding|payable)"
    r"(?:\s+\S+){0,4}|balance|please\s+pay",
    re.IGNORECASE,
)
"""The name of the row that says what is to be paid, maybe by when."""
_TOTAL = re.compile(
    r"(?:grand\s+|invoice\s+|order\s+)?total(?:\s+(?:amount|price|cost|sum))?(?:\s*[(,].{0,40}|\s+incl\b.{0,40})?"
    r"|sum|in\s+all|altogether",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r"\b(?:in\s+(?:all|total)|altogether|all\s+together)\b", re.IGNORECASE)
_RATES = re.compile(r"\b(?:each|hourly|daily|weekly|monthly|per|rates?)\b", re.IGNORECASE)
"""What names a column of prices that nobody adds up: "Fee per night"."""
_FEWEST_PARTS = 2
_ASKS_WHICH = re.compile(r"\W*(?:which|who|whose|where|when)\b", re.IGNORECASE)
_ASKS_SUM = re.compile(r"\b(?:all|altogether|amounts?|average|overall|sums?|totals?|together|whole)\b", re.IGNORECASE)
_SAID = (
    "all altogether amount balance due have much must need outstanding owe owed owing paid pay payable should sum total"
)
"""Words of a question for a total that do not name what it is of."""


def rows_of_totals(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return the row of each table with the amount to pay, else with its total, if the question asks for it.

    What else the question says must stand in the table or above it.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    if _ASKS.search(question) is None:
        return []
    asked = terms(question) - terms(_SAID)
    told = [rows for rows in tables if rows and asked <= _told(rows, terms)]
    in_all = _IN_ALL.search(question) is not None
    parts = [passage for rows in told if (passage := _parts(rows)) is not None] if in_all else []
    if parts:
        return [replace(passage, computed_for=question) for passage in parts]
    found = (_total(rows, (_TOTAL, _TO_PAY) if in_all else (_TO_PAY, _TOTAL)) for rows in told)
    return [replace(row, shown=_as_sum(row), computed_for=question) for row in found if row is not None]


def is_unasked_total(question: str, passage: Passage) -> bool:
    """Return whether a passage is the row of a total, and a question asks which of the things above it are so."""
    if passage.kind != "row" or not _ASKS_WHICH.match(question) or _ASKS_SUM.search(question):
        return False
    name = passage.stored.text[passage.span.start : passage.span.end].split(CELL_BREAK.rstrip(), 1)[0]
    return _TOTAL.fullmatch(name.strip(" :*")) is not None


def _told(rows: Sequence[Passage], terms: Terms) -> frozenset[int]:
    return terms(" ".join((rows[0].in_context, *(row.shown for row in rows[1:]))))


def _parts(rows: Sequence[Passage]) -> Passage | None:
    """Return all rows of a table of sums that has no total, as one passage: what is paid in all is all of them."""
    header, entries = whole_table(rows[0])
    shower = ExtractRenderer(rows[0].stored.text)
    names = [shower.cells(entry)[0].strip(" :*") for entry in entries]
    if header is None or len(entries) < _FEWEST_PARTS or any(map(_TOTAL.fullmatch, names)):
        return None
    if any(map(_RATES.search, shower.cells(header))):
        return None
    shown = rows_shown(entries, header, shower)
    if not shown or not all(names_new("money", line, "") for line in shown.split("\n")):
        return None
    return replace(rows[0], span=Span(entries[0].span.start, entries[-1].span.end), shown=shown)


def _total(rows: Sequence[Passage], patterns: Sequence[re.Pattern[str]]) -> Passage | None:
    """Return the last row with a name of the first pattern, else of the next one."""
    shower = ExtractRenderer(rows[0].stored.text)
    names = [shower.line(row.span).split("|", 1)[0].strip(" :*") for row in rows]
    for pattern in patterns:
        called = [row for row, name in zip(rows, names, strict=True) if pattern.fullmatch(name) and _is_price(row)]
        if called:
            return called[-1]
    return None


def _as_sum(row: Passage) -> str:
    """Return what a row shows; a label and its sum without the names of their columns."""
    shower = ExtractRenderer(row.stored.text)
    cells = [cell for cell in shower.line(row.span).split(" | ") if cell.strip(" |")]
    return without_citations(f"{cells[0].removesuffix(':')}: {cells[1]}") if len(cells) == 2 else row.shown


def _is_price(row: Passage) -> bool:
    return names_new("money", row.shown, "")
