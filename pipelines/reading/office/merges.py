"""Merged cells of a workbook's sheets: a value stands in each row that its cell spans, and over each column."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from typing import NamedTuple

from pipelines.reading.office.packages import part
from pipelines.reading.office.sheets import CellBudget

_MERGED = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']"
)
_WIDEST = 200
_MOST_MERGES = 20_000
_LONGEST_REPEATED = 120
"""A longer text is a remark beside the rows, and is not said again in each."""


class SheetRow(NamedTuple):
    """The texts of a row, and the same with each value over all columns that its cell spans."""

    cells: list[str]
    spread: list[str]


class _Range(NamedTuple):
    top: int
    left: int
    bottom: int
    right: int


class Merges:
    """The merged cells of one sheet, for its rows from the first to the last."""

    def __init__(self, ranges: Sequence[_Range], budget: CellBudget) -> None:
        self._waiting = sorted(ranges, reverse=True)
        self._open: list[tuple[_Range, str]] = []
        self._budget = budget

    def row(self, number: int, cells: list[str]) -> SheetRow:
        """Return a row by its number, from 1, with the values that hang down from cells above it."""
        self._open = [each for each in self._open if each[0].bottom >= number]
        if any(cells):
            self._budget.spend(len(self._open))
            for merged, text in self._open:
                cells += [""] * (merged.left - len(cells))
                cells[merged.left - 1] = cells[merged.left - 1] or text
        spread = list(cells)
        while self._waiting and self._waiting[-1].top <= number:
            self._begin(self._waiting.pop(), cells)
        for merged, text in self._open:
            if spread[merged.left - 1 : merged.left] == [text]:
                width = min(merged.right - merged.left + 1, _WIDEST)
                spread[merged.left - 1 : merged.left - 1 + width] = [text] * width
        return SheetRow(cells, spread)

    def _begin(self, merged: _Range, cells: list[str]) -> None:
        text = cells[merged.left - 1] if merged.left <= len(cells) else ""
        if text and len(text) <= _LONGEST_REPEATED:
            self._open.append((merged, text))


def merges(package: zipfile.ZipFile, name: str, budget: CellBudget) -> Merges:
    """Return the merged cells of the sheet whose part has this name."""
    found = _MERGED.finditer(part(package, name, "XLSX") or b"")
    ranges = [
        _Range(int(top), _column(left), int(bottom), _column(right))
        for (left, top, right, bottom), _ in zip((each.groups() for each in found), range(_MOST_MERGES), strict=False)
    ]
    return Merges([each for each in ranges if each.top <= each.bottom and each.left <= each.right], budget)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
