"""Questions for how to do something, and headings that name what is done. The rules are for English."""

from __future__ import annotations

import re

_TASK = re.compile(
    r"\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one|people|users?)|does\s+one)\s+(\w+)", re.IGNORECASE
)
"""What is to be done: "install" of "How do I install Ebb?"."""
_ASKS_WHAT_TO_DO = re.compile(
    r"\bwhat\s+(?:(?:do|should|must|can|shall)\s+(?:i|we|you|one)|to)\s+(?:have\s+to\s+)?do\b", re.IGNORECASE
)
_SAYS_WHAT_TO_DO = re.compile(
    r"\bwhat\s+(?:to|you\s+(?:can|should))\s+do\b|\bfirst\s+aid\b|\bemergency\s+(?:help|steps)\b", re.IGNORECASE
)
ANY_OBJECT = "change existing new own your"
"""What the heading of a task says beside its verb and its thing: "Opening an existing route", "Push changes"."""


def task_verb(question: str) -> str:
    """Return the verb of the task that a question asks how to do; empty if it asks for none."""
    task = _TASK.search(question)
    return task[1] if task else ""


def asks_what_to_do(question: str) -> bool:
    """Return whether it is asked what to do, as in an emergency."""
    return _ASKS_WHAT_TO_DO.search(question) is not None


def says_what_to_do(heading: str) -> bool:
    """Return whether a heading is of what to do: "First aid"."""
    return _SAYS_WHAT_TO_DO.search(heading) is not None
