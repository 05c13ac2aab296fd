"""Denied words: "stored unencrypted" answers "Is it encrypted?". For English."""

from __future__ import annotations

import re

from pipelines.query.question_types import question_form

_DENIED = re.compile(r"\b(?:un|non-?)([^\W\d_]{5,40})", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:out\s+of\s+(?:order|print|reach|service|stock|use)|sold\s+out)\b"
    r"|\b(?:all|any(?:body|one|thing)?|each|every(?:body|one|thing)?)\b[^.;!?\n]{0,80}"
    r"\b(?:(?<!, )but(?!\s+(?:also|it|they|we|you)\b)|except(?:ing)?|apart\s+from|other\s+than)\b",
    re.IGNORECASE,
)
"""What says "not" in other words: "out of stock", "all boats but the dinghy". After a comma, "but" joins clauses."""


def denies_otherwise(text: str) -> bool:
    """Return whether a text says of something that it is not so, without a "not"."""
    return _OTHERWISE.search(text) is not None


def with_denied(question: str, text: str) -> str:
    """Return a text with the words behind it that it denies and a question asks of, yes or no; else the text."""
    if question_form(question) != "yesno":
        return text
    asked = question.lower()
    return " ".join((text, *(word for word in _DENIED.findall(text) if word.lower() in asked)))
