"""Questions about trouble, "The lamp is out, what do I do?", and what helps: "To fix it, ...". Rules for English."""

from __future__ import annotations

import re

_FIX = r"(?:fix|solve|resolve|repair|remedy|cure|work\s+around|get\s+around|get\s+rid\s+of)"
_ASKS_FIX = re.compile(rf"\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one))\s+{_FIX}\b", re.IGNORECASE)
_ASKS_ACT = re.compile(
    r"[^\s,.;:!?][,.;:!?\u2013\u2014-]*\s+(?:so\s+|and\s+)?what\s+(?:can|could|do|must|shall|should)\s+(?:i|we|you|one)\s+(?:have\s+to\s+)?do\W*$",
    re.IGNORECASE,
)
"""What is to be done stands behind what is the matter: "I see no light, what can I do?"."""
_HELPS = re.compile(
    r"\b(?:cure|fix|key\s+to\s+\w+ing\s+this|remedy|solution|trick|work-?around)\b[^.!?]{0,40}?\s(?:is|are)\b"
    rf"|\bto\s+(?:avoid|prevent|{_FIX})\b|\bwork(?:s|ed|ing)?\s+around\s+(?:it|that|the|these|this)\b"
    r"|\b(?:can|may)\s+be\s+(?:avoided|cured|fixed|prevented|remedied|resolved|solved)\b"
    r"|\b(?:if|when)\s+you\s+(?:experience|get|have|hit|meet|run\s+into|see)\s+(?:such|that|this)\b",
    re.IGNORECASE,
)


def asks_remedy(question: str) -> bool:
    """Return whether it is asked what helps against some trouble."""
    return _ASKS_FIX.search(question) is not None or _ASKS_ACT.search(question) is not None


def tells_remedy(text: str) -> bool:
    """Return whether a text says what helps."""
    return _HELPS.search(text) is not None
