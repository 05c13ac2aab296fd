"""Editions of one text by year: "Fees 2024" and "Fees 2025" differ in the year that a question may name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.types import Hit

_YEAR = r"(?<!\d)(?<!\d[.,])(?:19|20)\d\d(?!\d)(?![.,]\d)"
_YEARS = re.compile(_YEAR)
_ASKED = re.compile(rf"(\b(?:after|before|between|from|since|than|till|until)\s(?:\w+\s)?)?{_YEAR}", re.IGNORECASE)
"""A year of a question, and what says that other years are meant."""
_CELL_OF_YEAR = re.compile(r"(?:^|[:-] )(?:[^\W\d]\w{0,20} )?((?:19|20)\d\d)(?: [^\W\d]\w{0,20})?: ")
"""A cell behind the name of its column, which is for a year: "2031: 40", "2031 actual: 40"."""
_FEWEST_YEARS = 2
_LETTERS = re.compile(r"[^\W\d_]+")
_KEPT_NAMES = 1_000


class _Name(NamedTuple):
    """What a text goes by: its words without figures, and the years there."""

    words: tuple[str, ...]
    years: frozenset[str]


@lru_cache(KEPT_QUESTIONS)
def year_of(question: str) -> str:
    """Return the year that a question is about; empty if it names none or several, or those before or after one."""
    asked = list(_ASKED.finditer(question))
    years = {found[0][-4:] for found in asked}
    return years.pop() if len(years) == 1 and not any(found[1] for found in asked) else ""


def of_other_years(question: str, places: Sequence[tuple[Hit, Sequence[str]]]) -> list[bool]:
    """Return which places are in the edition of another year than the question names, while one of that year is there.

    Args:
        question: The question.
        places: The hit and the headings above of each extract.
    """
    year = year_of(question)
    if not year:
        return [False] * len(places)
    named = [list(_names(hit.title, hit.source, tuple(headings))) for hit, headings in places]
    editions = {name.words for names in named for name in names if year in name.years}
    sections = [_section(headings) for _, headings in places]
    return [
        (section.years != frozenset() and year not in section.years and section.words in editions)
        or (not any(year in name.years for name in names) and any(name.words in editions for name in names))
        for names, section in zip(named, sections, strict=True)
    ]


def has_columns_of_other_years(question: str, shown: str) -> bool:
    """Return whether a row has columns for some years, and a question is about another year, whatever stands above.

    Of all columns only the first may be another one: in "2030: 40; 2031: 50; Plan: 60" the plan may be for that year.
    """
    year = year_of(question)
    return bool(year) and year not in shown and any(map(_is_of_years, shown.split("\n")))


def _is_of_years(row: str) -> bool:
    cells = row.split("; ")
    years = [found[1] for cell in cells if (found := _CELL_OF_YEAR.search(cell))]
    return len(set(years)) >= _FEWEST_YEARS and len(years) >= len(cells) - 1


def _section(headings: Sequence[str]) -> _Name:
    """Return what a section goes by; its year tells more than that of the file that it is in."""
    return _name(" > ".join(headings))


def _names(title: str, source: str, headings: tuple[str, ...]) -> Iterator[_Name]:
    """Yield those of the title, the file's name and the headings that have a year."""
    names = (*map(_name, (title, PurePosixPath(source).name)), _section(headings))
    return (name for name in names if name.years)


@lru_cache(_KEPT_NAMES)
def _name(text: str) -> _Name:
    return _Name(tuple(map(str.lower, _LETTERS.findall(text))), frozenset(_YEARS.findall(text)))
