"""Running lines of plain text with pages: what stands at the foot and the head of each, as in an RFC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_FOOT = "[Page "
_GAP = "   "
_LONGEST_NUMBER = 4
_CELLS = 3
"""Left, centre and right of a running head."""
_LEAST_FEET = 2
_LOOK_AHEAD = 8


def without_running_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines with an empty one instead of each foot and head of a page.

    There are none unless the feet count the pages. A head is only known by being the same on all pages.
    """
    feet = {at: number for at, line in enumerate(lines) if (number := _page_of(line)) is not None}
    if len(feet) < _LEAST_FEET or any(behind != before + 1 for before, behind in pairwise(feet.values())):
        return list(lines)
    heads = [head for at in feet if (head := _next_written(lines, at + 1)) is not None]
    shown = {lines[at].strip() for at in heads}
    is_head = len(shown) == 1 and len(re.split(r" {3,}", shown.pop())) == _CELLS
    left_out = {*feet, *(heads if is_head else ())}
    return ["" if at in left_out else line for at, line in enumerate(lines)]


def _page_of(line: str) -> int | None:
    """Return the number of the page whose foot a line is."""
    before, _, number = line.strip().rpartition(_FOOT)
    digits = number.removesuffix("]")
    is_foot = before.endswith(_GAP) and digits != number and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
    return int(digits) if is_foot else None


def _next_written(lines: Sequence[str], start: int) -> int | None:
    return next((at for at in range(start, min(start + _LOOK_AHEAD, len(lines))) if lines[at].strip()), None)
