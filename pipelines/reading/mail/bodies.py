"""The bodies of messages, of which no undamaged copy can be had."""

from __future__ import annotations

import re

from pipelines.errors import CorruptDocument
from pipelines.reading.encoding import decode, normalised

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_DAMAGED = "\ufffd"
_READABLE = 10
"""Characters of a body for each that is damaged, at least."""


def readable(data: bytes, label: str, charset: str | None) -> str:
    """Return the text of a body, with a sign in the place of each damaged byte: nobody can save it again.

    Raises:
        CorruptDocument: It is damaged throughout.
    """
    try:
        return normalised(decode(data, label, charset), label)
    except CorruptDocument:
        text = _CONTROL.sub("", _replaced(data, charset))
        if text.count(_DAMAGED) * _READABLE > len(text):
            raise
        return normalised(text, label)


def _replaced(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8", errors="replace")
    except (LookupError, UnicodeError):
        return data.decode("utf-8", errors="replace")
