"""Where a text falls into sections that no chunk crosses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from pipelines.components.splitters.measures import Measure

Sections = Callable[[str, Sequence[int], Measure], list[int]]
"""Where sections begin, 0 first: by the text, the offsets of its headings, and its measure."""


def whole_text(text: str, headings: Sequence[int], measure: Measure) -> list[int]:
    """Return one section."""
    return [0]


def at_headings(text: str, headings: Sequence[int], measure: Measure) -> list[int]:
    """Return a section for each heading; one with nothing below it stays with the section that follows."""
    starts = [0]
    titled = set(headings)
    for previous, start in pairwise(sorted({0, *titled})):
        below = text.find("\n", previous, start) if previous in titled else previous
        if below >= 0 and text[below:start].strip():
            starts.append(start)
    return starts
