"""The encoding that a server names beside a text, which a copy of the text has no room for."""

from __future__ import annotations

import re

import httpx

from pipelines.errors import CorruptDocument
from pipelines.reading.encoding import decode

_TEXT = re.compile(r"text/|application/(?:[\w.-]+\+)?(?:xml|json)\b", re.IGNORECASE)
_OWN = re.compile(rb"<meta[^>]+charset\s*=|<\?xml[^>]+encoding\s*=", re.IGNORECASE)
_OWN_WITHIN = 4096
_WITH_NULS = ("utf-16", "utf-32", "utf16", "utf32")


def in_utf8(answer: httpx.Response) -> bytes:
    """Return the content of an answer, in UTF-8 where it is a text of another encoding that only the server names.

    An encoding that the text names itself is right more often than what a server says of all its pages.
    """
    content, charset = answer.content, answer.charset_encoding
    if not charset or not _TEXT.match(answer.headers["content-type"]) or _OWN.search(content, 0, _OWN_WITHIN):
        return content
    if b"\0" in content and not charset.lower().startswith(_WITH_NULS):
        return content  # servers call files that they do not know texts
    try:
        return decode(content, "text", charset).encode()
    except (CorruptDocument, UnicodeEncodeError):  # half a character, which UTF-7 can hold
        return content
