"""The noun behind "which": "boat" of "Which boat carries the post?". What answers calls the thing so. For English.

There is no parser. The word behind a noun shows that it is one; in most questions nothing shows it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS

_AUXILIARIES = "are can could did do does had has have is may might must should was were will would"
_AUXILIARY = frozenset(_AUXILIARIES.split())
_BEHIND_WHICH = re.compile(r"\W*(?:and\s+|but\s+|so\s+)?(which|what)\s+([^\n?]{3,200})", re.IGNORECASE)
_PLAIN = re.compile(r"[a-z][a-z-]{2,}")
_PLURAL = re.compile(r"[a-z-]{2,}(?<![isu])s")
_VERB = re.compile(r"[a-z]{2,}(?:(?<![isu])s|ed)")
"""What may be a verb: "carries", "carried". Plurals end so too, but a verb follows those."""
_PREPOSITIONS = "a an and at by for from in of on or the to with"
_JOINS = frozenset(_PREPOSITIONS.split())
_NO_NOUN = re.compile(
    r"centur(?:y|ies)|cit(?:y|ies)|countr(?:y|ies)|dates?|days?|else|ever|exactly|happens|kinds?|months?|names?|never|ones?|other"
    r"|person|people|places?|reasons?|sorts?|states?|things?|times?|towns?|types?|use|ways?|years?",
    re.IGNORECASE,
)
"""Nouns that an answer need not say: it gives a time, a place or a name."""
_FARTHEST = 4
"""Words behind "which" within which the noun stands."""


@lru_cache(KEPT_QUESTIONS)
def asked_noun(question: str) -> str:
    """Return the plain noun that stands behind "which" or "what", in small letters; empty if nothing shows one."""
    asks = _BEHIND_WHICH.match(question)
    words = asks[2].split()[: _FARTHEST + 1] if asks is not None else []
    if asks is None or not words or words[0].lower() in _AUXILIARY | _JOINS:
        return ""
    noun = _before_auxiliary(words) or (_before_verb(words) if asks[1].lower() == "which" else "")
    return noun if _PLAIN.fullmatch(noun) and not _NO_NOUN.fullmatch(noun) else ""


def _before_auxiliary(words: list[str]) -> str:
    """Return the word before "does" or "is", unless a preposition parts it from "which"."""
    at = next((place for place, word in enumerate(words) if word.lower() in _AUXILIARY), 0)
    return words[at - 1] if at > 0 and not _JOINS.intersection(words[:at]) else ""


def _before_verb(words: list[str]) -> str:
    """Return the noun before a verb: "boat" of "boat carries the post", "boats" of "boats carry the post"."""
    first, second, *_ = (*words, "", "")
    if len(words) > 1 and _PLURAL.fullmatch(first) and _PLAIN.fullmatch(second) and second not in _JOINS:
        return "" if _PLURAL.fullmatch(second) else first
    verb = next((place for place, word in enumerate(words) if place > 0 and _VERB.fullmatch(word)), 0)
    return words[verb - 1] if 0 < verb < len(words) - 1 and not _JOINS.intersection(words[:verb]) else ""
