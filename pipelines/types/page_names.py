"""What people call a page."""

from __future__ import annotations

import re

_TIME = re.compile(r"(?:\d{1,6}:)?\d{1,2}:\d\d", re.ASCII)


def page_name(number: int | None, label: str | None) -> str:
    """Return how a page is named: "page 3", "page iv", or of a recording "at 12:31"; nothing without a number."""
    if number is None:
        return ""
    return f"at {label}" if label and _TIME.fullmatch(label) else f"page {label or number}"
