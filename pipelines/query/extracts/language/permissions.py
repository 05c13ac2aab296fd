"""Permissions: the sentence that grants one answers "who may", not a report of who did it."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\bwho\s+(?:(?:can|may)\s+(?!i\b|we\b|you\b|one\b)|(?:all\s+)?(?:is|are)\s+(?:allowed|authori[sz]ed|entitled|permitted)\b"
    r"|has\s+(?:the\s+)?(?:permission|right|rights)\b)",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"\b(?:can|may|(?:allowed|authori[sz]ed|entitled|permitted)\s+to)\s+(?!be\b|not\b)\w"
    r"|\b(?:can|may|must)\s+(?:only\s+)?be\s+\w+\s+(?:only\s+)?by\b"
    r"|\b(?:must\s+have|needs?|requires?|with)\s+(?:the\s+)?(?:[\w-]+\s+)?(?:permission|right|role)s?\b",
    re.IGNORECASE,
)


def asks_who_may(question: str) -> bool:
    """Return whether a question asks who is allowed to do something."""
    return _ASKS.search(question) is not None


def allows(text: str) -> bool:
    """Return whether a text says who may do something, or with which role."""
    return _ALLOWS.search(text) is not None
