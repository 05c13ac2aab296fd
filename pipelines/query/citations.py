"""Inline citations as a language model writes them: found in a stream of text, and renumbered by use.

`[1]`, `[1, 2]`, `[1; 2]`, `[1-3]`, `[1][2]` and `【1】` are citations, also in the wide signs of Chinese, and so is
`【1†L3-L5】`, as models of OpenAI write it: what follows the dagger says a place. `[Source 1]` and `[^1]` are citations
too; a later line that begins with `[^1]:` is a footnote of the model's own, and left out. Code, links such as
`[1](https://...)`, and brackets with anything else in them are text. What a character becomes depends on the
characters alone and never on how they were cut into pieces: they are looked at one by one, and an undecided bracket is
held back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_CLOSING = {"[": "]", "【": "】", "\uff3b": "\uff3d"}
_BODY = frozenset("0123456789 ,;-\N{EN DASH}\uff0c\u3001\uff1b")
_PLACE = "\N{DAGGER}"
_NAMES = ("source:", "sources:", "^")
_LAST_WORD = re.compile(r"[^\W\d_]*[:^]?\Z")
_NAME = re.compile(r"(?:^|(?<=[,;]))\s*(?:sources?:?\s*|\^)(?=\d)", re.IGNORECASE)
"""What models write in front of a number."""
_LONGEST = 60  # characters of a bracket, after which it is text
_WIDEST_RANGE = 50
_LEAST_FENCE = 3  # backticks
_FENCE = re.compile(r"[ \t]*(?P<ticks>`{3,})(?P<behind>[^`]*)")
_LONGEST_CODE = 1000  # characters between backticks on a line
_NUMBERS = re.compile(
    r"\s*\d{1,9}(?:\s*[-\u2013]\s*\d{1,9})?(?:(?:\s*[,;\uff0c\u3001\uff1b]\s*|\s+)\d{1,9}(?:\s*[-\u2013]\s*\d{1,9})?)*\s*"
)
LIKE_ONE = re.compile(
    r"[\[【\uff3b]((?:(?i:sources?:?)|[ ,;\uff0c\u3001\uff1b\u2013^-])*\d"
    r"(?:(?i:sources?:?)|[\d ,;\uff0c\u3001\uff1b\u2013^-])*)"
    r"(?:[\]\uff3d]|(?:\u2020[^\n【】]{0,60})?】)"
)
"""What may be a citation; its numbers are the group."""
_IN_DOCUMENT = re.compile(
    rf"`[^`\n]{{1,{_LONGEST_CODE}}}`|(?<!\w)(?P<name>[^\W\d]\w*(?:\(\))?)(?P<index>(?:\[\d{{1,9}}\])+)|{LIKE_ONE.pattern}"
)
"""Code, a name with what may be its index, or what else looks like a citation."""
_CODE_LINE = re.compile(r"\s*(?:>>>\s|(?:(?:const|let|var)\s+)?[^\W\d][\w.]*(?:\[\w*\])*\s*[-+*/|:]?=\s)")
_LEADING = " \t,;"
_RANGE = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in the text: the numbers of sources that exist, each once."""

    numbers: tuple[int, ...]


Piece = str | Mark


def fence_after(fence: int, line: str) -> int:
    """Return how many backticks fence the text behind a line, where ``fence`` did before it; 0 for no fence."""
    found = _FENCE.fullmatch(line)
    if found is None:
        return fence
    if not fence:
        return len(found["ticks"])
    return 0 if len(found["ticks"]) >= fence and not found["behind"].strip() else fence


def without_citations(text: str) -> str:
    """Return a document's text with its own ``[3]`` as ``(3)``: in an answer it would seem to be one of the
    answer's. The indexes of code stay: ``sys.argv[1]``.
    """
    if not any(sign in text for sign in _CLOSING):
        return text
    return "".join(_line_without_citations(line) for line in text.splitlines(keepends=True))


def _line_without_citations(line: str) -> str:
    is_code = _CODE_LINE.match(line) is not None

    def written(found: re.Match[str]) -> str:
        if found[0][0] == "`":
            return found[0]
        index = found["index"]
        if index and (is_code or "[0]" in index or "_" in found["name"].strip("_")):
            return found[0]
        return LIKE_ONE.sub(r"(\1)", found[0])

    return _IN_DOCUMENT.sub(written, line)


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
        self._has_marks = False
        self._in_footnote = False  # whether the line is a footnote of the model's own

    def feed(self, text: str) -> list[Piece]:
        """Return what is settled once ``text`` has come; neighbouring text is one piece."""
        return self._told(known for character in text for known in self._code.read(character))

    def finish(self, *, cut_off: bool = False) -> list[Piece]:
        """Return what was still held back; there is no more text. If that was cut off, a citation that was too is
        left out.
        """
        pieces = self._told(self._code.finish())
        bracket = self._held.lstrip(_LEADING)
        if cut_off and bracket and bracket[-1] not in _CLOSING.values():
            self._held = ""
        return _joined([*pieces, *self._settle("")])

    def _told(self, known: Iterable[tuple[str, bool]]) -> list[Piece]:
        return _joined(piece for character, in_code in known for piece in self._read(character, in_code))

    def _read(self, character: str, in_code: bool) -> Iterator[Piece]:
        if self._held and (in_code or not self._goes_on(character)):
            yield from self._settle(character)
        if self._in_footnote:
            self._in_footnote = character != "\n"
            self._before, self._after_mark = character, False
        elif self._held:
            self._held += character
        elif not in_code and self._may_begin(character):
            self._held = character
        else:
            self._before, self._after_mark = character, False
            yield character

    def _may_begin(self, character: str) -> bool:
        separates = self._after_mark and character in ",;"
        return separates or character in " \t" or character in _CLOSING

    def _goes_on(self, character: str) -> bool:
        """Return whether ``character`` may still belong to the citation that is held."""
        bracket = self._held.lstrip(_LEADING)
        if not bracket:
            return self._may_begin(character)
        if bracket[-1] in _CLOSING.values() or len(bracket) > _LONGEST:
            return False
        if bracket[0] == "【" and (character == _PLACE or _PLACE in bracket):
            return character not in "\n【"
        if character in _BODY or character == _CLOSING[bracket[0]]:
            return True
        found = _LAST_WORD.search(bracket + character)
        word = found[0].lower() if found else ""
        return bool(word) and any(name.startswith(word) for name in _NAMES)

    def _settle(self, following: str) -> Iterator[Piece]:
        """Yield what is held, now that the character after it is known; "" stands for the end."""
        held, self._held = self._held, ""
        bracket = held.lstrip(_LEADING)
        blanks = held[: len(held) - len(bracket)]
        numbers = self._numbers(bracket, blanks, following)
        is_footnote = bool(numbers) and bracket[1] == "^" and following == ":" and self._before == "\n"
        self._in_footnote = is_footnote and self._has_marks
        if self._in_footnote:
            return
        if numbers is None:
            self._after_mark = False
            yield held
        elif known := [number for number in numbers if 1 <= number <= self._sources]:
            yield blanks
            yield Mark(tuple(dict.fromkeys(known)))
            self._after_mark = self._has_marks = True
        if numbers is not None:
            unknown = [number for number in numbers if not 1 <= number <= self._sources]
            self.removed = tuple(dict.fromkeys((*self.removed, *unknown)))
        if held:
            self._before = held[-1]

    def _numbers(self, bracket: str, blanks: str, following: str) -> list[int] | None:
        """Return the numbers of a citation; None if it is not one."""
        body = _NAME.sub("", bracket[1:-1].partition(_PLACE)[0])
        if not bracket or bracket[-1] != _CLOSING[bracket[0]] or not _NUMBERS.fullmatch(body):
            return None
        if following == "(" or (not blanks and self._before == "\\"):
            return None
        numbers = [number for found in _RANGE.finditer(body) for number in _counted(found)]
        attached = not blanks and (self._before.isalnum() or self._before in ("_", ")"))
        if len(numbers) > 1 and 0 in numbers:  # an interval, or what an index may be: "a value in [0, 1]"
            return None
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
    """Tells code from text: what stands between as many backticks on a line, or between fences.

    What follows backticks is held back until their line says what they are: without others that close them they are
    text, and so is what follows.
    """

    def __init__(self) -> None:
        self._run = 0  # backticks in a row, up to here
        self._opened = 0  # backticks that may open code; 0: none
        self._held = ""  # what follows them
        self._fence = 0  # backticks of the fence around the text; 0: none
        self._line = ""  # of a fenced text, the beginning
        self._line_is_blank = True

    def read(self, character: str) -> Iterator[tuple[str, bool]]:
        """Go on by one character; yield each that is decided, and whether it is code."""
        if self._fence:
            yield character, True
            self._read_fenced(character)
        elif not self._opened and character == "`":
            self._run += 1
        elif not self._opened and not self._run:
            yield character, False
            self._line_is_blank = character == "\n" or (self._line_is_blank and character in " \t")
        else:
            if not self._opened:
                self._opened, self._run = self._run, 0
            yield from self._read_behind_backticks(character)

    def finish(self) -> Iterator[tuple[str, bool]]:
        """Yield what was held back; there is no more text."""
        while self._opened or self._run:
            if self._opened and (self._run == self._opened or self._opens_fence()):
                yield from self._release()
            elif self._opened:
                yield from self._reread()
            else:
                self._opened, self._run = self._run, 0

    def _read_fenced(self, character: str) -> None:
        if character != "\n":
            self._line += character if len(self._line) < _LONGEST_CODE else ""
            return
        self._fence, self._line, self._line_is_blank = fence_after(self._fence, self._line), "", True

    def _read_behind_backticks(self, character: str) -> Iterator[tuple[str, bool]]:
        if character != "`" and self._run == self._opened:
            yield from self._release()
            yield from self.read(character)
            return
        self._held += character
        self._run = self._run + 1 if character == "`" else 0
        if character == "\n" and self._opens_fence():
            self._fence = self._opened
            yield from self._release()
        elif character == "\n" or len(self._held) > _LONGEST_CODE:
            yield from self._reread()

    def _opens_fence(self) -> bool:
        return self._line_is_blank and self._opened >= _LEAST_FENCE and "`" not in self._held

    def _release(self) -> Iterator[tuple[str, bool]]:
        """Yield what is held back as code."""
        code = "`" * self._opened + self._held
        self._opened, self._run, self._held, self._line_is_blank = 0, 0, "", False
        yield from ((character, True) for character in code)

    def _reread(self) -> Iterator[tuple[str, bool]]:
        """Yield the backticks as text, and read what follows them again."""
        opened, held = self._opened, self._held
        self._opened, self._run, self._held, self._line_is_blank = 0, 0, "", False
        yield from (("`", False) for _ in range(opened))
        for character in held:
            yield from self.read(character)


def _counted(found: re.Match[str]) -> list[int]:
    """Return the numbers from the first to the last of a range; only these two where it makes no sense."""
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    if 0 <= last - first <= _WIDEST_RANGE:
        return list(range(first, last + 1))
    return [first, last]


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return joined
