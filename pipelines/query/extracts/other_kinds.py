"""Cards of other kinds: the silver service for a question about a platinum service that does not exist."""

from __future__ import annotations

import re

from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.passages.cards import named

_KIND = re.compile(r"\b(?:an?|the|your)\s+([a-z]{3,})\s+([a-z]{3,})\b")
"""A noun, and the word before it that may say of which kind: "the platinum service"."""


def is_of_other_kind(question: str, extract: Extract) -> bool:
    """Return whether an extract is a card that the question does not name, and of a kind that it names another one of.

    That is so where the card or what it stands under has the noun, but not the word before it.
    """
    name = extract.headings[-1] if extract.headings else ""
    if not name or not extract.shown.startswith(named(name, "")):
        return False
    asked = words_of(question)
    if any(is_among(word, asked) for word in name.lower().split() if word.isalpha()):
        return False
    told = words_of(" ".join((extract.hit.title, *extract.headings, extract.shown)))
    return any(is_among(noun, told) and not is_among(kind, told) for kind, noun in _KIND.findall(question))
