"""Inline citations as a language model writes them: found in a stream of text, and renumbered by use.

`[1]`, `[1, 2]`, `[1; 2]`, `[1-3]`, `[1][2]` and `【1】` are citations, also in the wide signs of Chinese. Code, links
such as `[1](https://...)`, and brackets with anything else in them are text. What a character becomes depends on the
characters alone and never on how they were cut into pieces: they are looked at one by one, and an undecided bracket is
held back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_CLOSING = {"[": "]", "【": "】", "\uff3b": "\uff3d"}
_BODY = frozenset("0123456789 ,;-\N{EN DASH}\uff0c\u3001\uff1b")
_LONGEST = 60  # characters of a bracket, after which it is text
_WIDEST_RANGE = 50
_NUMBERS = re.compile(
    r"\s*\d{1,9}(?:\s*[-\u2013]\s*\d{1,9})?(?:(?:\s*[,;\uff0c\u3001\uff1b]\s*|\s+)\d{1,9}(?:\s*[-\u2013]\s*\d{1,9})?)*\s*"
)
_LIKE_ONE = re.compile(r"[\[【\uff3b]([ ,;\uff0c\u3001\uff1b\u2013-]*\d[\d ,;\uff0c\u3001\uff1b\u2013-]*)[\]】\uff3d]")
_LEADING = " \t,;"
_RANGE = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in the text: the numbers of sources that exist, each once."""

    numbers: tuple[int, ...]


Piece = str | Mark


def without_citations(text: str) -> str:
    """Return a document's text with its own ``[3]`` as ``(3)``: in an answer it would seem to be one of the
    answer's.
    """
    return _LIKE_ONE.sub(r"(\1)", text)


class CitationParser:
    """Tells citations from text as it comes in; ``removed`` lists the numbers that no source has, each once.

    A citation without an existing source disappears, and so do the blanks before it and what parts it from another.

    Args:
        sources: How many sources there are; they are numbered from 1.
    """

    def __init__(self, sources: int) -> None:
        self.removed: tuple[int, ...] = ()
        self._sources = sources
        self._held = ""  # blanks and what parts citations, and a bracket that may be one
        self._code = _Code()
        self._before = ""  # the last character that was settled
        self._after_mark = False  # whether that ended a citation

    def feed(self, text: str) -> list[Piece]:
        """Return what is settled once ``text`` has come; neighbouring text is one piece."""
        return _joined(piece for character in text for piece in self._read(character))

    def finish(self, *, cut_off: bool = False) -> list[Piece]:
        """Return what was still held back; there is no more text. If that was cut off, a citation that was too is
        left out.
        """
        bracket = self._held.lstrip(_LEADING)
        if cut_off and bracket and bracket[-1] not in _CLOSING.values():
            self._held = ""
        return _joined(self._settle(""))

    def _read(self, character: str) -> Iterator[Piece]:
        if self._held and not self._goes_on(character):
            yield from self._settle(character)
        if self._held:
            self._held += character
        elif self._may_begin(character):
            self._held = character
        else:
            self._before, self._after_mark = character, False
            yield character
        self._code.read(character)

    def _may_begin(self, character: str) -> bool:
        separates = self._after_mark and character in ",;"
        return not self._code.inside and (separates or character in " \t" or character in _CLOSING)

    def _goes_on(self, character: str) -> bool:
        """Return whether ``character`` may still belong to the citation that is held."""
        bracket = self._held.lstrip(_LEADING)
        if not bracket:
            return self._may_begin(character)
        if bracket[-1] in _CLOSING.values() or len(bracket) > _LONGEST:
            return False
        return character in _BODY or character == _CLOSING[bracket[0]]

    def _settle(self, following: str) -> Iterator[Piece]:
        """Yield what is held, now that the character after it is known; "" stands for the end."""
        held, self._held = self._held, ""
        bracket = held.lstrip(_LEADING)
        blanks = held[: len(held) - len(bracket)]
        numbers = self._numbers(bracket, blanks, following)
        if numbers is None:
            self._after_mark = False
            yield held
        elif known := [number for number in numbers if 1 <= number <= self._sources]:
            yield blanks
            yield Mark(tuple(dict.fromkeys(known)))
            self._after_mark = True
        if numbers is not None:
            unknown = [number for number in numbers if not 1 <= number <= self._sources]
            self.removed = tuple(dict.fromkeys((*self.removed, *unknown)))
        if held:
            self._before = held[-1]

    def _numbers(self, bracket: str, blanks: str, following: str) -> list[int] | None:
        """Return the numbers of a citation; None if it is not one."""
        if not bracket or bracket[-1] != _CLOSING[bracket[0]] or not _NUMBERS.fullmatch(bracket[1:-1]):
            return None
        if following == "(" or (not blanks and self._before == "\\"):
            return None
        numbers = [number for found in _RANGE.finditer(bracket) for number in _counted(found)]
        attached = not blanks and (self._before.isalnum() or self._before in ("_", ")"))
        is_index = attached and (numbers == [0] or following.isalnum())
        return None if is_index else numbers


class Numbering:
    """Gives sources the numbers of an answer, in the order in which they are first used."""

    def __init__(self) -> None:
        self._given: dict[int, int] = {}

    @property
    def order(self) -> tuple[int, ...]:
        """The sources' own numbers; that of the answer's citation n stands at n - 1."""
        return tuple(self._given)

    def of(self, sources: Sequence[int]) -> tuple[int, ...]:
        """Return the answer's numbers of ``sources``."""
        return tuple(self._given.setdefault(source, len(self._given) + 1) for source in sources)

    def written(self, pieces: Sequence[Piece]) -> str:
        """Return the text of ``pieces``, with each citation in the answer's numbers: ``[1][2]``."""
        return "".join(
            piece if isinstance(piece, str) else "".join(f"[{number}]" for number in self.of(piece.numbers))
            for piece in pieces
        )


class _Code:
    """Whether the text stands in code: between backticks on a line, or between fences."""

    def __init__(self) -> None:
        self._run = 0  # backticks in a row, up to here
        self._opened = 0  # backticks that opened the code; 0: none
        self._fenced = False
        self._line_is_blank = True

    @property
    def inside(self) -> bool:
        """Whether the next character is code; a run of backticks just read counts as what it opens."""
        return self._after_run()[0] > 0

    def read(self, character: str) -> None:
        """Go on by one character."""
        if character == "`":
            self._run += 1
            return
        if self._run:
            self._opened, self._fenced = self._after_run()
            self._run, self._line_is_blank = 0, False
        if character == "\n":
            self._line_is_blank = True
            if not self._fenced:
                self._opened = 0
        elif character not in " \t":
            self._line_is_blank = False

    def _after_run(self) -> tuple[int, bool]:
        if not self._run:
            return self._opened, self._fenced
        if not self._opened:
            return self._run, self._run >= 3 and self._line_is_blank
        closes = self._run >= self._opened and self._line_is_blank if self._fenced else self._run == self._opened
        return (0, False) if closes else (self._opened, self._fenced)


def _counted(found: re.Match[str]) -> list[int]:
    """Return the numbers from the first to the last of a range; only these two where it makes no sense."""
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    if 0 <= last - first <= _WIDEST_RANGE:
        return list(range(first, last + 1))
    return [first, last]


def _joined(pieces: Iterator[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return joined
