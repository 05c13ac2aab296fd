"""The values that a setting takes: recognises questions for them, and texts that name them. For English."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\b(?:accepted|allowed|legal|permitted|possible|supported|valid)\s+(?:\w+\s+)?(?:choices|options|settings|values)\b"
    r"|\bwhat\s+(?:can|do(?:es)?|may)\s.{1,60}\b(?:accept|be(?:\s+set\s+to)?|take)\W*$"
    r"|\b(?:what|which)\s+(?:choices|settings|values)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"^\W{0,9}(?:(?:accepted|allowed|permitted|possible|valid)\s)?(?:choices|options|range|types?|values?)\s?:",
    re.IGNORECASE | re.MULTILINE,
)


def asks_values(question: str) -> bool:
    """Return whether it is asked what a setting takes: "What does the tide option accept?"."""
    return _ASKS.search(question) is not None


def states_values(text: str) -> bool:
    """Return whether a line of a text says what a setting takes: "Type: "high" or "low""."""
    return _STATES.search(text) is not None
