"""Heading path and page of a position in a document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pipelines.types import Block, Heading, Page


class Outline:
    """The headings of one document, in the order of its text; one pass over them serves any number of positions."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._headings = headings
        self._starts = [heading.start for heading in headings]
        self._parents = _parents(headings)

    def path(self, position: int) -> tuple[str, ...]:
        """Return titles of the headings above ``position``, outermost first."""
        index = bisect_right(self._starts, position) - 1
        path: list[str] = []
        while index >= 0:
            path.append(self._headings[index].title)
            index = self._parents[index]
        return tuple(reversed(path))

    def path_of(self, start: int, text: str) -> tuple[str, ...]:
        """Return the path of ``text``, which begins at ``start``: that of its first line which is no heading itself."""
        line, ahead = start, bisect_left(self._starts, start)
        while ahead < len(self._starts) and self._starts[ahead] == line:
            below = text.find("\n", line - start)
            rest = text[below:].lstrip() if below >= 0 else ""
            if not rest:  # headings are all there is
                return self.path(line)
            line, ahead = start + len(text) - len(rest), ahead + 1
        return self.path(line)

    def under(self, start: int, text: str) -> tuple[str, ...]:
        """Return titles of all headings that some of ``text`` stands under, in their order, each once."""
        first, end = bisect_right(self._starts, start), bisect_left(self._starts, start + len(text))
        within = (self.path(self._starts[index]) for index in range(first, end))
        return tuple(dict.fromkeys(title for path in (self.path(start), *within) for title in path))


def heading_path(headings: Sequence[Heading], position: int) -> tuple[str, ...]:
    """Return titles of the headings above ``position``, outermost first; for many positions, see `Outline`."""
    return Outline(headings).path(position)


def _parents(headings: Sequence[Heading]) -> list[int]:
    """For each heading the index of the one it stands under, or -1."""
    parents: list[int] = []
    open_: list[int] = []
    for index, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            open_.pop()
        parents.append(open_[-1] if open_ else -1)
        open_.append(index)
    return parents


def page_at(pages: Sequence[Page], position: int) -> Page | None:
    """Return the page on which ``position`` stands, if the document has pages."""
    index = bisect_right(pages, position, key=lambda page: page.span.start) - 1
    return pages[index] if index >= 0 else None


def line_at(blocks: Sequence[Block], position: int) -> int | None:
    """Return the line of the file, from 1, where the block at ``position`` begins; None where the file has no lines."""
    index = bisect_right(blocks, position, key=lambda block: block.span.start) - 1
    return blocks[index].line if index >= 0 else None
