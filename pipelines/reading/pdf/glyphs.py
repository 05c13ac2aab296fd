"""The words of a PDF page and where they stand, turned so that each is read from left to right and down."""

from __future__ import annotations

import ctypes
import math
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import count, repeat
from typing import NamedTuple
from unicodedata import normalize

from pypdfium2 import PdfTextPage, raw

_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx", re.IGNORECASE)
_MONO = re.compile(
    r"andale|cascadia|consolas|courier|inconsolata|jetbrains|lucida.?console|menlo|monaco|mono(?!type)|nimbusmon|typewriter"
    r"|(?:fira|source).?code|\bhack\b|(?:cm(?:sl|it)?|ec|lm|sf|t1x|tx)b?tt",
    re.IGNORECASE,
)
_BOLD_WEIGHT = 600
_FIXED_PITCH = 1
_HYPHENS = frozenset("\x02\ufffe\xad\u2010\u2011")
_WIDE_GAP = 0.6  # of the size of the letters: a blank that the page leaves without writing one
_RAISED = (0.82, 0.15)  # the size that raised figures have at most, and how far they are raised at least
_LONG_WORD = 3
_SURROGATES = frozenset(range(0xD800, 0xE000))
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_TURNED_LIGATURE = re.compile("[اأإآٱ]ل|هللا?")
# Fonts of TeX without a table of Unicode: PDFium gives the numbers of their letters.
_TEX = dict(zip(b"\x0b\x0c\x0e\x0f\x10\x11\x15\x16\x1b\x1c\x1d\x1e\x1f\x88", "ﬀﬁﬃﬄ“”–—ﬀﬁﬂﬃﬄ•", strict=True))
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})
_GRAVE_QUOTE = re.compile("^\u0300")  # an accent without a letter before it: the opening quote of TeX's fonts
_DIAERESIS = re.compile(r"(?<=[^\W\d_])\u00a8([AEIOUYaeiouy])")
_RUN = re.compile("[^ ]+")
_BLANK = re.compile("(?<=[^ ]) {1,2}(?=[^ ])")
_SEAM = "\0"
"""Stands for a blank of PDFium's own between letters that touch each other."""
_TOUCHING, _OVERLAP = 0.06, 0.15  # of the height of the letters
_BATCH = 4096
"""Characters that are asked for together."""


def _address(function: object) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


# Asked for every character: plain numbers cost half of the pointers that pypdfium2's own signatures make.
_object_of = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(_address(raw.FPDFText_GetTextObject))
_box_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    _address(raw.FPDFText_GetLooseCharBox)
)
_code_of = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)(_address(raw.FPDFText_GetUnicode))
_text_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(
    _address(raw.FPDFText_GetText)
)
_origin_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
    _address(raw.FPDFText_GetCharOrigin)
)

_is_generated = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)(_address(raw.FPDFText_IsGenerated))


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
    """The character of each number in Unicode: hyphens are alike, and all blanks are spaces."""

    def __missing__(self, code: int) -> str:
        character = "-" if chr(code) in _HYPHENS else _TEX.get(code) or chr(code)
        self[code] = " " if code == 0 or character.isspace() else character
        return self[code]


_CHARACTERS = _Characters()


class _Batch:
    """Characters that follow each other in the file, from ``first`` on.

    Attributes:
        text: What they are, a space for each that is blank or unknown.
        edges: Left, top, right and bottom of the room of each, in points of the page.
    """

    __slots__ = ("_page", "edges", "first", "text")

    def __init__(self, page: int, first: int, end: int) -> None:
        indexes = range(first, end)
        boxes = (raw.FS_RECTF * len(indexes))()
        places = count(ctypes.addressof(boxes), ctypes.sizeof(raw.FS_RECTF))
        self._page = page
        self.first = first
        text = "".join(map(_CHARACTERS.__getitem__, _codes(page, indexes)))
        deque(map(_box_of, repeat(page), indexes, places), maxlen=0)
        self.edges = memoryview(boxes).cast("B").cast("f").tolist()
        self.text = _TURNED_LIGATURE.sub(self._ligature, _BLANK.sub(self._seam, text))

    def _seam(self, found: re.Match[str]) -> str:
        """Return the blanks between two letters, as seams where PDFium made them and nothing is between the letters.

        It makes them where letters are drawn one by one on a page with little text.
        """
        before, behind = 4 * (found.start() - 1), 4 * found.end()
        _, top, right, bottom = self.edges[before : before + 4]
        height = abs(top - bottom)
        gap, shift = self.edges[behind] - right, abs(self.edges[behind + 3] - bottom)
        if not -_OVERLAP * height < gap < _TOUCHING * height or shift > _TOUCHING * height:
            return found[0]
        made = all(_is_generated(self._page, self.first + at) == 1 for at in range(*found.span()))
        return _SEAM * len(found[0]) if made else found[0]

    def _ligature(self, found: re.Match[str]) -> str:
        """Return the letters of an Arabic ligature in the order of reading: PDFium turns those that share a room."""
        rooms = {tuple(self.edges[4 * at : 4 * at + 4]) for at in range(*found.span())}
        return found[0][::-1] if len(rooms) == 1 else found[0]

    def owner(self, at: int) -> int:
        """Return what tells the text object that a character is in; 0 for a blank that no object holds."""
        return _object_of(self._page, self.first + at) or 0

    def owner_of_all(self, start: int, end: int) -> int | None:
        """Return the text object that characters are in; None if there are several.

        Those of Western scripts stand in the order of their objects, so that the first and the last tell.
        """
        asked = (start, end - 1) if self.text[start:end].isascii() else range(start, end)
        objects = {_object_of(self._page, self.first + at) for at in asked}
        return objects.pop() or 0 if len(objects) == 1 else None

    def span(self, at: int, turn: int) -> tuple[float, float]:
        """Return where the room of a character begins and ends on its line."""
        left, top, right, bottom = self.edges[4 * at : 4 * at + 4]
        if not turn:
            return left, right
        first, last = upright(left, bottom, turn)[0], upright(right, top, turn)[0]
        return min(first, last), max(first, last)


def _codes(page: int, indexes: range) -> Iterable[int]:
    """Return the numbers of characters in Unicode: at once where PDFium gives one number for each."""
    units = (ctypes.c_ushort * (len(indexes) + 1))()
    written = _text_of(page, indexes.start, len(indexes), ctypes.addressof(units)) - 1  # the last ends the text
    if written == len(indexes) and _SURROGATES.isdisjoint(units):
        return units[:written]
    return map(_code_of, repeat(page), indexes)


class _Glyphs:
    """The characters of a text page; what they share with the text object that they are in is asked for once."""

    def __init__(self, page: PdfTextPage) -> None:
        self._page = page.raw
        self._address = _address(page.raw)
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._x_address, self._y_address = ctypes.addressof(self._x), ctypes.addressof(self._y)
        self._styles: dict[int, _Style] = {}
        self._count = page.count_chars()

    def batches(self) -> Iterator[_Batch]:
        """Yield the characters in the order of the file."""
        for first in range(0, self._count, _BATCH):
            yield _Batch(self._address, first, min(first + _BATCH, self._count))

    def origin(self, index: int) -> tuple[float, float]:
        """Return where a character stands on its baseline."""
        _origin_of(self._address, index, self._x_address, self._y_address)
        return self._x.value, self._y.value

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
    for batch in glyphs.batches():
        for run in _RUN.finditer(batch.text):
            start, end = run.span()
            if start:
                _keep(found, word)
                word = None
            alone = word is None and end < len(batch.text) and _SEAM not in run[0]
            whole = _whole(glyphs, batch, start, end) if alone else None
            if whole is not None:
                found[0].append(whole)
            else:
                word = _grown(glyphs, batch, range(start, end), word, found)
        if batch.text[-1] == " ":
            _keep(found, word)
            word = None
    _keep(found, word)
    return found


def _whole(glyphs: _Glyphs, batch: _Batch, start: int, end: int) -> Word | None:
    """Return the characters between two blanks as one word, which most are; None unless they are upright, of one text
    object, and next to each other.
    """
    owner = batch.owner_of_all(start, end)
    style = None if owner is None else glyphs.style(batch.first + start, owner)
    if style is None or style.turn:
        return None
    edges, least, most = batch.edges, -style.size, _WIDE_GAP * style.size
    y = glyphs.origin(batch.first + start)[1]
    places: Sequence[int] = range(4 * start, 4 * end, 4)
    if _is_backwards(batch.text[start:end]):
        places = sorted(places, key=edges.__getitem__)
    x0 = x1 = edges[places[0]]
    inside = False
    for at in places:
        left, right = edges[at], edges[at + 2]
        if inside and not least < left - x1 < most:
            return None
        inside = True
        x0, x1 = min(x0, left), max(x1, right)
    return Word(_spelt(batch.text[start:end]), x0, x1, -y, style.size, style.bold, style.mono)


def _spelt(text: str) -> str:
    """Return text with its ligatures as letters, and accents with theirs, which are what people search for.

    PDFium gives a character beyond the basic plane as two halves; one without the other is nothing.
    """
    if text.isascii():
        return text
    text = _DIAERESIS.sub(lambda found: normalize("NFC", f"{found[1]}\u0308"), _GRAVE_QUOTE.sub("\u2018", text))
    return text.translate(_LIGATURES).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _is_backwards(text: str) -> bool:
    """Return whether letters follow each other to the left: PDFium gives them in the order of reading."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def _grown(
    glyphs: _Glyphs, batch: _Batch, run: range, word: _Growing | None, found: dict[int, list[Word]]
) -> _Growing | None:
    """Return the word that the characters of a run end in; those before it are kept."""
    for at in run:
        if batch.text[at] == _SEAM:
            continue
        index, owner, character = batch.first + at, batch.owner(at), batch.text[at]
        if word is not None and owner == word.owner:
            start, end = batch.span(at, word.style.turn)
            if word.reaches(start, end):
                word.add(character, start, end)
                continue
        style = glyphs.style(index, owner) if owner or word is None else word.style
        start, end = batch.span(at, style.turn)
        place = upright(*glyphs.origin(index), style.turn)
        if word is not None and not word.goes_on((start, end), place, style):
            _keep(found, word)
            word = None
        if word is None:
            word = _Growing(style, (start, place[1]))
        word.owner, word.raised = owner, word.is_raised(place, style)
        word.add(character, start, end)
    return word


def upright(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a point of a page as a reader has it who turned the page: to the right, and down."""
    return ((x, -y), (y, x), (-x, y), (-y, -x))[turn]


class _Growing:
    """A word of which more characters may come."""

    __slots__ = ("_backwards", "_letters", "_raised", "_wide", "_x0", "_x1", "_y", "owner", "raised", "style")

    def __init__(self, style: _Style, place: tuple[float, float]) -> None:
        self.style = style
        self.owner = 0
        self.raised = False
        self._backwards = False
        self._wide = _WIDE_GAP * style.size
        self._y = place[1]
        self._letters: list[str] = []
        self._raised: set[int] = set()
        self._x0 = self._x1 = place[0]

    def reaches(self, start: float, end: float) -> bool:
        """Return whether a character of the same text object stands next to it."""
        least = -self.style.size
        return least < start - self._x1 < self._wide or (self._backwards and least < self._x0 - end < self._wide)

    def goes_on(self, span: tuple[float, float], place: tuple[float, float], style: _Style) -> bool:
        """Return whether a character of another text object belongs to the word."""
        gap = self._x0 - span[1] if self._backwards and span[0] < self._x0 else span[0] - self._x1
        beside = abs(gap) < 0.2 * self.style.size
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
        self._backwards = self._backwards or _is_backwards(character)
        self._x0 = min(self._x0, start)
        self._x1 = max(self._x1, end)

    def word(self) -> Word:
        """Return the word; a raised number behind it points to a note, and is left out."""
        style = self.style
        text = _without_notes(self._letters, self._raised) if self._raised else "".join(self._letters)
        return Word(_spelt(text), self._x0, self._x1, self._y, style.size, style.bold, style.mono)


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
