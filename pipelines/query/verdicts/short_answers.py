"""Answers of a word or two, which claim something only together with their question."""

from __future__ import annotations

import re

from pipelines.query.terms import Terms
from pipelines.query.verdicts.opposites import exclude_each_other
from pipelines.query.verdicts.polarity import contradict

_YES = re.compile(r"\W*(?:yes|ja|oui|s[i\u00ed])\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nein|non)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 160


def affirms(said: str) -> bool:
    """Return whether an answer claims all that is asked: "Yes."."""
    return _YES.match(said) is not None


def is_denied(question: str, said: str, passage: str, terms: Terms) -> bool:
    """Return whether a passage denies what is said to a question; "prohibited" says no to "Is it allowed?"."""
    opposite, denied = _has_opposite(question, passage), contradict(f"{question} {said}", passage, terms)
    if _NO.match(said):
        return denied and not opposite
    return denied or (opposite and affirms(said))


def _has_opposite(question: str, passage: str) -> bool:
    asked, told = ({word.lower() for word in _WORD.findall(text)[:_MOST_WORDS]} for text in (question, passage))
    return any(exclude_each_other(one, another) for one in asked - told for another in told - asked)
