"""Questions that name a property in other words: the row "Weight" answers "How much does it weigh?".

So does a word in the other English: "license" for "licence".
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS

_PROPERTIES = tuple(
    (re.compile(rf"\b{asks}\b", re.IGNORECASE), frozenset(nouns.split()))
    for asks, nouns in (
        (r"how\s+(heavy)", "weight mass"),
        (r"how\s+much\s+(?:(?!how\b)[\w-]+\s+){1,6}(weighs?)", "weight mass"),
        (r"how\s+(tall|high)", "height elevation altitude"),
        (r"how\s+(long)\s+(?:is|are|was|were)", "length duration"),
        (r"how\s+long\s+(?:can|do|does|did|will)\s+(?:[\w-]+\s+){1,6}(last|live|take)", "duration lifetime"),
        (r"how\s+(wide)", "width"),
        (r"how\s+(deep)", "depth"),
        (r"how\s+(thick)", "thickness"),
        (r"how\s+(old)", "age"),
        (r"how\s+(fast)", "speed velocity"),
        (r"how\s+(big|large)", "size dimensions area"),
        (r"how\s+(cold|hot|warm)", "temperature"),
        (r"how\s+(far)", "distance range"),
        (r"how\s+(accurate|precise)", "accuracy precision"),
        (r"how\s+(expensive)", "price cost fee"),
        (r"how\s+much\s+(?:(?!how\b)[\w-]+\s+){1,6}(costs?)", "price cost fee"),
        (r"what\s+(?:did|do|does|will|would)\s+(?:[\w'\u2019-]+\s+){1,6}(costs?)", "price cost fee"),
        (r"how\s+(?:can|do)\s+i\s+(call|contact|reach)", "phone telephone mobile extension email mail contact"),
        (
            r"(?:what|which)\s+(?:[\w-]+\s+){0,3}?(replaces?)",
            "replacement replacements alternative alternatives substitute substitutes successor",
        ),
        (
            r"(?:when|(?:what|which)\s+(?:[\w-]+\s+){0,2}?(?:release|version))\s[^?]{1,60}?"
            r"\b((?:go|goes|going)\s+away|disappears?|dropped|removed)",
            "removed removal",
        ),
        (r"(licen[cs]es?)", "licence license licences licenses licensed"),
        (r"(colou?rs?)", "color colour colors colours"),
        (r"(behaviou?rs?)", "behavior behaviour"),
        (r"(cent(?:er|re)s?)", "center centre centers centres"),
        (r"(organi[sz]ations?)", "organisation organization organisations organizations"),
    )
)
"""What asks for a property, and in the group the word that stands for it; and the nouns that name the property."""
_LABEL = re.compile(r"([^\W\d_]{1,40}):\s")
"""The last word before the value of a property: "Duration: 2 h"."""
_WORD = re.compile(r"[^\W\d_]+")


def properties_of(question: str) -> frozenset[str]:
    """Return the nouns, in lower case, for what a question asks: none where it has no such verb or adjective."""
    return frozenset().union(*(nouns for _, nouns in _asked(question)))


def with_properties(question: str, text: str) -> str:
    """Return a text with the words of the question behind it that ask for a property which the text names."""
    asked = _asked(question)
    if not asked:
        return text
    said = frozenset(map(str.lower, _WORD.findall(text)))
    return " ".join((text, *(word for word, nouns in asked if nouns & said)))


def labels_in(text: str) -> frozenset[str]:
    """Return the last words, in lower case, of what stands before colons in a text: it gives these properties."""
    return frozenset(map(str.lower, _LABEL.findall(text)))


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the words of a question that ask for properties, each with the nouns for them."""
    return tuple((found[1], nouns) for asks, nouns in _PROPERTIES if (found := asks.search(question)))
