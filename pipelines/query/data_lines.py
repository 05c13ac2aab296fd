"""What others wrote, as a language model is given it: data on one line, which nothing in it can end."""

from __future__ import annotations

import json
from typing import Any

_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}  # those that JSON does not escape
# Characters that people do not see and models read: those that turn the direction of text, tags, and the variation
# selectors that no script uses. A document may spell orders in them.
_RANGES = ((0x202A, 0x202E), (0x2066, 0x2069), (0xE0000, 0xE007F), (0xE0100, 0xE01EF))
_HIDDEN = dict.fromkeys(code for first, last in _RANGES for code in range(first, last + 1))


def data_line(value: Any) -> str:
    """Return ``value`` as JSON on one line, whatever counts as the end of a line, without hidden characters."""
    return visible(json.dumps(value, ensure_ascii=False)).translate(_LINE_ENDS)


def visible(text: str) -> str:
    """Return text without the characters that change its direction, and without tags."""
    return text.translate(_HIDDEN)
