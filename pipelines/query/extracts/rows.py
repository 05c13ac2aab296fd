"""Finds the row of a table that a question names, such as "the half-day rate of Japan"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import groupby

from pipelines.components.sentences import word_count
from pipelines.query.extracts.definitions import joined, joined_words
from pipelines.query.extracts.passages import Passage
from pipelines.query.extracts.ranges import rows_of_ranges
from pipelines.query.extracts.superlatives import asks_extreme, rows_of_extremes
from pipelines.query.extracts.ticked import rows_with_property
from pipelines.query.extracts.valued import rows_with_value
from pipelines.query.extracts.windows import MOST_WORDS
from pipelines.query.properties import properties_of
from pipelines.query.question_types import question_form
from pipelines.types import CELL_BREAK, Span


def rows_named(question: str, passages: Sequence[Passage], terms: Callable[[str], frozenset[int]]) -> list[Passage]:
    """Return a row of each table: the one with the most or the least, or with the range that holds a number; or the
    rows that have what a column of yes and no is about, or a value that it names.

    Else it is the row that alone holds a term of the question; none where several rows are asked for.

    Args:
        question: The question.
        passages: Passages, the rows of a table among them.
        terms: The terms of a text.
    """
    asked, words, properties = terms(question), frozenset(joined_words(question)), properties_of(question)
    tables: dict[Hashable, list[Passage]] = {}
    for passage in passages:
        if passage.kind == "row":
            tables.setdefault(table_of(passage), []).append(passage)
    for computing in (rows_of_extremes, rows_of_ranges, rows_with_property, rows_with_value):
        if computed := computing(question, tables.values(), terms):
            return computed
    if question_form(question) == "list":
        return [row for rows in tables.values() if _are_facts(rows) for row in _called(words, rows)]
    if question_form(question) == "comparison":
        return []
    return [
        row
        for rows in tables.values()
        if len(rows) > 1
        for row in _called(words, rows) or _only_one(asked, rows, terms) or _called(properties, rows)
    ]


def is_any_row(question: str, passage: Passage, named: Sequence[Passage]) -> bool:
    """Return whether it is asked what has the most or the least, and a passage is a row that was not compared."""
    return asks_extreme(question) and passage.kind == "row" and all(passage is not row for row in named)


def table_of(passage: Passage) -> Hashable:
    """Return what tells the table apart that a row or a whole table is of."""
    return passage.text_key, passage.group


def _are_facts(rows: Sequence[Passage]) -> bool:
    """Return whether each row is a fact of one thing, under its name: "Weight | 2 kg"."""
    cells = [row.stored.text[row.span.start : row.span.end].split(CELL_BREAK) for row in rows]
    return all(
        len(each) == 2 and row.shown.startswith(each[0].removesuffix(":"))
        for each, row in zip(cells, rows, strict=True)
    )


def _called(words: frozenset[str], rows: Sequence[Passage]) -> list[Passage]:
    """Return the row whose first cell is among ``words``, each some of the question as one; rows of one name that
    follow each other as one. None is returned where several stand apart.
    """
    runs = [list(run) for is_named, run in groupby(rows, key=lambda row: joined(_first_cell(row)) in words) if is_named]
    if len(runs) != 1:
        return []
    return _as_one(runs[0])


def _as_one(rows: Sequence[Passage]) -> list[Passage]:
    """Return rows that follow each other as one passage; none if they have several names or are too many."""
    shown = "\n".join(row.shown for row in rows)
    if len({_first_cell(row) for row in rows}) > 1 or (len(rows) > 1 and word_count(shown) > MOST_WORDS):
        return []
    return [replace(rows[0], span=Span(rows[0].span.start, rows[-1].span.end), shown=shown)] if rows[1:] else [rows[0]]


def _first_cell(row: Passage) -> str:
    written = row.stored.text[row.span.start : row.span.end]
    return written.split(CELL_BREAK.rstrip(), 1)[0]


def _only_one(asked: frozenset[int], rows: Sequence[Passage], terms: Callable[[str], frozenset[int]]) -> list[Passage]:
    held = [asked & terms(row.shown) for row in rows]
    among = Counter(term for some in held for term in some)
    named = [row for row, some in zip(rows, held, strict=True) if any(among[term] == 1 for term in some)]
    return named if len(named) == 1 else []
