"""Finds the row of a table whose name and column a question says: "What support does the Team edition get?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.query.extracts.language.definitions import joined, joined_words
from pipelines.query.extracts.language.numbered import numbered_nouns
from pipelines.query.extracts.language.product_versions import line_of_version
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.row_cells import ASKING, cell_at, holds_others, rows_shown
from pipelines.query.extracts.tables.superlatives import is_of_price
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.paraphrases import with_paraphrases
from pipelines.query.properties import properties_of, with_properties
from pipelines.query.question_types import question_kind
from pipelines.query.terms import Terms
from pipelines.types import Block, Span

_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 3
_MOST_ROWS = 2000
_MOST_CELLS = 8
_SIGN = re.compile(r"[\W_]")
_BEGUN = re.compile(r"([^\W\d_][\w'\u2019-]+)\s*(?:[,(;]|\b(?:from|in|of|on|per|with|without)\b)")
"""The first word of a name that says more of the same thing behind it; a "boat trip" is no boat."""


def rows_looked_up(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return the row of a table that a question names together with one of its columns, and with nothing else.

    Several rows that have the same name or role are one passage. None is returned where rows of several tables are
    named so.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    found = [_looked_up(question, rows, terms) for rows in tables if rows]
    named = [passage for passage in found if passage is not None]
    return named if len(named) == 1 else []


def _looked_up(question: str, rows: Sequence[Passage], terms: Terms) -> Passage | None:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return None
    shower, asked = ExtractRenderer(rows[0].stored.text), terms(question)
    properties = terms(" ".join(properties_of(question)))
    label, *columns = shower.cells(header)
    meant, words = _Meant(question, asked | properties, terms), frozenset(joined_words(question))
    named = [
        column
        for column in columns
        if (said := terms(column)) and (meant.is_said(column) or said & properties or joined(column) in words)
    ]
    if not named or (len(columns) < _FEWEST_COLUMNS - 1 and not is_of_price(question, columns)):
        return None
    source = _SIGN.sub(" ", rows[0].hit.source)
    place = " ".join((rows[0].hit.title, source, *rows[0].headings, label, *named, *map(joined, named), ASKING))
    left = asked - meant.told_by(place)
    told = [(entry, shower.cells(entry)) for entry in entries]
    called = _called(told, [label, *columns], left, meant) or _of_version(question, told, left, terms)
    if not called or (len(called) > 1 and (not left or len(called) == len(entries))):
        return None
    shown = _shown(called[0], header, named, shower) if len(called) == 1 else rows_shown(called, header, shower)
    if not shown:
        return None
    return replace(rows[0], span=Span(called[0].span.start, called[-1].span.end), shown=shown, computed_for=question)


class _Meant:
    """What a question says, also in other words: "heavy" of the row "Weight", "company" of the column "Supplier"."""

    def __init__(self, question: str, asked: frozenset[int], terms: Terms) -> None:
        self._question = question
        self._asked = asked | terms("date") if question_kind(question) in ("date", "time") else asked
        self._terms = terms

    def told_by(self, text: str) -> frozenset[int]:
        """Return the terms of a text, and those of the question that say the same."""
        return self._terms(with_paraphrases(self._question, with_properties(self._question, text)))

    def is_written(self, name: str) -> bool:
        """Return whether the question says all of a name in its own words."""
        return self._terms(name) <= self._asked

    def is_said(self, name: str) -> bool:
        """Return whether the question says all of a name, maybe in other words, or its date by "when"."""
        words = self._terms(name)
        return bool(words) and (words <= self._asked or words <= self._terms(with_paraphrases(name, self._question)))


def _called(
    entries: Sequence[tuple[Block, Sequence[str]]], names: Sequence[str], left: frozenset[int], meant: _Meant
) -> list[Block]:
    """Return the rows of which a cell says what else is asked, and nothing besides.

    That is the name of the row, in the words of the question if a row has these: "start" is no "begin" where there are
    both. Where no row has it, and more is asked than the column, it is a role, which does not stand below "Reports to",
    or the beginning of a name with more behind it: "Sole" of "Sole in butter, potatoes", not of "Sole Deluxe" or "Sole
    pan".
    """
    own = [at for at, name in enumerate(names[:_MOST_CELLS]) if at and not holds_others(name)]
    for columns in ([0], own) if left else ([0],):
        said = [(entry, [cell_at(cells, at) for at in columns]) for entry, cells in entries]
        called = [
            (entry, [one for one in told if left <= meant.told_by(one) and meant.is_said(one)]) for entry, told in said
        ]
        written = [entry for entry, told in called if any(map(meant.is_written, told))]
        if found := written or [entry for entry, told in called if told]:
            return found
    names_begun = ((entry, _BEGUN.match(cells[0])) for entry, cells in entries if cells)
    return [entry for entry, begun in names_begun if begun and left and left <= meant.told_by(begun[1])]


def _of_version(
    question: str, entries: Sequence[tuple[Block, Sequence[str]]], left: frozenset[int], terms: Terms
) -> list[Block]:
    """Return the row for the version that a question names, if nothing else is asked: "8.x" for "Ebb 8"."""
    line = line_of_version(question, [cells[0] for _, cells in entries if cells])
    numbers = terms(" ".join(number for _, number in numbered_nouns(question)))
    return [entry for entry, cells in entries if line and cells[0] == line] if left <= numbers else []


def _shown(entry: Block, header: Block, named: Sequence[str], shower: ExtractRenderer) -> str:
    """Return a row with the names of its columns; a cell that is asked for and empty says "none"."""
    names, cells = shower.cells(header), shower.cells(entry)
    empty = [f"{name}: none" for at, name in enumerate(names) if name in named and not cell_at(cells, at)]
    return "; ".join((shower.row(entry, header), *empty))
