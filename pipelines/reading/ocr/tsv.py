"""Tesseract's table of words as the text of a page.

Its columns are level, page, block, paragraph, line, word, left, top, width, height, confidence (0..100) and text, its
order is that of reading. Its places are those of the image as it came, also where the page lies on its side. Its
paragraphs are a guess by the lengths of lines, and it tears off last lines as blocks: here a paragraph ends where there
is more space than usual, as in a PDF with text, and where the guess goes with an indent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median

from pipelines.reading.page_text import PageText

_LINE, _WORD = "4", "5"  # levels
_UNUSUAL = 1.35
_INDENT = 0.8  # of a line's height


@dataclass
class _Line:
    """A line: where it is in the image, and once the page is upright, where it starts and how far down it lies."""

    block: str
    paragraph: str
    left: float
    top: float
    width: float
    height: float
    words: list[tuple[str, float]] = field(default_factory=list)  # with their confidence
    start: float = 0.0
    down: float = 0.0
    size: float = 0.0

    @property
    def text(self) -> str:
        return " ".join(word for word, _ in self.words)


def text_of(tsv: str) -> PageText:
    """Return the text of a table: its lines, with a blank line between columns and between paragraphs."""
    lines = [line for line in _lines(tsv) if line.words]
    if not lines:
        return PageText("")
    _set_upright(lines)
    words = [word for line in lines for word in line.words]
    sure = sum(len(word) * confidence for word, confidence in words) / sum(len(word) for word, _ in words)
    return PageText("".join(_joined(lines)), round(sure / 100, 3))


def _lines(tsv: str) -> list[_Line]:
    lines: list[_Line] = []
    for row in tsv.split("\n"):
        cells = row.split("\t", 11)
        if len(cells) == 12 and cells[0] == _LINE:
            left, top, width, height = map(float, cells[6:10])
            lines.append(_Line(cells[2], cells[3], left, top, width, height))
        elif len(cells) == 12 and cells[0] == _WORD and cells[11].strip() and lines:
            lines[-1].words.append((cells[11].strip(), max(float(cells[10]), 0.0)))
    return lines


def _set_upright(lines: Sequence[_Line]) -> None:
    """Find out which way is down: across the lines, and on to the next one."""
    on_side = median(line.height - line.width for line in lines) > 0
    for line in lines:
        line.size = line.width if on_side else line.height
        line.down = line.left + line.width / 2 if on_side else line.top + line.height / 2
    steps = [below.down - above.down for above, below in pairwise(lines) if below.block == above.block]
    backwards = median(steps or [0.0]) < 0
    for line in lines:
        begin, end = (line.top, line.top + line.height) if on_side else (line.left, line.left + line.width)
        line.start = begin if on_side is backwards else -end
        line.down = -line.down if backwards else line.down


def _joined(lines: Sequence[_Line]) -> Iterator[str]:
    blocks = {block: list(within) for block, within in groupby(lines, key=lambda line: line.block)}
    usual = {block: _usual_distance(within) for block, within in blocks.items()}
    edges = {block: min(line.start for line in within) for block, within in blocks.items()}
    yield lines[0].text
    for above, line in pairwise(lines):
        between = max(usual[above.block], usual[line.block])
        yield ("\n\n" if _parted(above, line, between, line.start - edges[above.block]) else "\n") + line.text


def _usual_distance(lines: Sequence[_Line]) -> float:
    return median([below.down - above.down for above, below in pairwise(lines)] or [0.0])


def _parted(above: _Line, line: _Line, usual: float, indent: float) -> bool:
    distance = line.down - above.down
    if distance <= 0 or distance > _UNUSUAL * usual:
        return True
    if line.block != above.block:
        return abs(indent) > _INDENT * line.size
    return line.paragraph != above.paragraph and indent > _INDENT * line.size
