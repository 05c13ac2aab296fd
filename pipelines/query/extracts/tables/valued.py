"""Finds the rows of a table that have a value which the question names: "Which tasks are open?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.day_names import WEEKDAYS, is_of_weekdays, weekdays_asked
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.row_cells import cell_at, holds_others, rows_shown
from pipelines.query.extracts.tables.ticked import LACKS, asks_which
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.terms import Terms
from pipelines.types import Span

_WORD = re.compile(r"\w+")
_FEWEST_ROWS = 3
_MOST_ROWS = 2000
_MOST_VALUE_WORDS = 5
_SIGNED = re.compile(r"[^\w\s'\u2019&,-]")
"""What a value has that stands in a question sign by sign, or not at all: "~/.ferry" is no "ferry"."""
_BETWEEN = re.compile(r"[,;/\n]")
_ASKED = re.compile(r"\W*(?:what|which)\s+(\w+)", re.IGNORECASE)
_ASKED_OF = re.compile(
    r"\W*what\s+(?:(?:are|gets?|is|was|were)\s+(\w{3,40})\s|(?:did|do|does)\s[^?]{1,80}\s(\w{3,40})\W*$)", re.IGNORECASE
)
"""What asks by the name of a column: "What is collected weekly?", or "What does Ida teach?" of a teacher."""
_PRODUCT = re.compile(r"([A-Z]\w{2,40}(?:\s[A-Z]\w{1,40})?)\s+v?\d[\d.]{0,20}")
"""A product and its version: "Debian 12"."""
_VERSIONED = re.compile(r"\w|\s+v?\d")
_ASKS_WHO = re.compile(r"\W*(?:who|(?:what|which)\s+(?:colleagues|employees|people|persons|staff))\b", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"\W*(?:when|(?:at|in|on)\s+(?:what|which)\s+\w+)\b", re.IGNORECASE)
_BEING = "based belong colleagues duty employees located member people persons sit staff stationed work"
"""What a question for people may say besides a value: "Who works in the yard?"."""
_AUXILIARY = re.compile(
    r"\b(?:can|could|did|do|does|may|must|should|will|would)(?:\s+(?:the\s+)?\w+\s+(?:at|by|for|from|in|of|on|to|with))?\s*$"
)
"""What stands before a value that a verb follows: "does Ida Holm sail", "does the ferry to Vik leave"."""


def rows_with_value(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return, of each table, the rows whose cells hold what the question says, as one passage.

    A cell counts if the question has all of its words next to each other, or those of one of its several values; a
    number counts behind the name of its column: "floor 2". If several columns have such cells, a row needs each value
    in one of them, or in the one column that the question names. A table has none if the question names one of its
    rows, unless it names the column too ("Who reports to Ida Holm?"), if all rows fit or too many, or if the question
    is about more: "What must be done before a launch?" does not ask for the rows that are done.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    asks = (asks_which, _asks_of_people, _ASKED_OF.match)
    if LACKS.search(question) or not any(one(question) for one in asks):
        return []
    found = (_with_value(question, rows, terms) for rows in tables if rows)
    return [passage for passage in found if passage is not None]


def _with_value(question: str, rows: Sequence[Passage], terms: Terms) -> Passage | None:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return None
    shower = ExtractRenderer(rows[0].stored.text)
    names, cells = shower.cells(header), [shower.cells(entry) for entry in entries]
    shared = {name for name, count in Counter(row[0] for row in cells).items() if count > 1}
    values = [_values([cell_at(row, column) for row in cells], question) for column in range(len(names))]
    values[0] = [told & shared for told in values[0]]
    above = terms(" ".join((rows[0].hit.title, *rows[0].headings)))
    wanted = _beside_place(_wanted(question, names, values, terms), above, terms)
    names_row = any(_stands_in(row[0], question) for row in cells if row[0] not in shared)
    if names_row and not _names_column(question, names, wanted, terms):
        return None
    place = " ".join((rows[0].hit.title, *rows[0].headings, *names))
    said = [value for told in wanted.values() for value in told]
    days = (WEEKDAYS[day] for day in weekdays_asked(question) if any(is_of_weekdays(question, one) for one in said))
    if _asks_more(question, [*said, *days], place, terms) or not _asks_of_columns(question, names, wanted):
        return None
    kept = [at for at in range(len(cells)) if wanted and _has_each(wanted, [column[at] for column in values])]
    if not kept or len(kept) == len(entries):
        return None
    shown = rows_shown([entries[at] for at in kept], header, shower)
    if not shown:
        return None
    span = Span(entries[kept[0]].span.start, entries[kept[-1]].span.end)
    return replace(rows[0], span=span, shown=shown, computed_for=question)


def _asks_of_people(question: str) -> bool:
    """Return whether a question asks who works somewhere, or when somebody does."""
    return _ASKS_WHO.match(question) is not None or _ASKS_WHEN.match(question) is not None


def _asks_of_columns(question: str, names: Sequence[str], columns: Iterable[int]) -> bool:
    """Return whether a question with "what" asks by the name of one of some columns; others ask for rows anyway."""
    asked = None if asks_which(question) else _ASKED_OF.match(question)
    verb = (asked[1] or asked[2]).lower() if asked is not None else ""
    return any(names[column].lower().startswith(verb) for column in columns)


def _has_each(wanted: Mapping[int, frozenset[str]], row: Sequence[frozenset[str]]) -> bool:
    """Return whether a row has one of the values that each column is wanted for, there or in another such column."""
    return all(any(told & row[column] for column, also in wanted.items() if told & also) for told in wanted.values())


def _asks_more(question: str, told: Sequence[str], place: str, terms: Terms) -> bool:
    """Return whether a question is about more than some values in a place; a verb is no more: "Which boats lie aft?".

    What follows a value is no verb: an "aft cabin" is none of the boats that lie aft.
    """
    thing = _ASKED.match(question)
    besides = _BEING if _asks_of_people(question) else ""
    left = terms(question) - terms(" ".join((place, besides, *told)))
    does = _ASKED_OF.match(question)
    has_verb = (
        _ASKS_WHEN.match(question) is not None
        or (does is not None and bool(does[2]))
        or (thing is not None and bool(terms(thing[1]) - left))
    )
    return len(left) > has_verb or any(left & terms(_noun_behind(question, value)) for value in told)


def _names_column(question: str, names: Sequence[str], columns: Iterable[int], terms: Terms) -> bool:
    """Return whether a question has the name of one of some columns."""
    called = (terms(names[column]) for column in columns)
    return any(name and name <= terms(question) for name in called)


def _noun_behind(question: str, value: str) -> str:
    """Return the word that follows a value in a question; empty where that is a verb: "does Ida Holm sail"."""
    before, _, behind = _words(question).partition(_words(value))
    return "" if _AUXILIARY.search(before) else behind.partition(" ")[0]


def _values(cells: Sequence[str], question: str) -> list[frozenset[str]]:
    """Return the values of each cell of a column: itself, its parts where others have one ("oars, sails"), and the name
    of a product without its version where a question has it so.
    """
    parts = [_parts(cell) for cell in cells]
    held = Counter(part for some in parts for part in some)
    return [
        frozenset((cell, *(some if any(held[part] > 1 for part in some) else ()), *_products(cell, question)))
        for cell, some in zip(cells, parts, strict=True)
    ]


def _products(cell: str, question: str) -> list[str]:
    """Return the product that a cell has a version of, if a question names it with a capital and without a version."""
    found = _PRODUCT.fullmatch(cell)
    if found is None:
        return []
    _, name, behind = question.partition(f" {found[1]}")
    return [found[1]] if name and _VERSIONED.match(behind) is None else []


def _parts(cell: str) -> frozenset[str]:
    """Return what commas and the like part in a cell, itself if nothing does; none where that is no row of names."""
    parts = frozenset(filter(None, map(str.strip, _BETWEEN.split(cell))))
    return parts if all(word_count(part) <= _MOST_VALUE_WORDS for part in parts) else frozenset()


def _wanted(
    question: str, names: Sequence[str], values: Sequence[Sequence[frozenset[str]]], terms: Terms
) -> dict[int, frozenset[str]]:
    """Return the values that the question names, by their columns; the name of a column is not one of them.

    The names and roles of others, as below "Reports to", count if the question names their column.
    """
    called, asked = {_words(name) for name in names}, terms(question)
    wanted: dict[int, frozenset[str]] = {}
    for column, label in enumerate(names):
        is_asked = terms(label) <= asked or not holds_others(label)
        known = frozenset[str]().union(*values[column]) if is_asked else frozenset[str]()
        told = [one for one in known if one and _words(one) not in called and _is_meant(one, label, question)]
        if told := list(filter(terms, told)):
            wanted[column] = frozenset(told)
    named = {column: told for column, told in wanted.items() if (name := terms(names[column])) and name <= asked}
    alike = frozenset[str]().union(*named.values())
    return {column: told for column, told in wanted.items() if column in named or not told <= alike}


def _beside_place(wanted: dict[int, frozenset[str]], above: frozenset[int], terms: Terms) -> dict[int, frozenset[str]]:
    """Return the values without those that what stands above the table names, where a column has others: in a table of
    governors, "Who chairs the governors?" does not ask for all with the role "Governor".
    """
    return {
        column: frozenset(one for one in told if not terms(one) <= above) or told for column, told in wanted.items()
    }


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


@lru_cache(KEPT_QUESTIONS)
def _words_asked(question: str) -> str:
    return _words(question)


def _is_meant(value: str, column: str, question: str) -> bool:
    """Return whether a value stands in a question, or is the days of the week that this names: "Tue, Thu".

    A number stands there behind the name of its column: "floor 2".
    """
    if value.isdigit():
        return f"{_words(column).rstrip()}{_words(value)}" in _words_asked(question)
    return _stands_in(value, question) or is_of_weekdays(question, value)


def _stands_in(value: str, question: str) -> bool:
    """Return whether a value stands in a question, both in words; it may be in the plural there."""
    words, asked = _words(value).strip(), _words_asked(question)
    is_value = any(letter.isalpha() for letter in words) and len(words.split()) <= _MOST_VALUE_WORDS
    if not is_value or (_SIGNED.search(value.strip(".!? ")) and value.strip().lower() not in question.lower()):
        return False
    return f" {words} " in asked or f" {words}s " in asked
