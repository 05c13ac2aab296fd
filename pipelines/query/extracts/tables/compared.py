"""Finds the rows or columns of a table that a question names side by side: "Is the Basic or the Pro plan cheaper?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import MOST_WORDS
from pipelines.query.extracts.tables.row_cells import ASKING, cell_at, rows_shown
from pipelines.query.extracts.tables.superlatives import is_of_price
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.question_types import question_form
from pipelines.query.terms import Terms
from pipelines.types import Span

_FEWEST_ROWS = 3
_MOST_ROWS = 2000
_MOST_NAMED = 4
_MOST_OF_A_NAME = 2
"""Rows of one name; more are entries about the same thing, each of another."""
_MOST_NAME_WORDS = 5
_FEWEST_DIGITS = 3
"""Of a name that is a number, such as a year."""
_MOST_BETWEEN = 5
"""Words between two names: "is Basic cheaper than the Pro plan"."""
_BESIDE = frozenset({"and", "from", "nor", "or", "than", "to", "with"})
_MORE_OF_NAME = re.compile(r"\s*[(\[<].*", re.DOTALL)
"""What stands behind the name of an entry: "Jib (small)"."""
_AND = re.compile(r"[,;/&]|\bvs\b|\bversus\b")
_WORD = re.compile(r"\w+")
COMPARING = "between both compare compared comparison differ difference different higher less lower more versus vs"
_PRICED = "cheap cheaper cheapest cost expensive pay price priced"
"""What a question says of a price, whatever the column of prices is called."""


def rows_compared(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return, of each table, the rows that a question names side by side, as one passage.

    Where a comparison names columns so, these are the rows that have different cells there. A table has none if the
    question names fewer than two of its rows or columns, or says nothing like "or" between them. Where the
    question is about more than the table says of itself, the passage is scored like any other.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    found = (_compared(question, rows, terms) for rows in tables if rows)
    return [passage for passage in found if passage is not None]


def _compared(question: str, rows: Sequence[Passage], terms: Terms) -> Passage | None:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return None
    shower = ExtractRenderer(rows[0].stored.text)
    columns = shower.cells(header)
    named, kept = _rows_named(question, [shower.cells(entry)[0] for entry in entries], terms)
    shown = rows_shown([entries[at] for at in kept], header, shower)
    if not kept and question_form(question) == "comparison":
        named = side_by_side(question, map(in_words, columns[1:]), terms)
        kept, shown = _difference(question, columns, [shower.cells(entry) for entry in entries], named)
    if not shown:
        return None
    names = [*columns, *(shower.cells(entries[at])[0] for at in kept)]
    told = " ".join((rows[0].hit.title, *rows[0].headings, *names, *named, ASKING, COMPARING))
    is_told = terms(question) <= terms(f"{told} {_PRICED}" if is_of_price(question, names) else told)
    span = Span(entries[kept[0]].span.start, entries[kept[-1]].span.end)
    return replace(rows[0], span=span, shown=shown, computed_for=question if is_told else "")


def _rows_named(question: str, names: Sequence[str], terms: Terms) -> tuple[list[str], list[int]]:
    """Return the names that a question has one beside the other, and the rows that they are of, if these are few.

    The first word of a name is one too, if no other begins so: "Heron" of "Heron 200".
    """
    called: dict[str, list[int]] = {}
    beginnings = Counter(name.partition(" ")[0] for name in names)
    for at, name in enumerate(names):
        called.setdefault(in_words(name), []).append(at)
        first, more, _ = name.partition(" ")
        if more and beginnings[first] == 1 and first[:1].isupper():
            called.setdefault(in_words(first), []).append(at)
    named = side_by_side(question, called, terms)
    kept = sorted({at for name in named for at in called[name]})
    are_few = len(kept) < len(names) and all(len(called[name]) <= _MOST_OF_A_NAME for name in named)
    return (named, kept) if are_few else ([], [])


def _difference(
    question: str, columns: Sequence[str], cells: Sequence[Sequence[str]], named: Sequence[str]
) -> tuple[list[int], str]:
    """Return the rows that have different cells in the columns that are named, and a list of these cells.

    If one of them has prices, or is named, and the question asks for that, the others do not count.
    """
    at = [column for column, name in enumerate(columns) if column and in_words(name) in named]
    kept = [number for number, row in enumerate(cells) if len({cell_at(row, column) for column in at}) > 1]
    asked = in_words(question)
    meant = [number for number in kept if _places(in_words(cells[number][0]), asked)]
    kept = meant or [number for number in kept if is_of_price(question, cells[number][:1])] or kept
    lines = (
        "; ".join(f"{columns[column]}: {cell_at(cells[number], column) or 'none'}" for column in at) for number in kept
    )
    label = f"{columns[0].removesuffix(':')}: " if columns[0] else ""
    shown = "\n".join(f"- {label}{cells[number][0]}; {line}" for number, line in zip(kept, lines, strict=True))
    return (kept, without_citations(shown)) if word_count(shown) <= MOST_WORDS else ([], "")


def side_by_side(question: str, called: Iterable[str], terms: Terms) -> list[str]:
    """Return the names that a question has one beside the other, in its order; none where these are too few or many."""
    asked = in_words(question)
    places = [(*place, name) for name in called for place in _places(name, asked) if _is_name(name, terms)]
    named: list[tuple[int, int, str]] = []
    for start, end, name in sorted(places, key=lambda one: (one[0], -one[1])):
        if not named or end > named[-1][1]:  # else it stands within a longer name
            named.append((start, end, name))
    between = [asked[end:start].split() for (_, end, _), (start, _, _) in pairwise(named)]
    beside = all(len(words) <= _MOST_BETWEEN and not _BESIDE.isdisjoint(words) for words in between)
    names = list(dict.fromkeys(name for *_, name in named))
    return names if beside and 1 < len(names) <= _MOST_NAMED else []


def _is_name(name: str, terms: Terms) -> bool:
    """Return whether words can name a row: those that say nothing of their own cannot, nor small numbers."""
    words = name.split()
    is_number = len(words) == 1 and words[0].isdigit()
    return len(words) <= _MOST_NAME_WORDS and bool(terms(name)) and (not is_number or len(words[0]) >= _FEWEST_DIGITS)


def _places(name: str, asked: str) -> list[tuple[int, int]]:
    """Return where a name begins and ends in a question, both in words; it may be in the plural there."""
    if f" {name.strip()}" not in asked:
        return []
    return [found.span() for found in re.finditer(rf"(?<= ){re.escape(name.strip())}s?(?= )", asked)]


def name_in_words(title: str) -> str:
    """Return the name that a heading or an entry begins with, in words: without "(small)" of "Jib (small)"."""
    return in_words(_MORE_OF_NAME.sub("", title))


def in_words(text: str) -> str:
    """Return the words of a text, with spaces around each, and "and" for commas and the like."""
    return f" {' '.join(_WORD.findall(_AND.sub(' and ', text.lower())))} "
