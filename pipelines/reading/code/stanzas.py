"""Stanzas: the settings of a section, each with the comment above it, up to the next blank line or comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from pipelines.reading.code.verbatim import Piece

COMMENT = re.compile(r"\s*[#;!]")
_EMPTY_COMMENT = re.compile(r"\s*[#;!]+\s*")
_ASSIGNED = re.compile(r"[#;!]?(?P<name>[A-Za-z_][\w.-]{0,79})\s*(?:=|:(?:\s|$))")
"""A setting of TOML or INI, also one that is turned off: the sign of a comment stands right before its name."""
_KEYED = re.compile(r"""\s*(["']?)(?P<name>[A-Za-z_/][\w./{}-]{0,79}(?: [\w./{}-]{1,40}){0,4})\1\s*:(?:\s|$)""")
"""A setting of YAML."""
_SCALAR = re.compile(r"[^#]*:\s*(?:[&!]\S{1,80}\s+){0,2}[|>][-+0-9]{0,2}\s*(?:#.*)?")
"""A key of YAML with a text of several lines below it."""
_ITEM = re.compile(r"\s*-(?:\s|$)")
_OPENS = re.compile(r"[^#;=]*=\s*(?:\[[^\]]*|\"\"\"(?:(?!\"\"\").)*|'''(?:(?!''').)*)")
_CLOSES = re.compile(r"[^#]*(?:\]|\"\"\"|''')\s*(?:#.*)?")
"""The first and the last line of an array or a text of TOML."""
_MOST_NAMES = 3
_TITLE_CHARS = 60
_LONG_WORDS = 100
"""A stanza of more words is cut at the empty lines of its comment."""


def stanzas(lines: Sequence[str], sections: Sequence[Piece], *, is_yaml: bool) -> Iterator[Piece]:
    """Yield the sections and, inside of each, the stanzas after the first; their settings are their titles.

    What stands further in than the first setting of a section goes on with the value above it.
    """
    first = [] if sections and sections[0].start == 0 else [Piece(0)]
    for section, after in pairwise([*first, *sections, Piece(len(lines))]):
        yield section
        inside = lines[section.start : after.start]
        depth = _depth_of_settings(inside) if is_yaml and section.title else 0
        values = _within_values(inside, is_yaml=is_yaml)
        starts = [
            section.start + number
            for number in range(1, len(inside))
            if number not in values and _begins(inside, number, depth)
        ]
        level = section.level + bool(section.title)
        for start, end in pairwise([*starts, after.start]):
            yield Piece(start, level, _title(lines[start:end], _KEYED if is_yaml else _ASSIGNED, depth))
            if sum(len(line.split()) for line in lines[start:end]) > _LONG_WORDS:
                empty = (number for number in range(start, end - 1) if _EMPTY_COMMENT.fullmatch(lines[number]))
                yield from (Piece(number + 1, level) for number in empty)


def _within_values(section: Sequence[str], *, is_yaml: bool) -> frozenset[int]:
    """Return the lines that go on with a value: a text of YAML, the items of a list and the comments above them, an
    array of TOML.
    """
    return frozenset(_of_yaml_values(section) if is_yaml else _of_arrays(section))


def _of_yaml_values(section: Sequence[str]) -> Iterator[int]:
    below = -1
    for number in range(len(section) - 1, -1, -1):  # a comment is of what stands below it
        line = section[number]
        if _ITEM.match(line) or (COMMENT.match(line) and number + 1 == below):
            below = number
            yield number
    depth: int | None = None
    for number, line in enumerate(section):
        if depth is not None and (not line or _depth(line) > depth):
            yield number
        else:
            depth = _depth(line) if _SCALAR.fullmatch(line) else None


def _of_arrays(section: Sequence[str]) -> Iterator[int]:
    opened = None
    for number, line in enumerate(section):
        if opened is None:
            opened = number if _OPENS.fullmatch(line) else None
        elif _CLOSES.fullmatch(line):
            yield from range(opened + 1, number + 1)
            opened = None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _depth_of_settings(section: Sequence[str]) -> int:
    """Return how far in the settings stand below the key of their section; that of the key if there are none."""
    key, *further = [_depth(line) for line in section if line and not COMMENT.match(line)] or [0]
    return next((depth for depth in further if depth > key), key)


def _begins(section: Sequence[str], number: int, depth: int) -> bool:
    """Return whether a line is the first after a blank line, or a comment after settings."""
    line, before = section[number], section[number - 1]
    if not line or _depth(line) != depth:
        return False
    return not before or (COMMENT.match(line) is not None and COMMENT.match(before) is None)


def _title(stanza: Sequence[str], setting: re.Pattern[str], depth: int) -> str:
    """Return the names of the first settings of a stanza; without settings, what its comment begins with.

    Without a title it would stand under the one before it.
    """
    found = (setting.match(line) for line in stanza if _depth(line) == depth)
    names = islice(dict.fromkeys(one["name"] for one in found if one), _MOST_NAMES)
    return ", ".join(names) or next(filter(None, (line.strip(" #;!-=")[:_TITLE_CHARS] for line in stanza)), "")
