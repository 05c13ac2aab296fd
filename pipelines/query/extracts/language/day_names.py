"""Days of the week and months that a text names: in full, in the plural, cut short, or within "Tuesday to Friday"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from pipelines.query.extracts.language.dates import MONTHS
from pipelines.query.question_types import KEPT_QUESTIONS

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = 3
_BEFORE_A_TIME = r"(?=\.?\s?(?:$|\d|[-\u2010-\u2015:;/&|)\n]|(?:,|and|or|to|until)\s?[\dA-Z]))"
_CUT_SHORT = (
    r"(?-i:(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri)\b\.?"
    rf"|(?:(?<!\b[Tt]he\s)Sun|SUN|Sat|SAT|MON|TUE|WED|THU|FRI)\b{_BEFORE_A_TIME}\.?)"
)
"""Days cut short; "Sun" and "SAT" are also other names, and stand before a time, a dash or another day."""
_WEEKDAY = re.compile(rf"\b(?:(?:{'|'.join(WEEKDAYS)})s?\b|{_CUT_SHORT})", re.IGNORECASE)
_MONTH = re.compile(
    r"\b(?:(?i:january|february|april|june|july|august|september|october|november|december)\b|March\b|May\b"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\b\.?)"
)
_DATE = re.compile(
    r"(?<![\w./-])(?:(?:19|20)\d\d-([01]\d)(?:-[0-3]\d)?|[0-3]?\d\.([01]?\d)\.(?:19|20)\d\d)(?!\.?\d|[/-])"
)
"""A date in figures, as spreadsheets and logs have them, with its month."""
_YEAR = r"(?:,?\s?\d{4})?"
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th)?\s?)?"
_TO = rf"(?:,?\s?{_DAY}{_YEAR}\s?(?:[-\u2010-\u2015]|\b(?:to|until|till?|through)\b)\s?(?:the\s)?{_DAY}(?:of\s)?)"
_UP_TO = re.compile(_TO, re.IGNORECASE)
_AND = re.compile(r"\s?and\s?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)
_WEEK = re.compile(r"\b(?:week|working\s)days?\b", re.IGNORECASE)
_WEEKEND = re.compile(r"\bweek-?ends?\b", re.IGNORECASE)
_EVERY_DAY = re.compile(r"\b(?:daily|(?:each|every)\s+day|(?:seven|7)\s+days\s+a\s+week|all\s+week)\b", re.IGNORECASE)
_BESIDE_DAYS = re.compile(
    r"\b(?:and|bank|every|from|holidays?|on|or|public|the|through|till?|to|until)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]")
_DATED = re.compile(r"\W{1,3}(?:the\s)?\d")
_FIRST_OF_WEEKEND = WEEKDAYS.index("saturday")
_REACH = 32
"""Characters between two days of a range, and before its first."""

Days = frozenset[int]
NO_DAYS: Days = frozenset()


@lru_cache(KEPT_QUESTIONS)
def weekdays_asked(question: str) -> Days:
    """Return the days of the week that a question names, Monday being 0; not that of a date, "Friday 26 December"."""
    is_dated = any(_DATED.match(question, one.end()) for one in _WEEKDAY.finditer(question))
    return NO_DAYS if is_dated else weekdays_in(question)


def weekdays_in(text: str) -> Days:
    """Return the days of the week that a text names, Monday being 0; those within a range too."""
    found = set(_with_ranges(text, _WEEKDAY, WEEKDAYS))
    if _WEEK.search(text):
        found |= set(range(_FIRST_OF_WEEKEND))
    if _WEEKEND.search(text):
        found |= set(range(_FIRST_OF_WEEKEND, len(WEEKDAYS)))
    return frozenset(found)


def is_of_weekdays(question: str, cell: str) -> bool:
    """Return whether a cell names days of the week, hardly anything else, and all of those that a question names."""
    asked = weekdays_asked(question)
    rest = _WEEKDAY.sub(" ", _WEEKEND.sub(" ", _WEEK.sub(" ", cell))) if asked else ""
    return bool(asked) and _WORD.search(_BESIDE_DAYS.sub(" ", rest)) is None and asked <= weekdays_in(cell)


def is_day(name: str) -> bool:
    """Return whether a word is the name of a day of the week or a month."""
    return _WEEKDAY.fullmatch(name) is not None or _MONTH.fullmatch(name) is not None


def names_day(name: str, text: str) -> bool:
    """Return whether a name is a day of the week or a month, and a text names it in another form, or all days."""
    for pattern, row in ((_WEEKDAY, WEEKDAYS), (_MONTH, MONTHS)):
        if pattern.fullmatch(name):
            wanted = _number(name, row)
            is_held = row is WEEKDAYS and (wanted in weekdays_in(text) or _EVERY_DAY.search(text) is not None)
            is_dated = row is MONTHS and wanted + 1 in (int(one[1] or one[2]) for one in _DATE.finditer(text))
            return is_held or is_dated or wanted in _with_ranges(text, pattern, row)
    return False


def names_other_days(question: str, text: str) -> bool:
    """Return whether a question names days of the week, and a text names days, but none of these."""
    asked = weekdays_asked(question)
    told = weekdays_in(text) if asked else NO_DAYS
    return bool(told) and asked.isdisjoint(told) and _EVERY_DAY.search(text) is None


def _with_ranges(text: str, pattern: re.Pattern[str], row: Sequence[str]) -> Iterator[int]:
    """Yield the places in a row of the names in a text, and of those between the two names of a range."""
    found = list(pattern.finditer(text))
    yield from (_number(one[0], row) for one in found)
    for one, other in pairwise(found):
        if _is_range(text, one, other):
            first, last = _number(one[0], row), _number(other[0], row)
            yield from ((first + step) % len(row) for step in range((last - first) % len(row)))


def _is_range(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    if other.start() - one.end() > _REACH:
        return False
    if _UP_TO.fullmatch(text, one.end(), other.start()):
        return True
    is_joined = _AND.fullmatch(text, one.end(), other.start()) is not None
    return is_joined and _BETWEEN.search(text, max(one.start() - _REACH, 0), one.start()) is not None


def _number(name: str, row: Sequence[str]) -> int:
    return next(place for place, one in enumerate(row) if one.startswith(name[:_SHORT].lower()))
