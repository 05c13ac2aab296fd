"""Lines of a paragraph with list marks that Markdown does not know: "(a) ropes", "(b) lamps"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markdown_it.token import Token

from pipelines.reading.marks import Mark, is_next, mark_of

_BREAKS = ("softbreak", "hardbreak")
_MOST_MARK = 20


def marked_lines(tokens: Sequence[Token]) -> tuple[Sequence[Token], list[Sequence[Token]]]:
    """Return the words of a paragraph before the first such line, and from each of them to the next.

    There are at least two of them, the first and the second of a list.
    """
    starts = [0, *(at + 1 for at, token in enumerate(tokens) if token.type in _BREAKS)]
    marked = [(at, mark) for at in starts if (mark := _mark(tokens, at)) is not None]
    first = next((at for at, ((_, mark), (_, behind)) in enumerate(pairwise(marked)) if is_next(mark, behind)), None)
    if first is None:
        return tokens, []
    begins = [at for at, mark in marked[first:] if mark.form == marked[first][1].form]
    return tokens[: begins[0]], [tokens[at:end] for at, end in zip(begins, [*begins[1:], len(tokens)], strict=True)]


def _mark(tokens: Sequence[Token], at: int) -> Mark | None:
    """Return the mark of letters or numbers that the words from a token on begin with."""
    is_text = at < len(tokens) and tokens[at].type == "text"
    mark = mark_of(tokens[at].content[:_MOST_MARK].lstrip()) if is_text else None
    return mark if mark is None or mark.style != "bullet" else None
