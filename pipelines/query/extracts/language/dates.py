"""Days that a question names, in whichever way a text writes them: 2012-05-04, 5/4/2012, May 4, 2012."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import chain, product

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_SHORT = 3
_NAME = rf"({'|'.join(f'{name}|{name[:_SHORT]}' for name in MONTHS)})\b\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_BEGIN, _END = r"(?<![\w./-])", r"(?![\d/-])"
# What each of the parts is: the year, the month or the day.
_FORMS = (
    (re.compile(rf"\b{_NAME} {_DAY},? (\d{{4}})\b", re.IGNORECASE), ("mdy",)),
    (re.compile(rf"{_BEGIN}{_DAY}\.? (?:of )?{_NAME},? (\d{{4}})\b", re.IGNORECASE), ("dmy",)),
    (re.compile(rf"{_BEGIN}(\d{{4}})[./-](\d{{1,2}})[./-](\d{{1,2}}){_END}"), ("ymd",)),
    (re.compile(rf"{_BEGIN}(\d{{1,2}})[./-](\d{{1,2}})[./-](\d{{4}}){_END}"), ("dmy", "mdy")),
)
_YEARLESS = (
    (re.compile(rf"\b{_NAME} {_DAY}(?![\w:]|[.,/-]\d|\s?[ap]\.?m\b)", re.IGNORECASE), "md"),
    (re.compile(rf"{_BEGIN}{_DAY}\.? (?:of )?{_NAME}(?![\w-])", re.IGNORECASE), "dm"),
)
_SHORT_YEAR = re.compile(r"(?<![\w./:-])(\d{1,2})([./])(\d{1,2})\2\d{2}(?![\w:/-]|\.\d)")
"""A date of a table as some programs write it, "3/11/25"; in a question it may be a version."""
_SEVERAL = re.compile(
    rf"(?<![\w./-]){_DAY}\s?([-\u2010-\u2015,/]|\band\b|\bor\b|\bto\b)\s?{_DAY}\.? (?:of )?{_NAME}(?!\w)", re.IGNORECASE
)
"""Days of one month: "8 and 9 December", and "13 to 15 May", which has the 14th too."""
_OF_ANY_MONTH = re.compile(
    r"\bthe\s(\d{1,2})(?:st|nd|rd|th)\b(?=[.,;:!?)\n]|$|\s(?:at|from|in|is|it|then|was|will|works|would)\b)",
    re.IGNORECASE,
)
"""A day without its month, as replies name it: "the 19th"."""
_BEYOND = re.compile(
    rf"^\W*(?:(?:and|but|so)\s+)?(?:when|(?:on\s+)?(?:what|which)\s+(?:date|day|month))\b.*\b(?:after|before)\s+{_NAME}\W*$",
    re.IGNORECASE,
)
"""A question for a day outside of a month: "When is the next trip after June?"."""
_LISTS = frozenset((",", "/", "and", "or"))
_MONTH_OR_VERB = re.compile(
    r"((?:\b(?:after|and|before|between|by|from|on|since|till|to|until)\s(?:the\s)?(?:\d{1,2}\s)?"
    r"|\d(?:st|nd|rd|th)\s(?:of\s)?)(?:may|march)\b)|\b(?:may|march)\b"
)
"""In small letters a month behind what stands before a day: "on 8 may", but not "Which of the 3 may I use?"."""
_MONTH = re.compile(rf"\b(?!(?-i:may|march)\b){_NAME}", re.IGNORECASE)
_SPAN = 2
_ANY_YEAR = 2000
"""A leap year, for days that are named without one."""


class DayAsked:
    """A day of a question: all days that it may be, since 4/5/2012 is one in April or one in May."""

    def __init__(self, readings: set[date]) -> None:
        self._readings = readings

    def is_in(self, text: str) -> bool:
        """Return whether a text names it; the year may stand elsewhere in it where the month has its name."""
        named = chain.from_iterable(
            _readings(found.groups(), orders) for form, orders in _FORMS for found in form.finditer(text)
        )
        return any(day in self._readings for day in named) or any(_is_spoken(day, text) for day in self._readings)


class DayOfYear:
    """A day that a question names without its year, "8 December": that day of any year."""

    def __init__(self, day: date) -> None:
        self._days = {day}

    def is_in(self, text: str) -> bool:
        """Return whether a text names it, also in figures, within days of one month, or in short: "the 19th"."""
        return not self._days.isdisjoint(_days_of_year(text)) or any(
            int(found[1]) == day.day for found in _OF_ANY_MONTH.finditer(text) for day in self._days
        )

    def is_within(self, text: str) -> bool:
        """Return whether the dates of a text are the ends of a period that includes the day: "From" and "To"."""
        dated = [
            dates
            for form, orders in _FORMS
            for found in form.finditer(text)
            if (dates := _readings(found.groups(), orders))
        ]
        spans = product(*dated) if len(dated) == _SPAN else ()
        return any(_are_around(min(span), max(span), day) for span in spans for day in self._days)


def yearless_days(question: str) -> list[DayOfYear]:
    """Return the days that a question names without a year; none if it names one with it."""
    days, _ = days_in(question)
    without_verbs = _MONTH_OR_VERB.sub(lambda found: found[1] or " ", question)
    return [] if days else [DayOfYear(day) for day in sorted(_spoken(without_verbs))]


def names_other_dates(question: str, text: str) -> bool:
    """Return whether a question names a day without its year, and a text has dates in figures, but not that day, and no
    two between which it lies.
    """
    asked = yearless_days(question)
    return bool(asked) and _has_dates(text) and not any(day.is_in(text) or day.is_within(text) for day in asked)


def names_month_left_out(question: str, text: str) -> bool:
    """Return whether a question is for a day after or before a month, and a text names days of that month alone."""
    asked = _BEYOND.match(question)
    days = _spoken(text) if asked is not None else set()
    if asked is None or not days:
        return False
    named = (*(MONTHS[day.month - 1] for day in days), *_MONTH.findall(text))
    return {name[:_SHORT].lower() for name in named} == {asked[1][:_SHORT].lower()}


def _has_dates(text: str) -> bool:
    return any(form.search(text) for form, orders in _FORMS if orders[0] != "mdy") or any(_days_of_short_years(text))


def _days_of_year(text: str) -> set[date]:
    dated = (_readings(found.groups(), orders) for form, orders in _FORMS for found in form.finditer(text))
    return {
        *_spoken(text),
        *(day.replace(year=_ANY_YEAR) for day in chain.from_iterable(dated)),
        *_days_of_short_years(text),
        *chain.from_iterable(map(_several, _SEVERAL.finditer(text))),
    }


def _are_around(first: date, last: date, day: date) -> bool:
    begins, ends, asked = ((each.month, each.day) for each in (first, last, day))
    return begins <= asked <= ends if first.year == last.year else asked >= begins or asked <= ends


def _days_of_short_years(text: str) -> Iterator[date]:
    for found in _SHORT_YEAR.finditer(text):
        for order in ("dm", "md"):
            yield from _of_any_year((found[1], found[3]), order)


def _spoken(text: str) -> set[date]:
    """Return the days that a text names by the name of their month, with a year or without."""
    found = ((one.groups(), order) for form, order in _YEARLESS for one in form.finditer(text))
    return {day for parts, order in found for day in _of_any_year(parts, order)}


def _several(found: re.Match[str]) -> Iterator[date]:
    first, between, last, month = found.groups()
    inner = () if between.lower() in _LISTS else range(int(first) + 1, int(last))
    for number in (int(first), *inner, int(last)):
        yield from _of_any_year((str(number), month), "dm")


def _of_any_year(parts: tuple[str, ...], order: str) -> set[date]:
    return _readings((*parts, str(_ANY_YEAR)), (f"{order}y",))


def days_in(question: str) -> tuple[list[DayAsked], str]:
    """Return the days that a question names, and the question without them."""
    days: list[DayAsked] = []
    for form, orders in _FORMS:
        for found in form.finditer(question):
            readings = _readings(found.groups(), orders)
            if readings:
                days.append(DayAsked(readings))
                question = question.replace(found[0], " ")
    return days, question


def _readings(parts: tuple[str, ...], orders: tuple[str, ...]) -> set[date]:
    read = set()
    for order in orders:
        told = dict(zip(order, map(_number, parts), strict=True))
        try:
            read.add(date(told["y"], told["m"], told["d"]))
        except ValueError:
            continue
    return read


def _number(part: str) -> int:
    if part.isdecimal():
        return int(part)
    return next(month for month, name in enumerate(MONTHS, 1) if name.startswith(part.lower()))


def _is_spoken(day: date, text: str) -> bool:
    name = MONTHS[day.month - 1]
    month, number = rf"(?:{name}|{name[:_SHORT]})\b\.?", rf"0?{day.day}(?:st|nd|rd|th)?(?!\d)"
    spoken = rf"\b{month} {number}|(?<![\w./-]){number}\.? (?:of )?{month}"
    return bool(re.search(spoken, text, re.IGNORECASE) and re.search(rf"\b{day.year}\b", text))
