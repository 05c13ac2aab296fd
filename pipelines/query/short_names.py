"""Short names and what they stand for: "low-density lipoprotein (LDL)". The rules are for English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from pipelines.query.question_types import KEPT_QUESTIONS

_SHORT = r"[\"'\u2018\u201c]?(?P<{}>(?-i:[A-Z](?=[\w&./-]*[A-Z])[\w&./-]{{1,11}}))[\"'\u2019\u201d]?"
_ASKED = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:"
    r"what(?:'s|\s+(?:does|do|did|is|are))\s+(?:the\s+)?(?:(?:abbreviation|acronym|initials|letters|term)\s+)?"
    rf"{_SHORT.format('named')}\s+(?:mean|short\s+for|stand\s+for|an?\s+(?:abbreviation|acronym)\s+(?:for|of))"
    r"|what(?:'s|\s+is)\s+the\s+(?:(?:full|long)\s+(?:form|name)|meaning)\s+of\s+"
    rf"(?:the\s+)?(?:(?:abbreviation|acronym|initials|letters|term)\s+)?{_SHORT.format('behind')}"
    rf"|(?:expand|spell\s+out)\s+(?:the\s+)?(?:(?:abbreviation|acronym)\s+)?{_SHORT.format('spelled')}"
    r")(?:\s+(?:here|in|within)\b[^?]{0,60})?\W*$",
    re.IGNORECASE,
)
_ASKS_IN_FULL = re.compile(
    r"\b(?:abbreviation|acronym|expand|form|initials|letters|name|short|spell|stand)\b", re.IGNORECASE
)
"""What asks for nothing but the words that a name is short for; "mean" may ask for what a state or a code says."""
_APART = r"[\s/&,\u2013-]{1,3}"
_SMALL = r"(?:(?:an?|and|by|de|for|in|of|on|or|the|to|with)[\s-]{1,3}){0,2}"
"""Words that need not have a letter in the short name."""
_SAYS = (
    r"(?:\s*[:=(\u2013\u2014|-]|\s*,|;\s*[^;:\n]{1,40}:|\s+(?:is\s+short\s+for|means?|stands?\s+for))"
    r"\s*[\"'\u201c]?(?:the\s+)?"
)
"""What stands between a short name and what it is short for, also in a row: "Short: LDL; Meaning: low-density ..."."""

_IN_QUESTION = re.compile(r"(?<![\w&./-])[A-Z](?=[\w&/-]*[A-Z])[\w&/-]{1,9}(?![\w&./-]*\w)")
_MOST_NAMES = 3
_AROUND = 200
"""Characters before and behind a short name in which the words stand that it is short for."""
_MOST_PLACES = 30
"""How often a document uses a short name before it is believed not to say what that stands for."""


@lru_cache(KEPT_QUESTIONS)
def short_name(question: str) -> str:
    """Return the short name of which a question asks what it stands for: "What does LDL mean?"; "" if it asks none."""
    asked = _ASKED.match(question.strip())
    return next(filter(None, asked.groups()), "") if asked else ""


def asked_in_full(question: str) -> str:
    """Return the short name, if only the words that it stands for answer: not of "What does OPEN mean?"."""
    short = short_name(question)
    return short if short and _ASKS_IN_FULL.search(question.replace(short, "")) else ""


def in_full(short: str) -> str:
    """Return an expression for a short name beside words that begin with its capitals; it takes no note of case.

    Before the name in brackets there may also be one word that has them in this order: "immunohistochemistry (IHC)".
    """
    name = rf"(?-i:{re.escape(short)})"
    first, *capitals = filter(str.isupper, short)
    # Small words before the next letter are settled at once: with "a a a a ..." there is no end of ways to choose them.
    words = _APART.join(
        rf"(?>{_SMALL if at else ''}(?={letter}))[\w'\u2019]{{1,31}}+" for at, letter in enumerate((first, *capitals))
    )
    one_word = first + "".join(rf"[^\W{letter}]{{0,20}}{letter}" for letter in capitals) + r"\w{0,30}"
    before = rf"\b(?:{words}|{one_word})s?,?\s{{1,3}}\([^\w()]{{0,3}}(?:(?:short|abbr\.?|or)\W{{1,3}})?{name}\b"
    return rf"{before}|\b{name}\b\)?{_SAYS}{words}"


def says_short_name(question: str, text: str) -> bool:
    """Return whether it is asked what a short name stands for, and a text says it."""
    short = short_name(question)
    return short != "" and re.search(in_full(short), text, re.IGNORECASE) is not None


def spelled_out(question: str, texts: Iterable[str]) -> dict[str, str]:
    """Return the short names in a question with the words that the texts say they stand for: "low-density lipoprotein".

    The words that a document uses for a thing may be these alone, or a part of them.
    """
    named = list(dict.fromkeys(_IN_QUESTION.findall(question)))[:_MOST_NAMES]
    if not named or question.isupper():
        return {}
    distinct = list(dict.fromkeys(texts))
    found = ((short, next(filter(None, (_long_name(short, text) for text in distinct)), "")) for short in named)
    return {short: words for short, words in found if words}


def _long_name(short: str, text: str) -> str:
    """Return the words that a text says a short name stands for; "" if it says none near where it first uses it."""
    says = re.compile(in_full(short), re.IGNORECASE)
    places = islice(re.finditer(rf"(?<!\w){re.escape(short)}(?!\w)", text), _MOST_PLACES)
    around = (text[max(0, place.start() - _AROUND) : place.end() + _AROUND] for place in places)
    told = next(filter(None, map(says.search, around)), None)
    if told is None:
        return ""
    before, bracket, _ = told[0].partition(f"({short}")
    words = before if bracket else re.sub(rf"^{re.escape(short)}\)?{_SAYS}", "", told[0], flags=re.IGNORECASE)
    return " ".join(words.split()).strip(" ,")


def with_short_name(question: str, text: str) -> str:
    """Return a text with the words of the question behind it, if it says what the short name stands for."""
    return f"{text} {question}" if says_short_name(question, text) else text
