"""Lines that are typed at a prompt: "$ moor --fast", ">>> moor()"."""

from __future__ import annotations

import re
from collections.abc import Iterable

PROMPT = re.compile(r"(?:\$|>>>|C:\\>) \S")


def are_typed(lines: Iterable[str]) -> bool:
    """Return whether the first of some lines that is not blank is typed at a prompt."""
    first = next((bare for line in lines if (bare := line.strip())), "")
    return PROMPT.match(first) is not None
