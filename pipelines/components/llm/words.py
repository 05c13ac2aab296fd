"""What a language model says as text that can be shown, kept and sent on."""

from __future__ import annotations

import re

_OPENING = ("<think>", "<thinking>")
_HALVES = re.compile("[\ud800-\udfff]")


class Words:
    """The text of an answer as it arrives: without the thoughts that it begins with, and of whole characters alone.

    A model that reasons writes ``<think>...</think>`` before its answer, where its server does not keep that apart.
    What serves it may cut a character into two halves (surrogates), and send NUL, which no database takes.
    """

    def __init__(self) -> None:
        self._half = ""
        self._held: str | None = ""  # what may be the beginning of thoughts; None where the answer has begun
        self._closing = ""  # what ends the thoughts that have begun
        self._thought = False

    def feed(self, text: str) -> str:
        """What is settled once ``text`` has come."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return self._answer(_whole(text[: len(text) - len(self._half)]))

    def finish(self) -> str:
        """What was held back; nothing where the thoughts have no end."""
        last = self._answer(_whole(self._half))
        return last + ("" if self._closing or self._held is None else self._held)

    def _answer(self, text: str) -> str:
        if self._held is None:
            return text
        self._held += text
        begun = self._held.lstrip()
        if not self._closing:
            opening = next((tag for tag in _OPENING if begun.startswith(tag)), "")
            self._closing = opening.replace("<", "</")
        if self._closing:
            return self._behind_thoughts(self._held)
        if any(tag.startswith(begun) for tag in _OPENING):
            return ""
        said, self._held = begun if self._thought else self._held, None
        return said

    def _behind_thoughts(self, text: str) -> str:
        """The answer that follows the thoughts, which may be thoughts again."""
        _, closed, answer = text.partition(self._closing)
        if not closed:
            self._held = text[-len(self._closing) :]
            return ""
        self._held, self._closing, self._thought = "", "", True
        return self._answer(answer.lstrip())


def _whole(text: str) -> str:
    """``text`` with halves that belong together put together, the sign of replacement for others, and without NUL."""
    if _HALVES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", "")
