"""Whether a text tells of the other end of what a question names: of its beginning, for "after the race"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SOME_WORDS = r"((?:[\w'\u2019()-]+\s+){0,4}[\w'\u2019()-]+)"
_ASKED = re.compile(rf"\b(after|before)\s+{_SOME_WORDS}", re.IGNORECASE)
_AT = re.compile(rf"\bat\s+the\s+(?:very\s+)?(beginning|start|end)\s+of\s+{_SOME_WORDS}", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM, _ENDING = 4, 2


def tells_other_end(question: str, text: str) -> bool:
    """Return whether a question asks of what is after or before a thing, and a text only of its other end."""
    told = set(_told(question, text))
    return told == {False}


def tells_own_end(question: str, text: str) -> bool:
    """Return whether a text tells of that end of a thing which a question asks about."""
    return True in _told(question, text)


def _told(question: str, text: str) -> Iterator[bool]:
    """Yield for each end that a text tells of whether it is the one that is asked about, where it is of that thing."""
    asked = _ASKED.search(question)
    if asked is None:
        return
    ends = ("end",) if asked[1].lower() == "after" else ("beginning", "start")
    stems = [word[: max(_STEM, len(word) - _ENDING)] for word in _WORD.findall(asked[2].lower())]
    for found in _AT.finditer(text):
        if any(word.startswith(stem) for word in _WORD.findall(found[2].lower()) for stem in stems):
            yield found[1].lower() in ends
