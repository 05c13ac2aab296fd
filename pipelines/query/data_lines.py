"""What others wrote, as a language model is given it: data on one line, which nothing in it can end."""

from __future__ import annotations

import json
from typing import Any

_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}  # those that JSON does not escape


def data_line(value: Any) -> str:
    """``value`` as JSON on one line, whatever counts as the end of a line."""
    return json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS)
