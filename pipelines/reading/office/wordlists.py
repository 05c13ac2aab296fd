"""How a Word file numbers its paragraphs: the rules of its lists, and counting by them as Word does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lxml import etree

from pipelines.reading.roman import roman
from pipelines.reading.xmltree import local_name

_PLACE = re.compile(r"%([1-9])")
_LONGEST_NUMBER = 5  # Word counts to 32,767


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list looks: its kind of number, its text with places for numbers, and where it starts."""

    kind: str
    text: str
    start: int
    style: str | None
    all_decimal: bool
    gap: str

    @property
    def is_bullet(self) -> bool:
        """Whether the level has a sign instead of a number."""
        return self.kind == "bullet"


@dataclass(frozen=True, slots=True)
class _List:
    """One use of a list's rules, and the levels that restart in it."""

    rules: str
    restarts: dict[int, int]


class Numbering:
    """The lists of one document, and how far each has been counted."""

    def __init__(self, root: etree._Element | None) -> None:
        self._rules: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, _List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._seen: set[str] = set()
        if root is not None:
            self._read(root)

    def level(self, list_id: str, depth: int) -> Level | None:
        """Return the rules of one level of a list."""
        used = self._lists.get(list_id)
        return self._rules.get(used.rules, {}).get(depth) if used else None

    def depth_of_style(self, list_id: str, style: str) -> int | None:
        """Return the level of a list that belongs to a paragraph style."""
        used = self._lists.get(list_id)
        levels = self._rules.get(used.rules, {}) if used else {}
        return next((depth for depth, level in levels.items() if level.style == style), None)

    def count(self, list_id: str, depth: int) -> str:
        """Count one more paragraph and return what Word paints before it, the space included."""
        used = self._lists[list_id]
        levels, counts = self._rules[used.rules], self._counts.setdefault(used.rules, {})
        if list_id not in self._seen:
            self._seen.add(list_id)
            counts.update({restarted: start - 1 for restarted, start in used.restarts.items()})
        counts[depth] = counts.get(depth, levels[depth].start - 1) + 1
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        return _painted(levels, counts, depth)

    def _read(self, root: etree._Element) -> None:
        lenders: dict[str | None, str] = {}
        borrowers: dict[str, str | None] = {}
        for rules in children(root, "abstractNum"):
            rules_id = attribute(rules, "abstractNumId") or ""
            self._rules[rules_id] = {depth_of(level): _level(level) for level in children(rules, "lvl")}
            lenders[value(rules, "styleLink")] = rules_id
            borrowers[rules_id] = value(rules, "numStyleLink")
        for rules_id, style in borrowers.items():
            if style and style in lenders:
                self._rules[rules_id] = self._rules[lenders[style]]
        for used in children(root, "num"):
            overrides = {depth_of(each): value(each, "startOverride") for each in children(used, "lvlOverride")}
            restarts = {depth: number_or(start, 1) for depth, start in overrides.items() if start}
            self._lists[attribute(used, "numId") or ""] = _List(value(used, "abstractNumId") or "", restarts)


def children(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the children of this name, whatever their namespace."""
    return (child for child in element if local_name(child) == name)


def child(element: etree._Element | None, name: str) -> etree._Element | None:
    """Return the first child of this name."""
    return next(children(element, name), None) if element is not None else None


def attribute(element: etree._Element, name: str) -> str | None:
    """Return an attribute, whatever its namespace."""
    return next((str(text) for key, text in element.attrib.items() if str(key).rpartition("}")[2] == name), None)


def value(element: etree._Element | None, name: str) -> str | None:
    """Return the value that the first child of this name carries."""
    found = child(element, name)
    return attribute(found, "val") if found is not None else None


def depth_of(element: etree._Element) -> int:
    """Return the level, from 0, that an element speaks of."""
    return number_or(attribute(element, "ilvl"), 0)


def number_or(text: str | None, default: int) -> int:
    """Return a number that Word can count to; ``default`` for anything else."""
    return int(text) if text and text.isdecimal() and len(text) <= _LONGEST_NUMBER else default


def _level(element: etree._Element) -> Level:
    return Level(
        kind=value(element, "numFmt") or "decimal",
        text=value(element, "lvlText") or "",
        start=number_or(value(element, "start"), 1),
        style=value(element, "pStyle"),
        all_decimal=child(element, "isLgl") is not None,
        gap="" if value(element, "suff") == "nothing" else " ",
    )


def _painted(levels: dict[int, Level], counts: dict[int, int], depth: int) -> str:
    here = levels[depth]

    def number(place: re.Match[str]) -> str:
        each = int(place[1]) - 1
        kind = "decimal" if here.all_decimal or each not in levels else levels[each].kind
        return _KINDS.get(kind, str)(counts.get(each, levels[each].start if each in levels else 1))

    text = _PLACE.sub(number, here.text).strip()
    return f"{text}{here.gap}" if text else ""


def _letters(number: int) -> str:
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if number > 0 else str(number)


_KINDS: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "none": lambda number: "",
}
