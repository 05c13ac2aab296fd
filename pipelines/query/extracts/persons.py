"""Sections about one person: the heading is the name, and stands before the extract."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.query.citations import without_citations
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.passages.cards import named

_ASKS = re.compile(r"\b(?:who(?:m|se)?|which)\b", re.IGNORECASE)
_TITLE = r"(?:Dr|Miss|Mr|Mrs|Ms|Prof|Rev|Sir|Sr)\.?\s+"
_PERSON = re.compile(
    rf"(?:{_TITLE}){{0,2}}([A-Z][\w'\u2019-]+(?:\s+(?:[A-Z]\.|da|de|del|der|van|von|[A-Z][\w'\u2019-]+)){{1,3}})"
    rf"|{_TITLE}([A-Z][\w'\u2019-]+)"
)
_NAME = re.compile(r"[A-Z][\w'\u2019-]+")


def behind_persons(question: str, extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts; for "who" and "which", those from a section about a person begin with the name."""
    if _ASKS.search(question) is None:
        return list(extracts)
    return [replace(one, shown=named(name, one.shown)) if (name := _person(one)) else one for one in extracts]


def _person(extract: Extract) -> str:
    """Return the heading of an extract if it is the name of a person that is not shown yet, else nothing.

    The words of a name are written with capitals wherever they stand.
    """
    heading = extract.headings[-1] if extract.headings else ""
    if _PERSON.fullmatch(heading) is None or extract.stored is None or heading in extract.shown:
        return ""
    words = "|".join(re.escape(word.lower()) for word in _NAME.findall(heading))
    is_plain = re.search(rf"\b(?:{words})\b", extract.stored.text) is not None
    return "" if is_plain else without_citations(heading)
