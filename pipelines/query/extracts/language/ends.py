"""Whether a text is about the wrong end of a thing: the start of the race, where "after the race" is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SOME_WORDS = r"((?:[\w'\u2019()-]+\s+){0,4}[\w'\u2019()-]+)"
_ASKED = re.compile(rf"\b(after|before)\s+{_SOME_WORDS}", re.IGNORECASE)
_AT = re.compile(rf"\bat\s+the\s+(?:very\s+)?(beginning|start|end)\s+of\s+{_SOME_WORDS}", re.IGNORECASE)
_END = re.compile(r"(?:the\s+)?(?:very\s+)?(?:beginning|end|start)\b", re.IGNORECASE)
"""An end that is named itself: "before the end of the race" is at its end, and may be at its beginning as well."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM, _ENDING = 4, 2


def tells_other_end(question: str, text: str) -> bool:
    """Return whether a question asks what is after or before a thing, and a text names only the other end of it."""
    told = set(_told(question, text))
    return told == {False}


def tells_own_end(question: str, text: str) -> bool:
    """Return whether a text names the end of the thing that the question asks about."""
    return True in _told(question, text)


def _told(question: str, text: str) -> Iterator[bool]:
    """Yield a flag for each end of the thing that a text names: whether it is the end that is asked about."""
    asked = _ASKED.search(question)
    if asked is None or _END.match(asked[2]):
        return
    ends = ("end",) if asked[1].lower() == "after" else ("beginning", "start")
    stems = [word[: max(_STEM, len(word) - _ENDING)] for word in _WORD.findall(asked[2].lower())]
    for found in _AT.finditer(text):
        if any(word.startswith(stem) for word in _WORD.findall(found[2].lower()) for stem in stems):
            yield found[1].lower() in ends
