"""Figures that pin a question down: days, versions, numbered kinds, years, numbers of parts, sizes.

A day of the week pins it down as well: opening hours have a row for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache

from pipelines.query.extracts.language.dates import DayAsked, DayOfYear, days_in, yearless_days
from pipelines.query.extracts.language.day_names import NO_DAYS, Days, weekdays_asked, weekdays_in
from pipelines.query.extracts.language.numbered import Numbered, kinds_in, numbered_kinds
from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.verdicts.bounds import bound_of
from pipelines.query.verdicts.units import FACTORS

_FIGURE = re.compile(r"\b\w*\d(?:[\w.,-]*\w)?")
_DIMENSIONS = ("mass", "length", "volume", "share", "temperature")
_UNITS = {unit: measure for unit, measure in FACTORS.items() if measure[0] in _DIMENSIONS}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_AMOUNT = re.compile(rf"(?<![\w.,])(\d{{1,6}})[ \u00a0-]?({_UNIT})(?!\w)", re.IGNORECASE)
"""An integer and its unit: "25 l"."""
_ON = r"(?:\s?(?:[-/\u2013,;x\u00d7]|to|and|or)\s?\d{1,6}(?:[.,]\d{1,6})?){0,5}"
"""Further numbers before a unit: "10, 25 and 40 l"."""
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4})+", re.IGNORECASE)


class Amount:
    """A number with a unit that is looked for in texts, such as the size of a can."""

    def __init__(self, number: str, unit: str) -> None:
        self._alone = re.compile(rf"(?<!\d)(?<!\d[.,]){number}(?![\d])(?![.,]\d)")
        units = "|".join(re.escape(other) for other, measure in _UNITS.items() if measure == _UNITS[unit.lower()])
        behind = rf"[ \u00a0-]?(?:{units})(?!\w)"
        self._measured = re.compile(rf"(?<!\d)(?<!\d[.,]){number}{_ON}{behind}", re.IGNORECASE)
        self._any_measured = re.compile(rf"(?<=\d){behind}", re.IGNORECASE)
        self._others = re.compile(rf"(?<![\d.,])\d{{1,9}}(?:[.,]\d{{1,9}})?{behind}", re.IGNORECASE)

    def may_be_in(self, text: str) -> bool:
        """Return whether a text has the amount; or the number alone, if no number there has the unit."""
        if self._measured.search(text):
            return True
        return self._any_measured.search(text) is None and self._alone.search(text) is not None

    def has_others_in(self, text: str) -> bool:
        """Return whether a text has other numbers with the unit, which are no bound such as "over 20 l"."""
        return any(bound_of(text, *found.span()) is None for found in self._others.finditer(text))


class Figures:
    """Figures that are looked for in texts."""

    def __init__(
        self,
        figures: Iterable[str],
        days: Iterable[DayAsked | DayOfYear],
        kinds: AbstractSet[Numbered] = frozenset(),
        amounts: Iterable[Amount] = (),
        weekdays: Days = NO_DAYS,
    ) -> None:
        self._days = tuple(days)
        self._kinds = kinds
        self._patterns = [_stands_alone(figure) for figure in set(figures)]
        self._amounts = tuple(amounts)
        self._weekdays = weekdays

    def are_in(self, text: str) -> bool:
        """Return whether a text has all of them; "2.2" stands in "2.2.1", and not in "12.2" or "2.25"."""
        return (
            all(pattern.search(text) for pattern in self._patterns)
            and all(day.is_in(text) for day in self._days)
            and (not self._kinds or self._kinds <= kinds_in(text))
            and all(amount.may_be_in(text) for amount in self._amounts)
            and (not self._weekdays or self._weekdays <= weekdays_in(text))
        )


@lru_cache(KEPT_QUESTIONS)
def figures_of(question: str) -> Figures:
    """Return the figures of a question; a single digit may be written as a word, and is none."""
    days, rest = days_in(question)
    figures = (figure for figure in _FIGURE.findall(rest) if len(figure) > 1)
    return Figures(figures, days, amounts=amounts_of(question))


@lru_cache(KEPT_QUESTIONS)
def amounts_of(question: str) -> tuple[Amount, ...]:
    """Return the amounts of a question that have two digits or more."""
    _, rest = days_in(question)
    return tuple(Amount(number, unit) for number, unit in _AMOUNT.findall(rest) if len(number) > 1)


@lru_cache(KEPT_QUESTIONS)
def pins_of(question: str) -> Figures:
    """Return those that tell one of many alike: days, with or without a year, those of the week too, kinds such as
    "type 1", and versions.

    "2.2" is one in "Which ones did release 2.2 support?".
    """
    days, rest = days_in(question)
    versions = (figure for figure in _FIGURE.findall(rest) if _VERSION.fullmatch(figure))
    pinned = days or yearless_days(question)
    return Figures(versions, pinned, numbered_kinds(question), weekdays=NO_DAYS if pinned else weekdays_asked(question))


def _stands_alone(figure: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(figure)}(?!\d)", re.IGNORECASE)
