"""Cleans the text of a streamed reply, so that it can be shown, stored and sent on."""

from __future__ import annotations

import re

_OPENING = ("<think>", "<thinking>")
_HALVES = re.compile("[\ud800-\udfff]")


class ReplyText:
    """Removes the thoughts before an answer, joins split characters, and drops NUL.

    A reasoning model writes ``<think>...</think>`` before its answer, unless its server separates them. A server may
    split a character into two surrogates, or send NUL, which no database accepts.
    """

    def __init__(self) -> None:
        self._half = ""
        self._held: str | None = ""  # possible beginning of thoughts; None once the answer has begun
        self._closing = ""  # the tag that ends the thoughts
        self._thought = False

    def feed(self, text: str) -> str:
        """Return the text that is complete after ``text`` arrived."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return self._answer(_whole(text[: len(text) - len(self._half)]))

    def finish(self) -> str:
        """Return the rest; nothing if the thoughts never ended."""
        last = self._answer(_whole(self._half))
        return last + ("" if self._closing or self._held is None else self._held)

    def _answer(self, text: str) -> str:
        if self._held is None:
            return text
        self._held += text
        while self._closing or self._begins_thoughts():
            _, closed, answer = self._held.partition(self._closing)
            if not closed:
                self._held = self._held[-len(self._closing) :]
                return ""
            self._held, self._closing, self._thought = answer.lstrip(), "", True  # more thoughts may follow
        begun = self._held.lstrip()
        if any(tag.startswith(begun) for tag in _OPENING):
            return ""
        released, self._held = begun if self._thought else self._held, None
        return released

    def _begins_thoughts(self) -> bool:
        begun = (self._held or "").lstrip()
        self._closing = next((tag.replace("<", "</") for tag in _OPENING if begun.startswith(tag)), "")
        return bool(self._closing)


def _whole(text: str) -> str:
    """Join surrogate pairs, replace lone surrogates by U+FFFD, and drop NUL."""
    if _HALVES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", "")
