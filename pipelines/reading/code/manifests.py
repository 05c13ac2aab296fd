"""The documents of a YAML file that has several, as files for Kubernetes do, each with what names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_RULE = re.compile(r"---(?:\s|$)")
_BARE_RULE = re.compile(r"---\s*")
_VALUE = re.compile(
    r"""(?P<indent>\s*)(?P<key>[\w./-]{1,80}):(?:\s+(["']?)(?P<value>[^"'#\s][^"'#]{0,78}?)\3)?\s*(?:#.*)?$"""
)
_NAMES = ("name", "id", "title")


class Part(NamedTuple):
    """A document of a file: its first line, from 0, the line after it, and what it is called."""

    start: int
    end: int
    name: str


def parts_of(lines: Sequence[str]) -> list[Part]:
    """Return the documents of a file; nothing if it has fewer than two."""
    rules = [number for number, line in enumerate(lines) if _RULE.match(line)]
    bounds = pairwise([-1, *rules, len(lines)])
    parts = [(start + 1, end) for start, end in bounds if any(map(_is_said, lines[start + 1 : end]))]
    return [Part(start, end, _name(lines[start:end])) for start, end in parts] if len(parts) > 1 else []


def without_rules(lines: Sequence[str]) -> list[str]:
    """Return the lines without those that only part documents."""
    return ["" if _BARE_RULE.fullmatch(line) else line for line in lines]


def _is_said(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _name(lines: Sequence[str]) -> str:
    """Return what kind of thing a document describes, and its name; else its name, or its first key."""
    values = dict(reversed(list(_values(lines))))
    kind = values.get("kind", "")
    names = [values.get("metadata.name", ""), *(values.get(key, "") for key in _NAMES)]
    name = next(filter(None, names), "")
    return f"{kind} {name}".strip() or next(reversed(values), "")


def _values(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the keys of a document, and those below "metadata" with that before them, with their values."""
    above, depth = "", 0
    for line in lines:
        found = _VALUE.match(line)
        if found is None:
            continue
        indent = len(found["indent"])
        if not indent:
            above, depth = found["key"], 0
            yield found["key"], found["value"] or ""
        elif above == "metadata" and indent == (depth or indent):
            depth = indent
            yield f"{above}.{found['key']}", found["value"] or ""
