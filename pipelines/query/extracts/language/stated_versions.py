"""The versions that a question states: "version 3"."""

from __future__ import annotations

import re

_STATED = re.compile(r"\bversions?\s+v?(\d{1,3})(?![\w.-]*\d)", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w-]{1,30}\b")
_MOST_NAMES = 8


def lacks_stated_version(question: str, text: str) -> bool:
    """Return whether a question speaks of "version 3", and a text nowhere does, neither as "v3" nor as "Ebb 3".

    The figure alone stands anywhere: it numbers sections and pictures too.
    """
    products = "|".join(map(re.escape, _NAME.findall(question)[:_MOST_NAMES]))
    behind = rf"|\b(?:{products})[\s/-]?v?" if products else ""
    return any(
        re.search(
            rf"(?:\b(?:versions?|releases?|v)[\s.:]{{0,2}}{behind})0*{number}(?!\d)|(?<![\w.])v?{number}\.(?:x\b|\d+\.\d)",
            text,
            re.IGNORECASE,
        )
        is None
        for number in _STATED.findall(question)
    )
