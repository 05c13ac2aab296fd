"""Finds the row of a table that has the most or the least of something: "Which boat has the most berths?".

Only whole tables are compared, in a column of numbers that the question names better than any other.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pipelines.query.citations import without_citations
from pipelines.query.extracts.language.definitions import joined, joined_words
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.amounts import amounts
from pipelines.query.extracts.tables.measured import measures_of, things_of
from pipelines.query.extracts.tables.row_cells import cell_at
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.terms import Terms

_ASKS = re.compile(
    r"\b(?:what|which|who)\b[^?]{0,200}?\b(?<!\bat\s)"
    r"(?:(?P<most>most(?!\s+recent)|highest|largest|biggest|greatest|longest|heaviest|tallest"
    r"|deepest|widest|loudest|fastest|hottest|warmest|dearest|priciest)"
    r"|(?P<least>least|fewest|lowest|smallest|cheapest|shortest|lightest"
    r"|shallowest|narrowest|quietest|slowest|coldest))\b"
    r"(?P<measure>(?:\s+(?!(?:and|at|by|did|does|for|from|has|have|in|is|of|on|or|that|to|was|were|with)\b)[\w-]+){0,3})",
    re.IGNORECASE,
)
_OF_PRICE = re.compile(r"\b(?:cheape(?:r|st)|deare(?:r|st)|pricie(?:r|st)|expensive|costs?|priced?)\b", re.IGNORECASE)
_ANY_THING = re.compile(r"(?:choice|one|option|thing|way)s?|altogether|currently|now|overall|today", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:price|cost|fee|rate|amount)s?\b|[$\u20ac\u00a3]|\b(?:USD|EUR|GBP|CHF)\b", re.IGNORECASE)
_ASKS_AGE = re.compile(
    r"\b(?:what|which|who)\b[^?]{0,200}?\b(?:(?P<most>newest|latest|most\s+recent)|(?P<least>oldest|earliest))\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:born|built|constructed|created|date|established|founded|introduced|launched|opened|published|released?|since"
    r"|started|year)\b",
    re.IGNORECASE,
)
"""The name of a column of years: the oldest has the least of it."""
_NOT_ENTRY = re.compile(r"(?:(?:grand\s+)?(?:sub)?totals?|sum|overall|average|mean|unallocated|all)\b", re.IGNORECASE)
"""The first cell of a row that tells of several others."""
_NONE = re.compile(r"[\u2013\u2014-]+|n/?a|none|nil", re.IGNORECASE)
"""A cell that says that there is no number."""
_SIGN = re.compile(r"[\W_]+")
_SHORT_NAME = re.compile(r"\b[a-z]{1,2}\d{1,2}\b")
_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
_FEWEST_ROWS = 3
_MOST_ROWS = 20_000
_NUMBERS = 0.8
"""The share of numbers in a column that can be compared."""
_LEAST_JOINED = 6


def asks_extreme(question: str) -> bool:
    """Return whether a question asks what has the most or the least of something."""
    return (_ASKS.search(question) or _ASKS_AGE.search(question)) is not None


def rows_of_extremes(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return the row of each table that has the most or the least of what a question asks for.

    A table has none if several rows share the value, or if no single column matches the question best. Tables with a
    column named in the question are preferred to tables whose title, headings or file are named there.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    if not asks_extreme(question):
        return []
    kept = list(tables)
    for by_place in (False, True):
        found = [row for rows in kept if (row := _row_of_extreme(question, rows, terms, by_place)) is not None]
        if found:
            return found
    return []


def is_of_price(question: str, columns: Iterable[str]) -> bool:
    """Return whether a question asks about prices, and a column has them."""
    return _OF_PRICE.search(question) is not None and any(map(_PRICE.search, columns))


def _row_of_extreme(question: str, rows: Sequence[Passage], terms: Terms, by_place: bool) -> Passage | None:
    measured = _ASKS.search(question)
    asks = measured or _ASKS_AGE.search(question)
    if asks is None or not rows:
        return None
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_ROWS <= len(entries) <= _MOST_ROWS:
        return None
    shower = ExtractRenderer(rows[0].stored.text)
    names, cells = shower.cells(header), [shower.cells(entry) for entry in entries]
    place = " ".join((rows[0].hit.title, *rows[0].headings, rows[0].hit.source))
    if not any(_is_called(question, name, terms) for name in ([place] if by_place else names)):
        return None
    if measured and _OF_PRICE.search(question) and _lacks_thing(measured["measure"], " ".join((place, *names)), terms):
        return None
    column = _column_of_years(names, cells)
    if measured:
        column = _column(question, measured["measure"], names, cells, terms)
        said = {at: _said(name, terms) for at, name in enumerate(names) if at and _is_of_numbers(cells, at)}
        rows_of = f"{place} {names[0]}"
        column = column or _column_of_measure(question, measured["measure"], rows_of, said, terms)
    best = _best(cells, column, most=asks["most"] is not None) if column is not None else None
    if column is None or best is None or not _is_the_one(question, rows[0], {names[0], names[column]}, terms):
        return None
    columns = dict.fromkeys((0, _name_column(question, names, cells, terms), column))
    shown = (f"{names[at]}: {cells[best][at]}".removeprefix(": ") for at in columns if cells[best][at:])
    told = without_citations("; ".join(shown))
    return replace(rows[0], span=entries[best].span, shown=told, computed_for=question)


def _name_column(question: str, names: Sequence[str], cells: Sequence[Sequence[str]], terms: Terms) -> int:
    """Return the column that names the entries: a column of text named in the question, else the first of text."""
    words = [column for column in range(len(names)) if not _is_of_numbers(cells, column)]
    called = (column for column in words if _is_called(question, names[column], terms))
    return next(called, words[0] if words else 0)


def _is_called(question: str, name: str, terms: Terms) -> bool:
    return bool(_said(question, terms) & _said(name, terms))


def _said(text: str, terms: Terms) -> frozenset[Hashable]:
    """Return the terms of a text, and short names with a figure, "Q3", which are too short for terms."""
    return frozenset((*terms(_SIGN.sub(" ", text)), *_SHORT_NAME.findall(text.lower())))


def _lacks_thing(measure: str, told: str, terms: Terms) -> bool:
    """Return whether a table has prices of other things: "the cheapest quote" is in no table of playgrounds."""
    *_, thing = measure.partition(" per ")[0].split() or [""]
    is_named = bool(thing) and _ANY_THING.fullmatch(thing) is None and _OF_PRICE.fullmatch(thing) is None
    wanted = terms(thing) if is_named else frozenset()
    return bool(wanted) and wanted.isdisjoint(terms(_SIGN.sub(" ", told)))


def _is_the_one(question: str, row: Passage, names: AbstractSet[str], terms: Terms) -> bool:
    """Return whether no other table of the text has columns of these names, or the question names the heading above."""
    shower = ExtractRenderer(row.stored.text)
    headers = (shower.cells(block) for block in row.stored.blocks if block.kind == "header")
    alike = sum(names <= frozenset(header) for header in headers)
    return alike == 1 or bool(row.headings and terms(question) & terms(row.headings[-1]))


def _column(
    question: str, measure: str, names: Sequence[str], cells: Sequence[Sequence[str]], terms: Terms
) -> int | None:
    """Return the column of numbers that what is measured and the question name best; None where none or several are."""
    ranked = []
    for column, name in enumerate(names[1:], start=1):
        named, beside = _named(question, measure, name, terms)
        if named and _is_of_numbers(cells, column):
            ranked.append((named, -beside, column))
    ranked.sort(reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    return ranked[0][2]


def _column_of_measure(
    question: str, measure: str, place: str, said: Mapping[int, frozenset[Hashable]], terms: Terms
) -> int | None:
    """Return the column of numbers for what a question does not call as the table does: "Who sold most in spring?".

    The column, or what the table stands below, is called after the sales; that has to be so of the years, the quarters
    and the like that the question names, and the table may have no other such column. Of what the question calls by a
    name of its own, the place has to have that name: "the most holidays" are those of a table of holidays, and "the
    longest walk" is in one of walks, but "the longest warranty" is not. The most money is not won in the most races.

    Args:
        question: The question.
        measure: What it says behind "most".
        place: What stands above the table, and what its rows are called.
        said: What each column of numbers is called.
        terms: The terms of a text.
    """
    own, around = _said(measure, terms), _said(place, terms)
    meant = _said(measures_of(question, of_rows=own <= around), terms)
    is_placed = bool(meant & around) or (bool(own) and own <= around)
    columns = frozenset[Hashable]().union(*said.values())
    if not own <= around | columns | _said(things_of(question), terms):
        return None
    wanted = _said(question, terms) & columns
    fitting = [
        (-len(words - wanted - meant), column)
        for column, words in said.items()
        if wanted <= words and (meant & words or (is_placed and wanted))
    ]
    fitting.sort(reverse=True)
    is_tied = len(fitting) > 1 and fitting[0][0] == fitting[1][0]
    return None if not fitting or is_tied else fitting[0][1]


def _column_of_years(names: Sequence[str], cells: Sequence[Sequence[str]]) -> int | None:
    """Return the column that says when each entry began; None where none or several do."""
    found = [
        at for at, name in enumerate(names) if at and _BEGUN.search(_SIGN.sub(" ", name)) and _is_of_years(cells, at)
    ]
    return found[0] if len(found) == 1 else None


def _is_of_years(cells: Sequence[Sequence[str]], column: int) -> bool:
    written = [row[column] for row in cells if column < len(row) and row[column]]
    return len(written) >= _FEWEST_ROWS and all(map(_YEAR.fullmatch, written))


def _named(question: str, measure: str, name: str, terms: Terms) -> tuple[int, int]:
    """Return how many words of a question a column's name has, and how many others; none where it is not measured."""
    words = _SIGN.sub(" ", name)
    asked, said = terms(question), terms(words)
    others = len(said - asked)
    if _OF_PRICE.search(question):
        return (len(asked & said) + 1 if _PRICE.search(name) else 0), others
    one = joined(name)
    is_joined = len(one) >= _LEAST_JOINED and any(each.startswith(one) for each in joined_words(measure))
    if not is_joined and not terms(measure) & said:
        return 0, others
    years = sum(year in words.split() for year in _YEAR.findall(question))
    return len(asked & said) + years + is_joined, others


def _is_of_numbers(cells: Sequence[Sequence[str]], column: int) -> bool:
    written = [row[column] for row in cells if column < len(row) and row[column] and not _NONE.fullmatch(row[column])]
    numbers = sum(one is not None for one in amounts(written))
    return numbers >= _FEWEST_ROWS and numbers >= _NUMBERS * len(written)


def _best(cells: Sequence[Sequence[str]], column: int, *, most: bool) -> int | None:
    """Return the index of the row with the most or least in a column; None where two have it."""
    told = amounts([cell_at(row, column) for row in cells])
    values = [
        (value if most else -value, index)
        for index, (row, value) in enumerate(zip(cells, told, strict=True))
        if value is not None and row[0] and not _NOT_ENTRY.match(row[0])
    ]
    values.sort(reverse=True)
    if len(values) < _FEWEST_ROWS or values[0][0] == values[1][0]:
        return None
    return values[0][1]
