"""Recognises sentences that list things: "There are three kinds of loops: loop, while and for". For English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.query.question_types import question_form, question_thing

_STEM = 4
_ENDING = 2
_LISTS = r"(?P<colon>:)|(?:are|include|including|such\s+as|namely)\b"
_AVAILABLE = (
    r"(?:accepted|allowed|available|built-in|defined|following|permitted|possible|recogni[sz]ed|supported|these|valid)"
)
_SORTS = re.compile(r"\b(?:forms|kinds|levels|sorts|types)\s+of\s+([\w-]{3,40})\b", re.IGNORECASE)
_HOW_MANY = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|several|many|various|the\s+following)"
_ANY = r"(?:choices|kinds|options|settings|types|values)"
_IN_NAME = re.compile(r"[A-Z\d_./'\"\u2018-\u201d]")
"""What is in a name, and in no plain word."""
_JOINED = re.compile(r"\b(?:and|or)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Enumeration:
    """What lists the things that a question asks for.

    Attributes:
        beginning: What stands before the first thing: "kinds of loops:".
        lead_in: What says of the things that they follow, or which there can be: "allowed values of the sail".
        told: What says that there are some of them: "there are three kinds of sails".
        named: Two words that stand before the word for them: "jib.cut and lug.cut sails".
    """

    beginning: re.Pattern[str]
    lead_in: re.Pattern[str]
    named: re.Pattern[str]
    told: re.Pattern[str]

    def leads_into(self, line: str) -> bool:
        """Return whether a line leads into a list of the things: "The following sails are available:"."""
        return line.endswith(":") and self.lead_in.search(line) is not None

    def tells(self, line: str) -> bool:
        """Return whether a line that leads into a list says that there are so many of the things, and nothing more."""
        return line.endswith(":") and self.told.search(line) is not None

    def stands_in(self, text: str) -> bool:
        """Return whether a sentence of a text lists the things; without a colon, at least three of them."""
        return self._names(text) or any(map(self._is, _SENTENCE_END.split(text)))

    def _names(self, text: str) -> bool:
        """Return whether names stand before the word for the things, the last two of them joined."""
        return any(all(map(_IN_NAME.search, found)) for found in self.named.findall(text))

    def _is(self, sentence: str) -> bool:
        begins = self.beginning.search(sentence)
        if begins is None:
            return False
        things = sentence[begins.end() :]
        return _JOINED.search(things) is not None and (begins["colon"] is not None or "," in things)


def enumeration_of(question: str) -> Enumeration | None:
    """Return what a list of the things that a question asks for looks like; None if it asks for none by name."""
    sorts = _SORTS.search(question)
    *_, thing = question_thing(question).split() or [sorts[1] if sorts else ""]
    if not thing or question_form(question) != "list":
        return None
    stem = re.escape(thing.removesuffix("s")[: max(_STEM, len(thing) - _ENDING)])
    several = "s" if thing.endswith("s") else ""
    words = r"(?:\s+[\w-]{1,40}){0,3}?"
    things = rf"\b{stem}[\w-]{{0,40}}{several}\b"
    return Enumeration(
        re.compile(rf"{things}{words}\s*(?:{_LISTS})", re.IGNORECASE),
        re.compile(
            rf"\b{_AVAILABLE}{words}\s{things}|{things}(?:\s+(?:that\s+)?(?:are|can\s+be))?\s+{_AVAILABLE}"
            rf"|\b{_AVAILABLE}\s+{_ANY}\s+(?:of|for)\b{words}\s+{stem}",
            re.IGNORECASE,
        ),
        re.compile(rf"(?<!\S)(\S{{2,60}})\s(?:and|or)\s(\S{{2,60}})\s(?:[\w-]{{1,40}}\s)?{things}", re.IGNORECASE),
        re.compile(
            rf"\bthere\s+(?:are|exist)\s+{_HOW_MANY}(?:[\s/]+[\w-]{{1,40}}){{0,4}}?[\s/]+{things}", re.IGNORECASE
        ),
    )
