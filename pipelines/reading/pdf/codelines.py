"""Lines of code in a PDF: their blanks, which the page leaves without writing them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from pipelines.reading.pdf.lines import Line

_THINNEST = 0.2  # of the size: how wide letters are at least whose gaps are counted
_WIDEST = 400
"""Letters to the last word of a line; hostile pages are wider."""


def laid_out(line: Line, left: float) -> str:
    """Return a line of code as far in as it stands behind ``left``, with gaps between its words as wide as they are."""
    width = sum(word.x1 - word.x0 for word in line.words) / max(sum(len(word.text) for word in line.words), 1)
    if width < _THINNEST * line.size:
        return line.text
    text = ""
    for word in line.words:
        place = min(round((word.x0 - left) / width), _WIDEST)
        text += " " * max(place - len(text), 1 if text.strip() else 0) + word.text
    return text


def without_margin(text: str, pages: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Return code without the blanks that all of its lines begin with, and where its pages begin then."""
    lines = text.rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    ends = list(accumulate(len(line) + 1 for line in lines))
    filled = list(accumulate(map(bool, lines), initial=0))
    moved = [(page, at - margin * filled[bisect_right(ends, at)]) for page, at in pages]
    return "\n".join(line[margin:] for line in lines), moved
