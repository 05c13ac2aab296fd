"""Markdown paragraphs of records, one a line: labels, messages of a chat, times of a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token

from pipelines.reading.linerecords import ends_of_marked, ends_of_records

_BREAKS = frozenset({"softbreak", "hardbreak"})


def records_in(tokens: Sequence[Token], shown: Callable[[Sequence[Token]], str]) -> tuple[str, list[str]]:
    """Return what leads into the records of a paragraph, and what each shows; all is lead-in where it has none.

    Args:
        tokens: The tokens of the paragraph.
        shown: Tells what tokens show.
    """
    lines = list(_lines(tokens))
    said = [shown(line) for line in lines] if len(lines) > 1 else []
    for first in range(min(len(said), 2)):
        if first and not said[0].endswith(":"):
            break
        ends = _ends(lines[first:], said[first:])
        if ends and first + ends[-1] == len(lines):
            bounds = pairwise([first, *(first + end for end in ends)])
            return " ".join(said[:first]), ["\n".join(said[start:end]) for start, end in bounds]
    return shown(tokens), []


def _ends(lines: Sequence[Sequence[Token]], said: Sequence[str]) -> list[int]:
    are_marked = [_has_bold_label(line) for line in lines]
    return ends_of_marked(are_marked) if are_marked[0] else ends_of_records((one, 0) for one in said)


def _lines(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in tokens:
        if token.type in _BREAKS:
            yield line
            line = []
        else:
            line.append(token)
    yield line


def _has_bold_label(line: Sequence[Token]) -> bool:
    """Return whether a line begins with a label in bold: "**Date:** Monday" or "**Date**: Monday"."""
    shown = [token for token in line if token.type != "text" or token.content.strip()]
    if not shown or shown[0].type != "strong_open":
        return False
    end = next((at for at, token in enumerate(shown) if token.type == "strong_close"), len(shown) - 1)
    inside, behind = shown[end - 1].content.rstrip(), "".join(token.content for token in shown[end + 1 : end + 2])
    return inside.endswith(":") or behind.lstrip().startswith(":")
