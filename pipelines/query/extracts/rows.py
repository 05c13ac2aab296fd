"""Finds the row of a table that a question names, such as "the half-day rate of Japan"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from pipelines.query.extracts.definitions import joined, joined_words
from pipelines.query.extracts.passages import Passage
from pipelines.query.question_types import question_form
from pipelines.types import CELL_BREAK

_SEVERAL = frozenset({"list", "comparison"})


def rows_named(question: str, passages: Sequence[Passage], terms: Callable[[str], frozenset[int]]) -> list[Passage]:
    """Return, of each table, the row that alone holds a term of the question; none where several rows are asked for.

    Args:
        question: The question.
        passages: Passages, the rows of a table among them.
        terms: The terms of a text.
    """
    if question_form(question) in _SEVERAL:
        return []
    asked, words = terms(question), frozenset(joined_words(question))
    tables: dict[tuple[str, int], list[Passage]] = {}
    for passage in passages:
        if passage.kind == "row":
            tables.setdefault(table_of(passage), []).append(passage)
    return [
        row
        for rows in tables.values()
        if len(rows) > 1
        for row in _called(words, rows) or _only_one(asked, rows, terms)
    ]


def table_of(passage: Passage) -> tuple[str, int]:
    """Return what tells the table apart that a row or a whole table is of."""
    return passage.hit.document_id, passage.group


def _called(words: frozenset[str], rows: Sequence[Passage]) -> list[Passage]:
    """Return the row whose first cell is among ``words``, each some of the question as one; none of several."""
    named = [row for row in rows if joined(_first_cell(row)) in words]
    return named if len(named) == 1 else []


def _first_cell(row: Passage) -> str:
    written = row.stored.text[row.span.start : row.span.end]
    return written.split(CELL_BREAK.rstrip(), 1)[0]


def _only_one(asked: frozenset[int], rows: Sequence[Passage], terms: Callable[[str], frozenset[int]]) -> list[Passage]:
    held = [asked & terms(row.shown) for row in rows]
    among = Counter(term for some in held for term in some)
    named = [row for row, some in zip(rows, held, strict=True) if any(among[term] == 1 for term in some)]
    return named if len(named) == 1 else []
