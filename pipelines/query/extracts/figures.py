"""Figures that pin a question down: days, versions, numbered kinds, years, numbers of parts, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache

from pipelines.query.extracts.dates import DayAsked, days_in
from pipelines.query.extracts.numbered import Numbered, kinds_in, numbered_kinds
from pipelines.query.question_types import KEPT_QUESTIONS

_FIGURE = re.compile(r"\b\w*\d(?:[\w.,-]*\w)?")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4})+", re.IGNORECASE)


class Figures:
    """Figures that are looked for in texts."""

    def __init__(
        self, figures: Iterable[str], days: Iterable[DayAsked], kinds: AbstractSet[Numbered] = frozenset()
    ) -> None:
        self._days = tuple(days)
        self._kinds = kinds
        self._patterns = [_stands_alone(figure) for figure in set(figures)]

    def are_in(self, text: str) -> bool:
        """Return whether a text has all of them; "2.2" stands in "2.2.1", and not in "12.2" or "2.25"."""
        return (
            all(pattern.search(text) for pattern in self._patterns)
            and all(day.is_in(text) for day in self._days)
            and (not self._kinds or self._kinds <= kinds_in(text))
        )


@lru_cache(KEPT_QUESTIONS)
def figures_of(question: str) -> Figures:
    """Return the figures of a question; a single digit may be written as a word, and is none."""
    days, rest = days_in(question)
    return Figures((figure for figure in _FIGURE.findall(rest) if len(figure) > 1), days)


@lru_cache(KEPT_QUESTIONS)
def pins_of(question: str) -> Figures:
    """Return those that tell one of many alike: days, kinds such as "type 1", and versions.

    "2.2" is one in "Which ones did release 2.2 support?".
    """
    days, rest = days_in(question)
    versions = (figure for figure in _FIGURE.findall(rest) if _VERSION.fullmatch(figure))
    return Figures(versions, days, numbered_kinds(question))


def _stands_alone(figure: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(figure)}(?!\d)", re.IGNORECASE)
