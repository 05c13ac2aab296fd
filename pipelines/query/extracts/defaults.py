"""What is so by default: recognises questions for it, and texts that say it. The rules are for English."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ASKS = re.compile(r"\bdefaults?\b|\bout\s+of\s+the\s+box\b", re.IGNORECASE)
_STATES = re.compile(
    r"\bdefaults?\s*(?:to\b|[:=(])|\bdefault(?:\s+[^\s.,;:]{1,40}){0,4}?\s+(?:is|are|was)\b|\bby\s+default\b"
    r"|\b(?:is|are)\s+(?:the|a)\s+default\b|\bout\s+of\s+the\s+box\b",
    re.IGNORECASE,
)
_IMPLIES = re.compile(
    r"default|unless|omitted|automatic|initial|normally|typically|usually|standard|preset|out\s+of\s+the\s+box"
    r"|\bif\s+not\b|\bnot\s+(?:given|set|specified|provided)\b",
    re.IGNORECASE,
)


def asks_default(question: str) -> bool:
    """Return whether it is asked what is so by default."""
    return _ASKS.search(question) is not None


def states_default(text: str) -> bool:
    """Return whether a text says of something that it is the default: "The default is 5", "Default: 5"."""
    return _STATES.search(text) is not None


def implies_default(text: str) -> bool:
    """Return whether a text may say what is so by default, in whatever words: "unless it is set"."""
    return _IMPLIES.search(text) is not None


def assigns(text: str, settings: Iterable[str]) -> bool:
    """Return whether a line of a settings file gives one of the settings its value, also if that is turned off."""
    return any(re.search(rf"^\s*[#;!]?{re.escape(name)}\s*[=:]", text, re.MULTILINE) for name in settings)
