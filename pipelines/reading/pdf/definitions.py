"""The definitions of a PDF: names in bold above texts that stand further in, and options in code above texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipelines.reading.pdf.flow import BuiltBlock

_INDENT = 0.8  # of the size of the letters
_SAME_EDGE = 0.3
_MOST_WORDS = 5
_FEWEST = 2
_OPTION = re.compile(r"--?\w")
_NEXT_OPTION = re.compile(r"(?<!,) --?\w")
"""A second option without a comma: the line belongs to a command."""


def with_definitions(made: list[BuiltBlock]) -> list[BuiltBlock]:
    """Return blocks in which names that follow each other are terms, and the texts below them their definitions."""
    at = 0
    while at < len(made):
        names, end = _names(made, at)
        if len(names) >= _FEWEST:
            _define(made, names, end)
        at = max(end, at + 1)
    return made


def with_options(made: list[BuiltBlock]) -> list[BuiltBlock]:
    """Return blocks in which options that stand alone in code are terms, and the paragraphs below their definitions.

    A page needs two of them: a single one may be the rest of a command.
    """
    found = [at for at in range(len(made) - 1) if _is_option(made[at]) and _describes(made[at + 1])]
    on_page = Counter(made[at].pages[0][0] for at in found)
    for at in found:
        if on_page[made[at].pages[0][0]] >= _FEWEST:
            _define(made, [at], at + 2)
    return made


def _is_option(block: BuiltBlock) -> bool:
    """Return whether a block is code of options alone, which no words lead into as into an example."""
    lines = [line.strip() for line in block.text.split("\n")]
    are_options = all(_OPTION.match(line) and not _NEXT_OPTION.search(line) for line in lines)
    return block.kind == "code" and block.level == 0 and are_options


def _describes(block: BuiltBlock) -> bool:
    return block.kind == "paragraph" and block.text[0].isupper()


def _names(made: Sequence[BuiltBlock], first: int) -> tuple[list[int], int]:
    """Return where names stand that begin at a block, and where what is below the last of them ends."""
    if not _is_name(made, first):
        return [], first
    names, end = [first], first + 1
    while end < len(made) and (_is_inside(made[end], made[first]) or _is_beside(made, end, made[first])):
        names += [end] if _is_name(made, end) and not _is_inside(made[end], made[first]) else []
        end += 1
    return names, end


def _is_name(made: Sequence[BuiltBlock], at: int) -> bool:
    name = made[at]
    is_short = name.named and name.kind in ("heading", "paragraph") and len(name.text.split()) <= _MOST_WORDS
    return is_short and at + 1 < len(made) and made[at + 1].kind == "paragraph" and _is_inside(made[at + 1], name)


def _is_inside(block: BuiltBlock, name: BuiltBlock) -> bool:
    return block.left > name.left + _INDENT and block.kind != "heading"


def _is_beside(made: Sequence[BuiltBlock], at: int, name: BuiltBlock) -> bool:
    return _is_name(made, at) and abs(made[at].left - name.left) < _SAME_EDGE


def _define(made: Sequence[BuiltBlock], names: Sequence[int], end: int) -> None:
    """Make names terms, and what stands below them up to ``end`` their definitions."""
    lead = made[names[0] - 1] if names[0] else None
    level = lead.level + 1 if lead is not None and lead.text.endswith(":") else 0
    terms = frozenset(names)
    for at in range(names[0], end):
        block = made[at]
        if at in terms:
            block.kind, block.level, block.rank = "term", level, None
        elif at - 1 in terms:
            block.kind, block.level = "definition", level + 1
        else:
            block.level = max(block.level, level + 1)
