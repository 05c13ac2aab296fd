"""What words a document has, and what becomes of one that was broken at a line's end."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HEAD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*-$")
_TAIL = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:://|www\.|@)\S*$")
_CUT_ADDRESS = re.compile(r"\bhttps?:$|(?:://|www\.|@)(?:[^\s@]*\w[._~-])?$")
_REST = re.compile(
    r"(?!(?:e\.g|i\.e)\.)[a-z0-9~][\w~%-]*(?:[./][\w~%#?=&+-]+)+|(?:com|edu|html?|net|org|pdf)\b|\d{4,}[)\].,;]"
)
"""The rest of an address that was cut behind a dot: "org/en", "com/", "10474895).\""""
_EDGES = ".,;:!?()[]\"'“”‘’"
_PREFIXES = frozenset(
    {"all", "anti", "co", "cross", "e", "ex", "first", "fixed", "full", "half", "high", "in", "long", "low", "mid",
     "multi", "near", "non", "off", "on", "one", "out", "over", "part", "post", "pre", "quasi", "second", "self",
     "semi", "short", "so", "sub", "third", "three", "two", "up", "vice", "well"}
)  # fmt: skip
_SUFFIXES = frozenset(
    {"aware", "based", "compliant", "date", "defined", "driven", "end", "free", "level", "like", "only", "oriented",
     "party", "readable", "related", "scale", "side", "size", "specific", "term", "time", "wide"}
)  # fmt: skip


def splits_address(text: str, more: str) -> bool:
    """Return whether the end of one line and the beginning of the next are parts of one address."""
    cut = _CUT_ADDRESS.search(text[-200:])
    if cut is None:
        return False
    if cut[0].endswith(":"):
        return more.startswith("//")
    return cut[0].endswith("://") or _REST.match(more) is not None


class Vocabulary:
    """The words that a document has in the middle of its lines."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {word.strip(_EDGES).casefold() for word in words}

    def join(self, text: str, more: str) -> str:
        """Return two lines as one; a hyphen that only marks the end of the first is left out."""
        if splits_address(text, more):
            return text + more
        head = _HEAD.search(text[-80:])
        tail = _TAIL.match(more)
        if head is None or tail is None or _ADDRESS.search(text[-80:]):
            joined = text[-1:] in "-/–—" and text[-2:-1] not in "- " and more[0].isalnum()
            return text + more if joined else f"{text} {more}"
        return text + more if self._keeps_hyphen(head[0], tail[0], more) else text[:-1] + more

    def _keeps_hyphen(self, head: str, tail: str, more: str) -> bool:
        """Return whether a hyphen is the word's own: it is found so elsewhere, or its halves are words and it is
        not.
        """
        half, rest = head[:-1].casefold(), tail.casefold()
        if half.rpartition("-")[2] + rest in self._words or half + rest in self._words:
            return False
        if head.casefold() + rest in self._words or not tail.islower() or more[len(tail) :].startswith("-"):
            return True
        own = "-" in half or len(half) == 1 or half in _PREFIXES or rest in _SUFFIXES or head[:-1].isupper()
        return own or {half, rest} <= self._words
