"""What kind of thing a question asks for, and whether a text names one: a number, a time, a name.

Rules for English. Of a question in another language, and of most questions in English, the kind is not known, and
nothing is expected of their answers.
"""

from __future__ import annotations

import re
from typing import Literal

from pipelines.query.verdicts.names import capitalised

Kind = Literal["number", "time", "name"]

_ASKS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "number",
        re.compile(
            r"\bhow\s+(?:many|much|long|far|old|often|large|big|fast|high|tall|deep|heavy)\b"
            r"|\b(?:what|which)\s+(?:percent(?:age)?|number|age|distance|amount|proportion|share|dose|temperature)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "time",
        re.compile(r"\bwhen\b|\b(?:what|which)\s+(?:year|date|century|decade|day|month)\b", re.IGNORECASE),
    ),
    (
        "name",
        re.compile(
            r"\b(?:who|whose|whom|where)\b|\b(?:what|which)\s+(?:country|city|state|town|river|continent)\b",
            re.IGNORECASE,
        ),
    ),
)
_NUMBER = re.compile(
    r"\w*\d\w*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundreds?|thousands?|millions?|billions?"
    r"|first|second|third|half|twice|once|dozens?|percent|daily|weekly|monthly|yearly|annually)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:1\d{3}|20\d\d)s?\b|\b\d+(?:st|nd|rd|th)\b|\b\d{1,4}\s*(?:BC|AD|CE|BCE)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|decades?|years?|months?|weeks?|days?|hours?"
    r"|minutes?|seconds?|spring|summer|autumn|winter|morning|evening|night|before|after|during|until|while|when)\b",
    re.IGNORECASE,
)


def kind_asked(question: str) -> Kind | None:
    """The kind of thing that a question asks for, where its words tell."""
    return next((kind for kind, asks in _ASKS if asks.search(question)), None)


def names_one(kind: Kind, text: str, question: str) -> bool:
    """Whether ``text`` names something of ``kind`` that the question does not name itself."""
    if kind == "name":
        return bool(capitalised(text) - set(re.findall(r"[^\W_]+", question.lower())))
    pattern = _NUMBER if kind == "number" else _TIME
    named = {found[0].lower() for found in pattern.finditer(question)}
    return any(found[0].lower() not in named for found in pattern.finditer(text))
