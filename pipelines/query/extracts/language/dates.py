"""Days that a question names, in whichever way a text writes them: 2012-05-04, 5/4/2012, May 4, 2012."""

from __future__ import annotations

import re
from datetime import date
from itertools import chain

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
