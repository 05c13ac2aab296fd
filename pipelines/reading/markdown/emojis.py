"""Short codes of emojis, such as ":x:", as the programs that show Markdown draw them."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?<![\w:]):([a-z0-9_+-]{1,40}):(?![\w:])")
_SIGNS = {
    "+1": "👍",
    "-1": "👎",
    "ballot_box_with_check": "☑",
    "bulb": "💡",
    "construction": "🚧",
    "exclamation": "❗",
    "green_circle": "🟢",
    "heavy_check_mark": "✔",
    "heavy_minus_sign": "➖",
    "heavy_multiplication_x": "✖",
    "heavy_plus_sign": "➕",
    "information_source": "ℹ",
    "negative_squared_cross_mark": "❎",
    "no_entry": "⛔",
    "no_entry_sign": "🚫",
    "question": "❓",
    "red_circle": "🔴",
    "star": "⭐",
    "thumbsdown": "👎",
    "thumbsup": "👍",
    "warning": "⚠",
    "white_check_mark": "✅",
    "x": "❌",
    "yellow_circle": "🟡",
}
"""The signs that say something in a table; other codes are kept as they are written."""


def with_emojis(text: str) -> str:
    """Return text with the signs that well-known short codes stand for."""
    return _CODE.sub(lambda code: _SIGNS.get(code[1], code[0]), text) if ":" in text else text
