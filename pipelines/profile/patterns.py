"""Patterns of file names, written as in a `.gitignore` file."""

from __future__ import annotations


def is_pattern(text: str) -> bool:
    """Return whether ``text`` is a pattern: it names something, and does not end in half an escape."""
    trailing = len(text) - len(text.rstrip("\\"))
    return text.strip() not in ("", "!") and trailing % 2 == 0
