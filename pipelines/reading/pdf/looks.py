"""How a document looks: its letters, its columns, and the steps between lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipelines.reading.pdf.lines import Line, Piece

_MUCH = 0.4  # of all letters
_SPACE = 1.35  # of the usual step between lines
WIDEST_STEP = 1.75  # of the size of the letters
_USUAL_STEP = 1.2
_FEWEST_STEPS = 3


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How most of a document looks: the size of its letters, and whether much of it is bold or of one width.

    Attributes:
        step: The usual one between two lines, of the size of their letters.
    """

    size: float
    bold: bool
    mono: bool
    step: float = _USUAL_STEP


@dataclass
class Column:
    """A column: its edges, and the usual step between its lines, also by the size of their letters."""

    left: float
    right: float
    step: float
    steps: Mapping[float, float]

    def parts(self, above: Line, line: Line) -> bool:
        """Return whether there is more space than usual between two lines."""
        step = self.steps.get(line.size, self.step)
        usual = max(_SPACE * step, 1.3 * line.size)
        return line.y - above.y > min(usual, WIDEST_STEP * max(step, line.size))


def style_of(pieces: Iterable[Piece]) -> BodyStyle:
    """Return how most of the letters of a document look."""
    sizes: Counter[float] = Counter()
    bold = mono = 0
    for piece in pieces:
        length = len(piece.text)
        sizes[round(piece.size, 1)] += length
        bold += length * piece.bold
        mono += length * piece.mono
    total = sum(sizes.values())
    most = sizes.most_common(1)[0][0] if sizes else 1.0
    return BodyStyle(most, bold > _MUCH * total, mono > _MUCH * total)


def usual_step(columns: Iterable[Sequence[Line]]) -> float:
    """Return the usual step between the lines of columns, of the size of their letters."""
    steps = [step / line.size for lines in columns for line, step in _steps(lines)]
    return median(steps) if len(steps) >= _FEWEST_STEPS else _USUAL_STEP


def column_of(lines: Sequence[Line], step: float) -> Column:
    """Return the column of lines; if they are few, its steps are at most those of the document."""
    if not lines:
        return Column(0.0, 0.0, 0.0, {})
    by_size: dict[float, list[float]] = defaultdict(list)
    for line, down in _steps(lines):
        by_size[line.size].append(down)
    rights = sorted(line.x1 for line in lines)
    few = sum(map(len, by_size.values())) < _FEWEST_STEPS
    usual = {size: min(median(each), step * size) if few else median(each) for size, each in by_size.items()}
    overall = median([down for each in by_size.values() for down in each] or [0.0])
    return Column(min(line.x0 for line in lines), rights[len(rights) * 9 // 10], overall, usual)


def _steps(lines: Iterable[Line]) -> Iterator[tuple[Line, float]]:
    """Yield the lines that stand below one whose letters are as large, with the step between the two."""
    return ((below, below.y - above.y) for above, below in pairwise(lines) if below.size == above.size)
