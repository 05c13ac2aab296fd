"""Finds the row of a table whose range holds a number of the question: "6 to 10" of "after 7 years of service"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.tables.whole_tables import whole_table
from pipelines.query.terms import Terms

_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)"
_UNIT = r"[^\d,;]{0,20}"
_BETWEEN = re.compile(
    rf"{_UNIT}{_NUMBER}{_UNIT}?\s*(?:to|and|until|up\s+to|[-\u2013\u2014])\s*{_UNIT}?{_NUMBER}{_UNIT}", re.IGNORECASE
)
_BELOW = re.compile(rf"(?:less\s+than|fewer\s+than|under|below|<)\s*{_UNIT}?{_NUMBER}{_UNIT}", re.IGNORECASE)
_UP_TO = re.compile(
    rf"(?:up\s+to|at\s+most|not\s+more\s+than|until|\u2264|<=)\s*{_UNIT}?{_NUMBER}{_UNIT}", re.IGNORECASE
)
_ABOVE = re.compile(rf"(?:more\s+than|over|above|>)\s*{_UNIT}?{_NUMBER}{_UNIT}", re.IGNORECASE)
_FROM = re.compile(
    rf"(?:from|at\s+least|\u2265|>=)\s*{_UNIT}?{_NUMBER}{_UNIT}"
    rf"|{_UNIT}?{_NUMBER}\s*(?:\+|(?:{_UNIT}\s)?(?:or|and)\s+(?:above|more|older|over|upwards)\b){_UNIT}",
    re.IGNORECASE,
)
_AHEAD = re.compile(r"\b(?:ahead|before|in\s+advance|prior)\b", re.IGNORECASE)
_CURRENCIES = "$\u20ac\u00a3\u00a5\u20b9"
_ASKED = re.compile(rf"(?<![\w.,-])([{_CURRENCIES}]\s?)?{_NUMBER}(?:[\s-]*([^\W\d_]+|[{_CURRENCIES}]))?")
_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_IN_WORDS = re.compile(rf"\b(?:{'|'.join(_WORDS[1:])})\b", re.IGNORECASE)
_COMPARED = re.compile(
    r"(?:\bthan|\b(?:above|beyond|below|from|over|under|up\s+to)|\bat\s+(?:least|most)|[<>\u2264\u2265])\s*\S{0,3}$",
    re.IGNORECASE,
)
"""What stands before a number that is only a bound: "more than 10 years"."""
_ANY_UNIT = re.compile(r"\b(?:amount|quantity|units|volume)\b", re.IGNORECASE)
"""The name of a column that counts whatever is asked about."""
_COUNTED = re.compile(r"\w+s|[ckm]?m|k?g|m?l|t|pcs?", re.IGNORECASE)
"""A unit of such a column, "crates" or "kg": of "line 3 stands" the number is a name."""
_PRICED = re.compile(
    rf"[{_CURRENCIES}]|\b(?:amount|cost|price|sum|total|value|dollars?|euros?|pounds?|francs?|CHF|EUR|GBP|USD)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"[{_CURRENCIES}]\s?|dollars?|euros?|pounds?|francs?|CHF|EUR|GBP|USD", re.IGNORECASE)
_BELOW_ZERO = re.compile(r"(?:^|\s)[-\u2212]\s?\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_CHARS = 40
"""Of a cell that is a range."""
_MOST_ROWS = 1000
_FEWEST_RANGES = 2

Range = tuple[float, float, bool]
"""The least and the most number, and whether these are in it."""
_Number = tuple[float, str]
"""A number of a question, with its unit."""


def rows_of_ranges(question: str, tables: Iterable[Sequence[Passage]], terms: Terms) -> list[Passage]:
    """Return the row of each table that has a range in its first column which holds a number of the question.

    What is counted must be named by the column or its cells. A table has none if several of its ranges hold the number.

    Args:
        question: The question.
        tables: The rows of each table.
        terms: The terms of a text.
    """
    asked = list(_numbers(question))
    if not asked:
        return []
    found = (_row_of_range(question, asked, rows, terms) for rows in tables if rows)
    return [row for row in found if row is not None]


def _numbers(question: str) -> Iterator[_Number]:
    """Yield the numbers of a question that have a unit, without years and bounds."""
    for found in _ASKED.finditer(_IN_WORDS.sub(_in_digits, question)):
        currency, number, unit = found.groups()
        is_year = currency is None and _YEAR.fullmatch(number)
        if (currency or unit) and not is_year and not _COMPARED.search(question, 0, found.start()):
            yield _value(number), currency or unit


def _in_digits(found: re.Match[str]) -> str:
    return str(_WORDS.index(found[0].lower()) + 1)


def _row_of_range(question: str, asked: Sequence[_Number], rows: Sequence[Passage], terms: Terms) -> Passage | None:
    header, entries = whole_table(rows[0])
    if header is None or not _FEWEST_RANGES <= len(entries) <= _MOST_ROWS:
        return None
    shower = ExtractRenderer(rows[0].stored.text)
    names, cells = shower.cells(header), [shower.cells(entry) for entry in entries]
    ranges = [_range(row[0]) for row in cells]
    if sum(one is not None for one in ranges) * 2 <= len(ranges) or any(_BELOW_ZERO.search(row[0]) for row in cells):
        return None
    counted = " ".join((names[0], *(row[0] for row in cells)))
    for number, unit in asked:
        holding = [entry for entry, one in zip(entries, ranges, strict=True) if one is not None and _holds(one, number)]
        if len(holding) == 1 and _counts(unit, names[0], counted, terms):
            shown = shower.row(holding[0], header)
            return replace(rows[0], span=holding[0].span, shown=shown, computed_for=question)
    return None


def _counts(unit: str, name: str, counted: str, terms: Terms) -> bool:
    """Return whether a column of ranges, which has a name and altogether says ``counted``, counts in a unit."""
    if terms(unit) & terms(counted):
        return True
    if _MONEY.fullmatch(unit):
        return _PRICED.search(counted) is not None
    return _ANY_UNIT.search(name) is not None and _COUNTED.fullmatch(unit) is not None


def _range(cell: str) -> Range | None:
    if len(cell) > _MOST_CHARS:
        return None
    if between := _BETWEEN.fullmatch(cell):
        least, most = sorted((_value(between[1]), _value(between[2])))  # "29 to 8 days before"
        return least, most, True
    if (bound := _UP_TO.fullmatch(cell)) and _AHEAD.search(cell):
        return _value(bound[1]), float("inf"), True  # "until 30 days before" is 30 days or more
    for pattern, inside in ((_BELOW, False), (_UP_TO, True)):
        if bound := pattern.fullmatch(cell):
            return float("-inf"), _value(bound[1]), inside
    for pattern, inside in ((_ABOVE, False), (_FROM, True)):
        if bound := pattern.fullmatch(cell):
            return _value(next(filter(None, bound.groups()))), float("inf"), inside
    return None


def _holds(one: Range, number: float) -> bool:
    least, most, inside = one
    return least <= number <= most if inside else least < number < most


def _value(number: str) -> float:
    return float(number.replace(",", ""))
