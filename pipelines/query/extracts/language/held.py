"""Numbers of a question that a text holds within a range or a bound: 30 days in "29 to 56 days", age 12 in "under 14".

A range holds what has its unit. A calendar year has none; an age may have none, so that a bound without a unit may be
one of ages, and a range is where the text speaks of ages. The rules are for English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.verdicts.bounds import bound_of
from pipelines.query.verdicts.units import FACTORS

_CURRENCY = r"[$\u20ac\u00a3\u00a5]"
_TO = r"(?:[-\u2010-\u2015]|\b(?:to|until)\b)"
_NO_UNIT = r"(?!(?:to|until|and|or)\b)"
_UNIT = rf"(?:{_NO_UNIT}[^\W\d_]{{1,15}}|%)"
_LONE = r"(?<![\w.,/:\u2010-\u2015-])"
_WHOLE = r"(?!\d)(?![.,:/]\d)"
_AGE = re.compile(
    r"(?<![\w.,-])(\d{1,3})[\s-]?(?:years?|yrs?)[\s-]olds?\b|\b(?:aged?|turns?)\s+(\d{1,3})\b", re.IGNORECASE
)
_ASKED = re.compile(rf"(?<![\w.,/-])({_CURRENCY})?\s?(\d{{1,6}}){_WHOLE}(?:[\s-]?({_UNIT}))?", re.IGNORECASE)
_COUNTED = re.compile(r"[a-z]{3,}s")
"""A word that may be a unit: "30 guests"."""
_YEAR = re.compile(r"(?<![\w.,/-])((?:19|20)\d\d)(?![\w-]|[.,/]\d)")
_YEARS = re.compile(rf"(?<![\w.,/-])((?:19|20)\d\d)\s?(?:/|{_TO})\s?((?:19|20)\d\d|\d\d)(?![\w/-])", re.IGNORECASE)
"""Years, or a season: "2019 to 2024", "2026/27"."""
_OPEN_YEAR = re.compile(
    r"\b(from|since|until|before|up\s+to)\s+((?:19|20)\d\d)(?=\s*(?:$|[);|\n]|\.(?:\s|$)|on(?:wards?)?\b))",
    re.IGNORECASE,
)
"""A year that nothing follows: "Cars built from 2017"."""
_FORWARDS = frozenset(("from", "since"))
_RANGE = re.compile(
    rf"{_LONE}({_CURRENCY})?(\d{{1,6}})(?:\s?{_UNIT})?\s?(?:{_TO}|\b(and)\b)\s?{_CURRENCY}?(\d{{1,6}}){_WHOLE}(?:[\s-]?({_UNIT}))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)
_BOUND = re.compile(
    rf"(?:\bage\s+(?:of\s+)?)?{_LONE}({_CURRENCY})?(\d{{1,6}}){_WHOLE}(\+)?(?:[\s-]?({_UNIT}))?", re.IGNORECASE
)
_JOINED = re.compile(r"(?<=\bunder)-(?=\d)|(?<=\bover)-(?=\d)", re.IGNORECASE)
"""What joins "under-18s"."""
_WITHIN = re.compile(r"\bwithin\s+\Z", re.IGNORECASE)
_THE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)
_OF_AGES = re.compile(
    r"\b(?:ages?|aged|adults?|child(?:ren)?|juniors?|kids?|seniors?|years\s(?:of\sage|old))\b", re.IGNORECASE
)
_PLURAL = "s"
_REACH = 12  # characters
_CENTURY = 100
_AGED = "age"
_MOST = float("inf")

_Span = tuple[float, float]
"""The first and the last year."""


@dataclass(frozen=True, slots=True)
class _Quantity:
    """How much of what: of a dimension, of a plain word, or an age."""

    amount: float
    of: str


@dataclass(frozen=True, slots=True)
class _Range:
    least: float
    most: float
    of: str

    def holds(self, quantity: _Quantity) -> bool:
        return self.of == quantity.of and self.least <= quantity.amount <= self.most


def with_held(question: str, text: str) -> str:
    """Return a text followed by those numbers of a question that are within its ranges, spelt as in the question."""
    quantities, years = _asked(question)
    ranges = tuple(_ranges(text)) if quantities else ()
    spans = tuple(_spans_of_years(text)) if years else ()
    found = [written for written, one in quantities if any(each.holds(one) for each in ranges)]
    found += [
        written for written, (first, last) in years if any(begun <= first and last <= ended for begun, ended in spans)
    ]
    return " ".join((text, *found))


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> tuple[tuple[tuple[str, _Quantity], ...], tuple[tuple[str, _Span], ...]]:
    """Return the numbers of a question that have a unit, and its years and seasons, each as the question writes it."""
    quantities, rest = [], question
    for found in _AGE.finditer(question):
        age = next(filter(None, found.groups()))
        quantities += [(found[0], _Quantity(float(age), _AGED)), (found[0], _measured(age, "years"))]
        rest = rest.replace(found[0], " ")
    years = [(found[0], span) for found in _YEARS.finditer(rest) for span in _spans_of_years(found[0])]
    for found in _YEAR.finditer(_YEARS.sub(" ", rest)):
        years.append((found[0], (int(found[0]), int(found[0]))))
    for found in _ASKED.finditer(rest):
        if unit := _unit(found[1], found[3]):
            quantities.append((rest[found.start() : found.end(2 if found[1] else 3)], _measured(found[2], unit)))
    return tuple(quantities), tuple(years)


def _measured(digits: str, unit: str) -> _Quantity:
    dimension, factor = FACTORS.get(unit.lower(), (unit.lower().removesuffix("s"), 1.0))
    return _Quantity(float(digits) * factor, dimension)


def _ranges(text: str) -> Iterator[_Range]:
    text = _JOINED.sub(" ", text)
    of_ages = _OF_AGES.search(text) is not None
    for found in _RANGE.finditer(text):
        currency, first, joint, last, unit = found.groups()
        before = text[max(found.start() - _REACH, 0) : found.start()]
        named = _unit(currency, unit)
        if (named or of_ages) and (joint is None or _BETWEEN.search(before)):
            least, most = _stated(first, named), _stated(last, named)
            yield _Range(least.amount, most.amount, most.of)
    for found in _BOUND.finditer(text):
        is_upper = _is_upper(text, found)
        if is_upper is not None:
            one = _stated(found[2], _unit(found[1], found[4]))
            yield _Range(0.0, one.amount, one.of) if is_upper else _Range(one.amount, _MOST, one.of)


def _unit(currency: str | None, word: str | None) -> str:
    """Return the unit of a number; empty where the word after it is none: "under 14 may", "under 14s"."""
    plain = (word or "").lower()
    is_unit = plain in FACTORS or _COUNTED.fullmatch(plain) is not None
    return currency or (plain if is_unit and plain != _PLURAL else "")


def _stated(digits: str, unit: str) -> _Quantity:
    return _measured(digits, unit) if unit else _Quantity(float(digits), _AGED)


def _is_upper(text: str, found: re.Match[str]) -> bool | None:
    """Return whether a number is an upper bound; None if it is no bound."""
    if found[3]:
        return False
    start = found.start()
    the = _THE.search(text, max(start - _REACH, 0), start)
    start = start if the is None else the.start()
    if _WITHIN.search(text, max(start - _REACH, 0), start):
        return True
    bound = bound_of(text, start, found.end(2))
    return None if bound is None else bound in ("most", "below")


def _spans_of_years(text: str) -> Iterator[_Span]:
    for first, last in _YEARS.findall(text):
        begun = int(first)
        ended = int(last) if int(last) >= _CENTURY else begun - begun % _CENTURY + int(last)
        yield begun, ended
    for word, year in _OPEN_YEAR.findall(text):
        yield (int(year), _MOST) if word.lower() in _FORWARDS else (0, int(year))
