"""Words as pieces of lines, and pieces as lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from pipelines.reading.marks import mark_of
from pipelines.reading.pdf.glyphs import Word

_SAME_LINE = 0.35  # of the size of the letters
_APART = 0.7
_SMALL = 0.82
_MARK_NEARER = 0.6
"""What the gap behind the mark of a note counts."""
DASHES = frozenset("-\u2013\u2014\u2212")
_FIGURE = re.compile(r"[$€£(+\u2212-]{0,3}\d[\d.,]*[%)]{0,2}")
_FARTHEST_ITEM = 2.5  # behind the dash that begins it, of the size of the letters
_LEADER = re.compile(r"[.·…_]{4,}")
_SHORTEST_LEADER = 4
_FEWEST_DOTS = 3
_SIGN = 2  # characters of what may be a sign
_MARK_OF_NOTE = re.compile(r"\d{1,3}(?:,\d{1,3})*|[*∗†‡§]+")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_FORWARDS, _BACKWARDS = re.compile("L[L-]*L"), re.compile("R[R-]*R")


@dataclass(frozen=True)
class Piece:
    """Words of one line without a wide gap between them.

    Attributes:
        led: Whether dots lead from it to what follows on its line.
    """

    words: tuple[Word, ...]
    led: bool = False

    @cached_property
    def text(self) -> str:
        """What it says."""
        return " ".join(word.text for word in self.words)

    @cached_property
    def x0(self) -> float:
        """Its left edge."""
        return min(word.x0 for word in self.words)

    @cached_property
    def x1(self) -> float:
        """Its right edge."""
        return max(word.x1 for word in self.words)

    @cached_property
    def y(self) -> float:
        """Its baseline."""
        return self.words[0].y

    @cached_property
    def size(self) -> float:
        """The size of most of its letters."""
        sizes: dict[float, int] = {}
        for word in self.words:
            sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
        return max(sizes, key=sizes.__getitem__)

    @cached_property
    def top(self) -> float:
        """Where its letters begin."""
        return self.y - 0.8 * self.size

    @cached_property
    def bottom(self) -> float:
        """Where its letters end."""
        return self.y + 0.2 * self.size

    @cached_property
    def bold(self) -> bool:
        """Whether all of its words are bold."""
        return all(word.bold or not any(map(str.isalnum, word.text)) for word in self.words)

    @cached_property
    def mono(self) -> bool:
        """Whether all of its letters are equally wide; quotes and signs may be of another font."""
        others = (word.text for word in self.words if not word.mono)
        return any(word.mono for word in self.words) and not any(
            len(text) > _SIGN and any(map(str.isalpha, text)) for text in others
        )


@dataclass(frozen=True)
class Line(Piece):
    """A line of a column: its words, also where wide gaps stand between them."""

    pieces: tuple[Piece, ...] = ()


def pieces_of(words: Iterable[Word]) -> list[Piece]:
    """Return the pieces of the lines of a page; a mark of a list stays with what follows it."""
    return [piece for row in _rows(_settled(list(words))) for piece in _split(row)]


def lines_of(pieces: Iterable[Piece]) -> list[Line]:
    """Return pieces of one column as lines, from the top down."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.y):
        if rows and piece.y - rows[-1][0].y <= _SAME_LINE * min(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [_line(row) for row in rows]


def _settled(words: list[Word]) -> Iterator[Word]:
    """Yield words, small ones beside others on their line; marks of notes behind a word are left out."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        behind = words[at + 1] if at + 1 < len(words) else None
        if before is not None and _is_beside(word, before, word.x0 - before.x1):
            if word.y < before.y and _MARK_OF_NOTE.fullmatch(word.text) and len(before.text) > 1:
                continue
            yield word._replace(y=before.y)
        elif behind is not None and _is_beside(word, behind, _gap_behind(word, behind)):
            yield word._replace(y=behind.y)
        else:
            yield word


def _gap_behind(word: Word, behind: Word) -> float:
    """Return how far a word is from the next one; the mark of a note may stand farther in front of it."""
    gap = behind.x0 - word.x1
    return gap * _MARK_NEARER if _MARK_OF_NOTE.fullmatch(word.text) else gap


def _is_beside(word: Word, other: Word, gap: float) -> bool:
    """Return whether a word is set small, above or below the line of the word next to it."""
    shift = abs(word.y - other.y)
    return word.size <= _SMALL * other.size and abs(gap) < 0.5 * other.size and 0 < shift < 0.7 * other.size


def _line(row: list[Piece]) -> Line:
    row.sort(key=lambda piece: piece.x0, reverse=_is_right_to_left(piece.text for piece in row))
    return Line(tuple(word for piece in row for word in piece.words), pieces=tuple(row))


def _rows(words: Iterable[Word]) -> list[list[Word]]:
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.y, word.x0)):
        if rows and word.y - rows[-1][0].y <= _SAME_LINE * min(word.size, rows[-1][0].size):
            rows[-1].append(word)
        else:
            rows.append([word])
    return rows


def _split(row: list[Word]) -> list[Piece]:
    row.sort(key=lambda word: word.x0)
    words, leading = _without_leaders(row)
    pieces = [words[:1]] if words else []
    for at, (before, word) in enumerate(pairwise(words)):
        apart = _is_apart(before, word)
        begins_item = len(pieces[-1]) == 1 and _is_mark(before) and not _is_mark(word)
        if at in leading or (apart and (not begins_item or (at > 0 and _is_empty_cell(words[at : at + 3])))):
            pieces.append([word])
        else:
            pieces[-1].append(word)
    ends = accumulate(map(len, pieces))
    return [Piece(tuple(_in_reading_order(piece)), end - 1 in leading) for piece, end in zip(pieces, ends, strict=True)]


def _is_mark(word: Word) -> bool:
    return mark_of(f"{word.text} x") is not None


def _is_apart(word: Word, behind: Word, by: float = _APART) -> bool:
    return behind.x0 - word.x1 > by * max(word.size, behind.size)


def _is_empty_cell(words: Sequence[Word]) -> bool:
    """Return whether the first word is a dash and all that a cell holds: what follows is far from it, or is a figure
    and nothing else; "- 5 boats" is an item.
    """
    dash, word, *behind = words
    is_alone = all(_is_apart(word, other) or other.text in "%)" for other in behind)
    is_figure = is_alone and _FIGURE.fullmatch(word.text) is not None
    return dash.text in DASHES and (is_figure or _is_apart(dash, word, _FARTHEST_ITEM))


def _without_leaders(row: Sequence[Word]) -> tuple[list[Word], set[int]]:
    """Return the words of a line without dots that lead to the next column, and the places of those before dots."""
    spaced = sum(word.text == "." for word in row) >= _FEWEST_DOTS
    words: list[Word] = []
    leading: set[int] = set()
    for word in row:
        text, dots, behind = ("", ".", "") if spaced and word.text == "." else _cut_at_leader(word.text)
        if text:
            words.append(word if text == word.text else word._replace(text=text))
        if dots:
            leading.add(len(words) - 1)
        if behind:
            wide = (word.x1 - word.x0) / len(word.text) * len(behind)
            words.append(word._replace(text=behind, x0=word.x1 - wide))
    return words, leading


def _cut_at_leader(text: str) -> tuple[str, str, str]:
    """Return what stands before dots that lead on, the dots, and what stands behind them."""
    found = _LEADER.search(text) if len(text) >= _SHORTEST_LEADER else None
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def _in_reading_order(words: Sequence[Word]) -> Sequence[Word]:
    """Return words that stand from left to right as they are read: those of the other direction turn together."""
    directions = "".join(_direction(word.text) for word in words)
    if "R" not in directions:
        return words
    backwards = _is_right_to_left(word.text for word in words)
    ordered, directions = (list(words)[::-1], directions[::-1]) if backwards else (list(words), directions)
    for run in (_FORWARDS if backwards else _BACKWARDS).finditer(directions):
        ordered[run.start() : run.end()] = ordered[run.start() : run.end()][::-1]
    return ordered


def _direction(text: str) -> str:
    """Return "L" or "R" by the first letter of a word; "-" where it has none."""
    if text.isascii():
        return "L" if any(map(str.isalpha, text)) else "-"
    kinds = (unicodedata.bidirectional(each) for each in text)
    return next(("R" if kind in _RIGHT_TO_LEFT else "L" for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "-")


def _is_right_to_left(texts: Iterable[str]) -> bool:
    """Return whether most letters are of a script that is read from right to left."""
    joined = "".join(texts)
    if joined.isascii():
        return False
    letters = [unicodedata.bidirectional(each) for each in joined if each.isalpha()]
    return sum(letter in _RIGHT_TO_LEFT for letter in letters) * 2 > len(letters)
