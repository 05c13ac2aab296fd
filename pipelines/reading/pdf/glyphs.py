"""The words of a PDF page and where they stand, turned so that each is read from left to right and down."""

from __future__ import annotations

import ctypes
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from pypdfium2 import PdfTextPage, raw

_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx", re.IGNORECASE)
_MONO = re.compile(r"courier|mono|consolas|menlo|typewriter|cmtt", re.IGNORECASE)
_BOLD_WEIGHT = 600
_FIXED_PITCH = 1
_HYPHENS = frozenset("\x02\ufffe\xad")
_WIDE_GAP = 0.6  # of the size of the letters: a blank that the page leaves without writing one
_RAISED = (0.82, 0.15)  # the size that raised figures have at most, and how far they are raised at least
_LONG_WORD = 3


def _address(function: object) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


# Asked for every character: plain numbers cost half of the pointers that pypdfium2's own signatures make.
_object_of = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(_address(raw.FPDFText_GetTextObject))
_box_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    _address(raw.FPDFText_GetLooseCharBox)
)
_code_of = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)(_address(raw.FPDFText_GetUnicode))


class Word(NamedTuple):
    """A word: its text and its place, ``y`` that of its baseline, growing downwards.

    Attributes:
        size: The height of its letters in points.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    mono: bool

    @property
    def top(self) -> float:
        """Where its letters begin."""
        return self.y - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Where its letters end."""
        return self.y + 0.2 * self.size


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    bold: bool
    mono: bool
    turn: int


class _Characters(dict[int, str]):
    """The character of each number in Unicode: hyphens are alike, and a blank is empty."""

    def __missing__(self, code: int) -> str:
        character = "-" if chr(code) in _HYPHENS else chr(code)
        self[code] = "" if code == 0 or character.isspace() else character
        return self[code]


_CHARACTERS = _Characters()


class _Glyphs:
    """The characters of a text page; what they share with the text object that they are in is asked for once."""

    def __init__(self, page: PdfTextPage) -> None:
        self._page = page.raw
        self._address = _address(page.raw)
        self._box = raw.FS_RECTF()
        self._box_address = ctypes.addressof(self._box)
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._styles: dict[int, _Style] = {}
        self.count = page.count_chars()

    def characters(self) -> Iterator[str]:
        """Yield the characters in the order of the file; a blank, or one that is unknown, is empty."""
        address = self._address
        for index in range(self.count):
            yield _CHARACTERS[_code_of(address, index)]

    def span(self, index: int, turn: int) -> tuple[float, float]:
        """Return where the room of a character begins and ends on its line."""
        _box_of(self._address, index, self._box_address)
        box = self._box
        if not turn:
            return box.left, box.right
        first, last = upright(box.left, box.bottom, turn)[0], upright(box.right, box.top, turn)[0]
        return min(first, last), max(first, last)

    def origin(self, index: int) -> tuple[float, float]:
        """Return where a character stands on its baseline."""
        raw.FPDFText_GetCharOrigin(self._page, index, ctypes.byref(self._x), ctypes.byref(self._y))
        return self._x.value, self._y.value

    def object_of(self, index: int) -> int:
        """Return what tells the text object that a character is in; 0 for a blank that no object holds."""
        return _object_of(self._address, index) or 0

    def style(self, index: int, owner: int) -> _Style:
        """Return how the characters of a text object look."""
        known = self._styles.get(owner)
        if known is None:
            known = self._styles[owner] = self._style(index)
        return known

    def _style(self, index: int) -> _Style:
        name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        raw.FPDFText_GetFontInfo(self._page, index, name, 128, ctypes.byref(flags))
        font = name.value.decode("utf-8", "replace")
        raw.FPDFText_GetMatrix(self._page, index, ctypes.byref(self._matrix))
        scale = math.hypot(self._matrix.c, self._matrix.d) or 1.0
        angle = math.degrees(math.atan2(self._matrix.b, self._matrix.a))
        return _Style(
            size=round(float(raw.FPDFText_GetFontSize(self._page, index)) * scale, 1) or 1.0,
            bold=raw.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT or bool(_BOLD.search(font)),
            mono=bool(flags.value & _FIXED_PITCH) or bool(_MONO.search(font)),
            turn=round(angle / 90) % 4,
        )


def words_of(page: PdfTextPage) -> dict[int, list[Word]]:
    """Return the words of a page by the quarter turns (against the clock) at which they are written."""
    glyphs = _Glyphs(page)
    found: dict[int, list[Word]] = defaultdict(list)
    word: _Growing | None = None
    for index, character in enumerate(glyphs.characters()):
        if not character:
            _keep(found, word)
            word = None
            continue
        owner = glyphs.object_of(index)
        if word is not None and owner == word.owner:
            start, end = glyphs.span(index, word.style.turn)
            if word.reaches(start):
                word.add(character, start, end)
                continue
        style = glyphs.style(index, owner) if owner or word is None else word.style
        start, end = glyphs.span(index, style.turn)
        place = upright(*glyphs.origin(index), style.turn)
        if word is not None and not word.goes_on(start, place, style):
            _keep(found, word)
            word = None
        if word is None:
            word = _Growing(style, place)
        word.owner, word.raised = owner, word.is_raised(place, style)
        word.add(character, start, end)
    _keep(found, word)
    return found


def upright(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a point of a page as a reader has it who turned the page: to the right, and down."""
    return ((x, -y), (y, x), (-x, y), (-y, -x))[turn]


class _Growing:
    """A word of which more characters may come."""

    __slots__ = ("_letters", "_raised", "_wide", "_x0", "_x1", "_y", "owner", "raised", "style")

    def __init__(self, style: _Style, place: tuple[float, float]) -> None:
        self.style = style
        self.owner = 0
        self.raised = False
        self._wide = _WIDE_GAP * style.size
        self._y = place[1]
        self._letters: list[str] = []
        self._raised: set[int] = set()
        self._x0 = self._x1 = place[0]

    def reaches(self, start: float) -> bool:
        """Return whether a character of the same text object stands next to it."""
        return -self.style.size < start - self._x1 < self._wide

    def goes_on(self, start: float, place: tuple[float, float], style: _Style) -> bool:
        """Return whether a character of another text object belongs to the word."""
        beside = abs(start - self._x1) < 0.2 * self.style.size
        return beside and style.turn == self.style.turn and abs(place[1] - self._y) < 0.6 * self.style.size

    def is_raised(self, place: tuple[float, float], style: _Style) -> bool:
        """Return whether a character is smaller than the word, and higher."""
        smaller, higher = _RAISED
        return style.size <= smaller * self.style.size and self._y - place[1] > higher * self.style.size

    def add(self, character: str, start: float, end: float) -> None:
        """Add a character."""
        if self.raised:
            self._raised.add(len(self._letters))
        self._letters.append(character)
        self._x0 = min(self._x0, start)
        self._x1 = max(self._x1, end)

    def word(self) -> Word:
        """Return the word; a raised number behind it points to a note, and is left out."""
        style = self.style
        text = _without_notes(self._letters, self._raised) if self._raised else "".join(self._letters)
        return Word(text, self._x0, self._x1, self._y, style.size, style.bold, style.mono)


def _without_notes(letters: Sequence[str], raised: Set[int]) -> str:
    """Return the characters without the numbers of notes; a power keeps its number behind a ``^``."""
    text = ""
    for place, character in enumerate(letters):
        if place not in raised or not (character.isdecimal() or character in "*†‡§"):
            text += character
        elif place and (text[-1:].isdecimal() or (text.isalpha() and len(text) < _LONG_WORD)):
            text += character if place - 1 in raised else f"^{character}"
    return text


def _keep(found: dict[int, list[Word]], word: _Growing | None) -> None:
    """Keep a word that has come to its end."""
    made = word.word() if word is not None else None
    if word is not None and made is not None and made.text:
        found[word.style.turn].append(made)
