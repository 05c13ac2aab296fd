"""Denied words: "stored unencrypted" answers "Is it encrypted?". For English."""

from __future__ import annotations

import re

from pipelines.query.question_types import question_form

_DENIED = re.compile(r"\b(?:un|non-?)([^\W\d_]{5,40})", re.IGNORECASE)


def with_denied(question: str, text: str) -> str:
    """Return a text with the words behind it that it denies and a question asks of, yes or no; else the text."""
    if question_form(question) != "yesno":
        return text
    asked = question.lower()
    return " ".join((text, *(word for word in _DENIED.findall(text) if word.lower() in asked)))
