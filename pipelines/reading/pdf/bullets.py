"""The bullets that a PDF page draws in front of the items of its lists: browsers draw them instead of writing them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from pipelines.reading.pdf.glyphs import Word
from pipelines.reading.pdf.rules import Box

_BULLET = "•"
_HIGH = (0.1, 0.65)  # how far above the baseline its middle is, of the size of the letters, as all that follows
_SMALLEST, _LARGEST = 0.1, 0.6
_FARTHEST = 2.0


def bullets_of(dots: Sequence[Box], words: Sequence[Word]) -> Iterator[Word]:
    """Yield a bullet for each dot that stands a little before a word and half as high as its letters."""
    ordered = sorted(words, key=lambda word: word.y)
    baselines = [word.y for word in ordered]
    for dot in {(round(dot.x0), round(dot.top)): dot for dot in dots}.values():  # some are filled and drawn around
        middle, side = (dot.top + dot.bottom) / 2, dot.x1 - dot.x0
        below = slice(bisect_left(baselines, middle), bisect_right(baselines, middle + _HIGH[1] * side / _SMALLEST))
        line = [word for word in ordered[below] if _HIGH[0] <= (word.y - middle) / word.size <= _HIGH[1]]
        behind = min((word for word in line if word.x0 >= dot.x1), key=lambda word: word.x0, default=None)
        if behind is None or any(word.x0 < dot.x1 and word.x1 > dot.x0 for word in line):
            continue
        fits = _SMALLEST * behind.size <= side <= _LARGEST * behind.size
        if fits and behind.x0 - dot.x1 <= _FARTHEST * behind.size:
            yield behind._replace(text=_BULLET, x0=dot.x0, x1=dot.x1)
