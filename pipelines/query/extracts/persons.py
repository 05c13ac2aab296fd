"""Sections about one person: the heading is the name, and stands before the extract."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.query.citations import without_citations
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.passages.cards import named
from pipelines.query.extracts.passages.showing import items_in

_PERSONS = (
    "advis[eo]r|agent|artist|assistant|attorney|author|carer|coach|colleague|consultant|contact|contractor|dentist|designer"
    "|developer|director|doctor|driver|editor|employee|engineer|expert|guide|instructor|judge|lawyer|leader|lecturer|librarian"
    "|maintainer|manager|member|midwife|nurse|officer|owner|person|pharmacist|physician|physio(?:therapist)?|professor"
    "|representative|researcher|scientist|secretary|singer|speaker|specialist|staff|student|supervisor|surgeon|teacher|therapist"
    "|trainer|treasurer|trustee|tutor|vet|volunteer|worker|writer"
)
_ASKS = re.compile(rf"\bwho(?:m|se)?\b|\bwhich\s+(?:[a-z-]+\s+){{0,2}}?(?:{_PERSONS})s?\b", re.IGNORECASE)
"""A question for a person: "which trainer" is one, "which dogs" is none."""
_TITLE = r"(?:Dr|Miss|Mr|Mrs|Ms|Prof|Rev|Sir|Sr)\.?\s+"
_PERSON = re.compile(
    rf"(?:{_TITLE}){{0,2}}([A-Z][\w'\u2019-]+(?:\s+(?:[A-Z]\.|da|de|del|der|van|von|[A-Z][\w'\u2019-]+)){{1,3}})"
    rf"|{_TITLE}([A-Z][\w'\u2019-]+)"
)
_NAME = re.compile(r"[A-Z][\w'\u2019-]+")
_ASKS_MEMBERS = re.compile(
    r"\bwho(?:'s|\s+(?:all\s+)?(?:are|belongs|is|serves|sits|was|were))\s+(?:currently\s+)?"
    r"(?:(?:an?\s+|the\s+)?(?:members?|part)\s+of|in(?!\s+charge\b)|on(?!\s+(?:call|duty|holiday|leave)\b))\s",
    re.IGNORECASE,
)
"""A question for all who are in a team: "Who is on the board?"."""
_FEWEST_MEMBERS = 2


def asks_members(question: str) -> bool:
    """Return whether it is asked who is in a team."""
    return _ASKS_MEMBERS.search(question) is not None


def lists_persons(shown: str) -> bool:
    """Return whether a text is a list, and each item begins with the name of a person."""
    items = items_in(shown)
    return len(items) >= _FEWEST_MEMBERS and all(_PERSON.match(item) for item in items)


def behind_persons(question: str, extracts: Sequence[Extract]) -> list[Extract]:
    """Return the extracts; if a person is asked for, those from a section about one begin with the name."""
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
