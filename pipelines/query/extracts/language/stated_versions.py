"""The versions that a question states: "version 3"."""

from __future__ import annotations

import re

from pipelines.query.conversation.subjects import is_small

_STATED = re.compile(r"\bversions?\s+v?(\d{1,3})(?![\w.-]*\d)", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w-]{1,30}\b|\b[\w-]{2,31}(?=\s+version\s)")
"""What may be the name of a product: with a capital, or before the version."""
_MOST_NAMES = 8


def lacks_stated_version(question: str, text: str) -> bool:
    """Return whether a question speaks of "version 3", and a text nowhere does, neither as "v3" nor as "Ebb 3".

    The figure alone stands anywhere: it numbers sections and pictures too. But "3.1 (2030-04-02)" is a release.
    """
    named = [name for name in _NAME.findall(question) if not is_small(name)]
    products = "|".join(map(re.escape, named[:_MOST_NAMES]))
    behind = rf"|\b(?:{products})[\s/-]?v?" if products else ""
    return any(
        re.search(
            rf"(?:\b(?:versions?|releases?|v)[\s.:]{{0,2}}{behind})0*{number}(?!\d)|(?<![\w.])v?{number}\.(?:x\b|\d+\.\d)"
            rf"|^\W{{0,5}}v?{number}\.\d{{1,3}}\b[ \]]{{0,3}}(?:[(:\u2013-]|$)",
            text,
            re.IGNORECASE | re.MULTILINE,
        )
        is None
        for number in _STATED.findall(question)
    )
