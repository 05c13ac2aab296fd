"""The marks with which items of lists begin in texts without markup, and the levels that they have."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from pipelines.types import BlockKind

Style = Literal["bullet", "number", "letter", "roman"]

_BULLETS = "-*+•‣◦▪▫●○■□·–—➢➤✓➔\uf0b7\uf0a7\uf0d8"
BOXES = {
    "☐": "☐", "☑": "☑", "☒": "☒", "\uf06f": "☐", "\uf0a8": "☐", "\uf0fe": "☑", "\uf0fd": "☒",
}  # fmt: skip
"""The boxes of checklists, which tell what is done; those of Wingdings have codes of their own."""
_BOX = "".join(BOXES)
_MARK = re.compile(
    rf"([{_BULLETS}](?=[ \t]+\S)|[{_BOX}](?=[ \t]+\S|[^\W_]))|"
    rf"(\(?)(?:(\d{{1,3}}(?:\.\d{{1,3}})*)([.)])|([ivx]{{1,5}}|[a-z]|[A-Z])(\)))(?=[ \t]+\S)"
)
_NOTE = re.compile(r"(?:note|notes|warning|caution|tip|hint|important|danger|attention)\b ?(?:\d{1,2} ?)?[:.–—]", re.I)
_CAPTION = re.compile(r"(?:table|figure|fig\.|exhibit|chart|listing|box) ?(?:\d+|[A-Z]|[IVX]+)(?:[.-]\d+)*[:. ]", re.I)
LABELLED = re.compile(r"(?![a-z]{2})[^\W\d_][^:.;,!?\n]{0,30}: \S")
"""The beginning of a line with a label of its own, such as "Date: Monday"."""
_SAME_COLUMN = 1


class Mark(NamedTuple):
    """The mark of an item: how it is written, its length, and whether it is the first of its kind."""

    style: Style
    form: str
    length: int
    value: str
    first: bool


def mark_of(shown: str) -> Mark | None:
    """Return the mark that a line begins with; None if it begins with a word."""
    found = _MARK.match(shown)
    if found is None:
        return None
    bullet, opening, digits, dot, letter, closing = found.groups()
    if bullet:
        return Mark("bullet", "", found.end(), bullet, first=True)
    if digits:
        return Mark("number", opening + dot + "." * digits.count("."), found.end(), digits, first=digits == "1")
    style: Style = "roman" if letter[0] in "ivx" else "letter"
    return Mark(style, opening + closing, found.end(), letter, first=letter in ("a", "A", "i"))


def is_next(mark: Mark, behind: Mark) -> bool:
    """Return whether a mark is the first of a numbered list, and another one the second."""
    return mark.first and mark.form == behind.form and behind.value in ("2", "b", "B", "ii")


def shown_sign(mark: Mark, text: str) -> str:
    """Return what an item shows before its words: a dash, one and its box, or its number in ``text``."""
    if mark.style != "bullet":
        return text[: mark.length] + " "
    return f"- {BOXES[mark.value]} " if mark.value in BOXES else "- "


def note_or_caption(shown: str) -> BlockKind | None:
    """Return what a paragraph is that begins with such words as "Note:" or "Table 2."; None if it does not."""
    if _NOTE.match(shown):
        return "note"
    return "caption" if _CAPTION.match(shown) else None


class _Open(NamedTuple):
    """A list that is open: the column of its marks, how they are written, its last mark, and its level."""

    column: float
    style: Style
    form: str
    value: str
    level: int


class ListLevels:
    """The lists that are open around a line, by the columns and the marks of their items."""

    def __init__(self) -> None:
        self._open: list[_Open] = []

    @property
    def outermost(self) -> int:
        """The level of the list around all others that are open, 0 if none is."""
        return self._open[0].level if self._open else 0

    def continues(self, mark: Mark) -> bool:
        """Return whether an open list has marks of this style."""
        return any(each.style == mark.style and each.form == mark.form for each in self._open)

    def enter(self, mark: Mark, column: float, lead: int, same_column: float = _SAME_COLUMN) -> int:
        """Return the level of an item, ``lead`` where it begins a list that is in no other."""
        style = self._style(mark)
        level: int | None = None
        for depth in reversed(range(len(self._open))):
            each = self._open[depth]
            if (each.style, each.form) == (style, mark.form) and abs(each.column - column) <= same_column:
                level = each.level
                del self._open[depth:]
                break
        else:
            while self._open and self._ends(self._open[-1], style, column, same_column):
                level = self._open.pop().level
            level = self._open[-1].level + 1 if self._open else level
        level = lead if level is None else level
        self._open.append(_Open(column, style, mark.form, mark.value, level))
        return level

    def leave(self, column: float, same_column: float = _SAME_COLUMN) -> int | None:
        """Close the lists that a line at this column is not inside; return the level of the item that it is in."""
        while self._open and column <= self._open[-1].column + same_column:
            self._open.pop()
        return self._open[-1].level if self._open else None

    def _ends(self, top: _Open, style: Style, column: float, same_column: float) -> bool:
        """Return whether an item is not inside a list: it stands further out, or a numbered list follows one with
        bullets.
        """
        follows = style == "number" and top.style == "bullet"
        return column < top.column - same_column or (follows and column <= top.column + same_column)

    def _style(self, mark: Mark) -> Style:
        """Return how a mark counts: "i" follows "h" in letters, and "v" follows "iv" in Roman numbers."""
        if mark.style not in ("letter", "roman") or len(mark.value) > 1:
            return mark.style
        for each in reversed(self._open):
            if each.form == mark.form and each.style == "letter" and ord(mark.value) == ord(each.value) + 1:
                return "letter"
        return mark.style
