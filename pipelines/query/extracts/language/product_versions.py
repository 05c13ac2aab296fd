"""Whether a text tells of other versions of its product than the whole one that a question names: 5.0.0 for "Ebb 7"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.query.extracts.language.numbered import numbered_nouns

_VERSION = re.compile(
    r"\bversions?:?\s+v?(\d{1,3})(?![\w-])|(?<![\w.])v(\d{1,3})(?![\w-])|(?<![\w.])(\d{1,3})\.(?:x\b|\d{1,4}\.(?:\d{1,3}(?![\d.]*\d)|x\b))",
    re.IGNORECASE,
)
"""The first number of a version: "version 4", "v4", "4.x", "4.0.1"; other figures are amounts, days or addresses."""

_FIRST = re.compile(r"v?\d{1,3}(?:\.0){1,2}", re.IGNORECASE)
"""The first release of a line: "8.0.0"."""

_PAST = re.compile(
    r"\b(?:added|could|deprecated|did|dropped|had|introduced|removed|used\s+to|was|were)\b", re.IGNORECASE
)
_RELEASE = re.compile(r"\b[A-Z][\w.+-]{1,30}\s(?:version\s)?v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.]*\d)")
"""A product with one of its releases: "Ebb 0.7"."""


def version_lines(question: str) -> re.Pattern[str] | None:
    """Return what names all versions that begin with a number of a question: "8.x" for "Ebb 8"; None if it has none."""
    numbers = "|".join(sorted({number for _, number in numbered_nouns(question)}))
    return re.compile(rf"(?<![\w.])v?(?:{numbers})\.x(?!\w)", re.IGNORECASE) if numbers else None


def line_of_version(question: str, names: Sequence[str]) -> str:
    """Return the one of some names that is for all versions that begin as the one that a question names; else "".

    "8.x" is for "Ebb 8", and so is "8.0.0" where no other name begins with that number.
    """
    lines = version_lines(question)
    found = [name for name in names if lines is not None and lines.fullmatch(name.strip())]
    for _, number in numbered_nouns(question) if not found else ():
        begun = [name for name in names if re.match(rf"v?{number}\.\d", name.strip(), re.IGNORECASE)]
        found += begun if len(begun) == 1 and _FIRST.fullmatch(begun[0].strip()) else []
    return found[0] if len(set(found)) == 1 else ""


def names_version(question: str, text: str) -> bool:
    """Return whether a text names a version that a question names by one number: "Ebb/8" for "Ebb 8"."""
    return any(_is_named(noun, number, text) for noun, number in numbered_nouns(question))


def lacks_version(question: str, text: str, place: str) -> bool:
    """Return whether a question names a version of a product, and a text of its document names other versions only.

    Args:
        question: The question.
        text: What is shown, with the title and the headings above it.
        place: The title and the headings alone.
    """
    asked = [(noun, number) for noun, number in numbered_nouns(question) if noun in place.lower()]
    told = {str(int(found[found.lastindex or 0])) for found in _VERSION.finditer(text)} if asked else set()
    return bool(told) and any(number not in told and not _is_named(noun, number, text) for noun, number in asked)


def _is_named(noun: str, number: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(noun)}[ /-]?v?0*{number}(?!\d)", text, re.IGNORECASE) is not None


def lacks_past_release(question: str, text: str) -> bool:
    """Return whether a question asks what was so in a release of a product that a text does not name.

    What is so in another one does not tell it: "Which chart did Ebb 0.7 use?".
    """
    asked = _RELEASE.findall(question) if _PAST.search(question) else []
    return any(re.search(rf"(?<![\d.]){re.escape(one)}(?!\.?\d)", text) is None for one in asked)
