"""Finds the row of a table that a question names, such as "the half-day rate of Japan"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.dates import DayAsked, DayOfYear, days_in, yearless_days
from pipelines.query.extracts.language.day_names import is_of_weekdays
from pipelines.query.extracts.language.defaults import asked_setting
from pipelines.query.extracts.language.definitions import joined, joined_words
from pipelines.query.extracts.language.figures import Figures, pins_of
from pipelines.query.extracts.language.product_versions import line_of_version
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.windows import MOST_WORDS
from pipelines.query.extracts.tables.compared import rows_compared
from pipelines.query.extracts.tables.looked_up import rows_looked_up
from pipelines.query.extracts.tables.ranges import rows_of_ranges
from pipelines.query.extracts.tables.superlatives import asks_extreme, rows_of_extremes
from pipelines.query.extracts.tables.ticked import rows_with_property
from pipelines.query.extracts.tables.totals import rows_of_totals
from pipelines.query.extracts.tables.valued import rows_with_value
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.identifiers import lacks_identifier
from pipelines.query.properties import properties_of
from pipelines.query.question_types import KEPT_QUESTIONS, names_new, question_form
from pipelines.query.terms import Terms
from pipelines.types import CELL_BREAK, Block, Span

_COMPUTING = (rows_compared, rows_of_extremes, rows_of_ranges, rows_of_totals, rows_with_property, rows_with_value)
_BETWEEN_NAMES = re.compile(r",\s|\s/\s")
_INITIALS = re.compile(r"\b[A-Z]{2,4}\b")
_HOW_MANY = re.compile(r"\W*how\s+many\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_MOST_NAME_WORDS = 3
"""Of one of several names in a cell; longer ones are parts of a sentence."""
_MOST_DAY_WORDS = 6
"""Of a cell with a day, such as "Monday 8 December 2025" or "2025-12-08 19:30:00"."""


def rows_named(question: str, passages: Sequence[Passage], terms: Terms) -> list[Passage]:
    """Return the rows of tables that answer a question.

    They are computed first: the rows that are compared, the row with the most or the least, with the range that holds
    a number, with the total, the rows that are ticked in a column or have the value that is named, or the row that is
    named together with a column.

    Else it is the row that alone holds a term of the question; none where several rows are asked for.

    Args:
        question: The question.
        passages: Passages, the rows of a table among them.
        terms: The terms of a text.
    """
    properties = properties_of(question)
    tables: dict[Hashable, list[Passage]] = {}
    for passage in passages:
        if passage.kind == "row":
            tables.setdefault(table_of(passage), []).append(passage)
    pinned = _with_identifiers(question, list(tables.values()))
    for computing in (
        rows_compared,
        rows_of_extremes,
        rows_of_ranges,
        rows_of_totals,
        rows_with_property,
        rows_with_value,
        rows_looked_up,
    ):
        if computed := computing(question, pinned, terms):
            return computed
    if question_form(question) == "list":
        return [
            row
            for rows in tables.values()
            for row in (_meant(question, rows, terms) if _are_facts(rows) else _pinned(question, rows))
        ]
    if question_form(question) == "comparison":
        return []
    return [
        row
        for rows in tables.values()
        if len(rows) > 1 or is_row_of_setting(question, rows[0])
        for row in _meant(question, rows, terms)
        or _with_value(question, _only_one(question, rows, terms))
        or _called(properties, rows)
    ]


def is_any_row(question: str, passage: Passage, named: Sequence[Passage]) -> bool:
    """Return whether it is asked what has the most or the least, and a passage is a row that was not compared."""
    return asks_extreme(question) and passage.kind == "row" and all(passage is not row for row in named)


def is_row_of_setting(question: str, row: Passage) -> bool:
    """Return whether a row is the entry of the setting that a question asks the default of."""
    setting = joined(asked_setting(question))
    return setting != "" and joined(first_cell(row)) == setting


def table_of(passage: Passage) -> Hashable:
    """Return what tells the table apart that a row or a whole table is of."""
    return passage.text_key, passage.group


def _with_identifiers(question: str, tables: Sequence[Sequence[Passage]]) -> Sequence[Sequence[Passage]]:
    """Return the tables that have, or stand below, the identifiers of the question; all if none has, or there are none.

    What is computed is scored together with the question, so its identifiers tell no table apart later.
    """
    if not lacks_identifier(question, ""):
        return tables
    told = [" ".join((rows[0].in_context, *(row.shown for row in rows[1:]))) for rows in tables]
    return [rows for rows, text in zip(tables, told, strict=True) if not lacks_identifier(question, text)] or tables


def _are_facts(rows: Sequence[Passage]) -> bool:
    """Return whether each row is a fact of one thing, under its name: "Weight | 2 kg"."""
    cells = [row.stored.text[row.span.start : row.span.end].split(CELL_BREAK) for row in rows]
    return all(
        len(each) == 2 and row.shown.startswith(each[0].removesuffix(":"))
        for each, row in zip(cells, rows, strict=True)
    )


def _meant(question: str, rows: Sequence[Passage], terms: Terms) -> list[Passage]:
    """Return the row that a question names; where rows have the versions that it names, one of these.

    Another row is meant if its name holds that name, and the question says the rest of it too. No row is returned where
    the question says a part of the rest.
    """
    named = _called(frozenset(joined_words(question)), rows, pins_of(question)) or _pinned(question, rows)
    longer = _longer_names(question, named[0], rows, terms) if named else []
    said = [row for row, is_said in longer if is_said]
    return (said if len(said) == 1 else []) if longer else named


def _longer_names(question: str, named: Passage, rows: Sequence[Passage], terms: Terms) -> list[tuple[Passage, bool]]:
    """Return the rows whose names hold that of a row and words of the question besides, and whether it has the rest.

    What the column of names is called does not count: "the Pro plan" is one of the plans.
    """
    header, _ = whole_table(named)
    column = terms(first_cell(named, header)) if header is not None else frozenset[int]()
    asked, own = terms(question), terms(first_cell(named))
    rest = [(row, name - own - column) for row in rows if own and own < (name := terms(first_cell(row)))]
    return [(row, more <= asked) for row, more in rest if more & asked]


def _called(words: frozenset[str], rows: Sequence[Passage], pins: Figures | None = None) -> list[Passage]:
    """Return the row that is named by one of ``words``: single words of the question, or several joined.

    Rows of one name that follow each other count as one row; none is returned where several stand apart. If some of
    them have all ``pins``, others do not count.
    """
    called = [not words.isdisjoint(_names(row)) for row in rows]
    pinned = [
        is_called and pins is not None and pins.are_in(row.shown) for row, is_called in zip(rows, called, strict=True)
    ]
    marked = zip(rows, pinned if any(pinned) else called, strict=True)
    runs = [[row for row, _ in run] for is_named, run in groupby(marked, itemgetter(1)) if is_named]
    return _as_one(runs[0]) if len(runs) == 1 else []


def _pinned(question: str, rows: Sequence[Passage]) -> list[Passage]:
    """Return the row for the days that the question names, "Tuesday to Friday" for Wednesdays or "2025-12-08" for 8
    December, for all versions that begin as the one that it names: "8.x" for "Ebb 8", or for the number that it gives
    the column of names: "3" of "Level" for "level 3".

    Rows of one such name that follow each other are one; none is returned where several stand apart.
    """
    cells = [first_cell(row) for row in rows]
    line, number = line_of_version(question, cells), _number_of_column(question, rows)
    named = frozenset(
        joined(cell)
        for cell in cells
        if is_of_weekdays(question, cell)
        or _is_of_day(question, cell)
        or (line and cell == line)
        or (number and joined(cell) == number)
    )
    return _called(named, rows, pins_of(question)) if named else []


def _number_of_column(question: str, rows: Sequence[Passage]) -> str:
    """Return the number that a question gives what the first column is called, as a cell has it; maybe nothing."""
    header, _ = whole_table(rows[0]) if rows else (None, ())
    *_, column = ["", *_WORD.findall(first_cell(rows[0], header))] if header is not None else [""]
    numbered = re.search(rf"\b{re.escape(column)}\s+(\d{{1,4}})\b(?![.,]?\d)", question, re.IGNORECASE)
    return numbered[1] if column and numbered is not None else ""


def _is_of_day(question: str, cell: str) -> bool:
    """Return whether a cell is hardly more than the one day of a year that a question names."""
    day = _asked_day(question)
    return day is not None and word_count(cell) <= _MOST_DAY_WORDS and day.is_in(cell)


@lru_cache(KEPT_QUESTIONS)
def _asked_day(question: str) -> DayAsked | DayOfYear | None:
    """Return the day that a question names, if it is one."""
    days = days_in(question)[0] or yearless_days(question)
    return days[0] if len(days) == 1 else None


def _names(row: Passage) -> set[str]:
    """Return the words of the first cell of a row as one; of several short names there, such as "3.8, 3.9", each."""
    cell = first_cell(row)
    parts = _BETWEEN_NAMES.split(cell)
    are_names = all(0 < word_count(part) <= _MOST_NAME_WORDS for part in parts)
    return {joined(cell), *(map(joined, parts) if are_names else ())}


def _as_one(rows: Sequence[Passage]) -> list[Passage]:
    """Return rows that follow each other as one passage; none if they have several names or are too many."""
    shown = "\n".join(row.shown for row in rows)
    if len({first_cell(row) for row in rows}) > 1 or (len(rows) > 1 and word_count(shown) > MOST_WORDS):
        return []
    return [replace(rows[0], span=Span(rows[0].span.start, rows[-1].span.end), shown=shown)] if rows[1:] else [rows[0]]


def first_cell(row: Passage, block: Block | None = None) -> str:
    """Return the first cell of a row, or of another block of its text."""
    span = row.span if block is None else block.span
    written = row.stored.text[span.start : span.end]
    return written.split(CELL_BREAK.rstrip(), 1)[0]


def _with_value(question: str, rows: list[Passage]) -> list[Passage]:
    """Return the rows unless it is asked how many things there are and they have but numbers of single things."""
    is_counted = _HOW_MANY.match(question) is not None
    return [row for row in rows if not is_counted or names_new("number", row.shown, question)]


def _only_one(question: str, rows: Sequence[Passage], terms: Terms) -> list[Passage]:
    """Return the row that alone holds a term of the question; one of the title or the headings is of all rows.

    "IT" in capitals is a term too, though "it" is not.
    """
    place = " ".join((rows[0].hit.title, *rows[0].headings))
    own = terms(question) - terms(place)
    short = {word for word in _initials(question) if not terms(word) and word not in _initials(place)}
    held = [frozenset[int | str]((*(own & terms(row.shown)), *(short & _initials(row.shown)))) for row in rows]
    among = Counter(term for some in held for term in some)
    named = [row for row, some in zip(rows, held, strict=True) if any(among[term] == 1 for term in some)]
    return named if len(named) == 1 else []


def _initials(text: str) -> frozenset[str]:
    """Return the short words in capitals of a text; none where all of it is in capitals."""
    return frozenset(_INITIALS.findall(text)) if text != text.upper() else frozenset()
