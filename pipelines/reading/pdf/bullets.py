"""The bullets that a PDF page draws in front of the items of its lists: browsers draw them instead of writing them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from pipelines.reading.pdf.glyphs import Word
from pipelines.reading.pdf.rules import Box

_BULLET = "•"
_WRITTEN = frozenset("•●○◦▪■□")
_HIGH = (0.1, 0.65)  # how far above the baseline its middle is, of the size of the letters, as all that follows
_SMALLEST, _LARGEST = 0.1, 0.6
_FARTHEST = 2.0
_MOST_WORDS = 500  # on the lines beside a bullet


def bullets_of(dots: Sequence[Box], words: Sequence[Word]) -> Iterator[Word]:
    """Yield a bullet for each dot that stands a little before a word and half as high as its letters."""
    line_words = _LineWords(words)
    for dot in {(round(dot.x0), round(dot.top)): dot for dot in dots}.values():  # some are filled and drawn around
        if bullet := line_words.bullet(dot):
            yield bullet


def with_bullets_on_lines(words: Sequence[Word]) -> list[Word]:
    """Return the words, each small bullet that is written above the baseline on the line of the word behind it."""
    bullets = [word for word in words if word.text in _WRITTEN]
    if not bullets:
        return list(words)
    others = [word for word in words if word.text not in _WRITTEN]
    line_words = _LineWords(others)
    placed = ((one, line_words.bullet(Box(one.x0, one.x1, one.top, one.bottom))) for one in bullets)
    return [*others, *(one if bullet is None else bullet._replace(text=one.text) for one, bullet in placed)]


class _LineWords:
    """The words of a page, by their lines."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = sorted(words, key=lambda word: word.y)
        self._baselines = [word.y for word in self._words]

    def bullet(self, dot: Box) -> Word | None:
        """Return a dot as the bullet of the word behind it; None if it is not one."""
        middle, side = (dot.top + dot.bottom) / 2, dot.x1 - dot.x0
        lowest = middle + _HIGH[1] * side / _SMALLEST
        below = slice(bisect_left(self._baselines, middle), bisect_right(self._baselines, lowest))
        if below.stop - below.start > _MOST_WORDS:
            return None
        line = [word for word in self._words[below] if _HIGH[0] <= (word.y - middle) / word.size <= _HIGH[1]]
        behind = min((word for word in line if word.x0 >= dot.x1), key=lambda word: word.x0, default=None)
        if behind is None or any(word.x0 < dot.x1 and word.x1 > dot.x0 for word in line):
            return None
        fits = _SMALLEST * behind.size <= side <= _LARGEST * behind.size
        is_near = behind.x0 - dot.x1 <= _FARTHEST * behind.size
        return behind._replace(text=_BULLET, x0=dot.x0, x1=dot.x1) if fits and is_near else None
