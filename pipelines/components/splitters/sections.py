"""Where a text falls into sections that no chunk crosses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from pipelines.components.splitters.measures import Measure

Sections = Callable[[str, Sequence[int], Measure], list[int]]
"""Where sections begin, 0 first: by the text, the offsets of its headings, and its measure."""


def whole_text(text: str, headings: Sequence[int], measure: Measure) -> list[int]:
    """One section."""
    return [0]


def at_headings(text: str, headings: Sequence[int], measure: Measure) -> list[int]:
    """A section for each heading; one with nothing below it stays with the section that follows."""
    starts, lines, prose = [0], 0, False
    own = 1 if 0 in headings else 0  # lines of the section that are its heading
    for previous, start in pairwise(sorted({0, *headings})):
        found = [line for line in text[previous:start].splitlines() if line.strip()]
        lines += len(found)
        prose = prose or any(not line.startswith("#") for line in found)
        if prose and lines > own:
            starts.append(start)
            lines, prose, own = 0, False, 1
    return starts
