"""Recognises sentences that say what something is. The rules are for English."""

from __future__ import annotations

import re

_ASKED = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:what(?:'s|\s+(?:exactly\s+)?(?:is|are|was|were))|define|explain|describe)\s+"
    r"(?:(?:an?|the)\s+)?(?P<subject>[\w.@/+'-]+(?:\s+[\w.@/+'-]+){0,3}?)\W*$",
    re.IGNORECASE,
)
_SAYS = (
    r"(?:is|are|was|were)\s+(?:an?|the|one|any|each|what|how|when|where|used|defined|called)\b"
    r"|means?\b|refers?\s+to\b|stands?\s+for\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def definition_of(question: str) -> re.Pattern[str] | None:
    """Return what the beginning of a sentence matches that defines the subject of a question: "A taint is a ...".

    None if the question asks for no definition.
    """
    asked = _ASKED.match(question.strip())
    if asked is None:
        return None
    subject = r"\s+".join(map(re.escape, asked["subject"].removesuffix("s").split()))
    return re.compile(rf"(?:(?:an?|the)\s+)?{subject}(?:e?s)?(?:\s+\([^)]*\))?\s+(?:{_SAYS})", re.IGNORECASE)


def holds_definition(text: str, definition: re.Pattern[str] | None) -> bool:
    """Return whether a sentence of a text is a definition."""
    return definition is not None and any(map(definition.match, _SENTENCE_END.split(text)))
