"""Cuts what a language model wrote into claims: a sentence, and the sources that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pipelines.components.sentences import sentence_spans, word_count
from pipelines.query.citations import Mark, Piece

_LEAST_WORDS = 3
_WORD = re.compile(r"\w+")
_BLANKS_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?])")
_DIGIT = re.compile(r"\d")
_HEADING = re.compile(r"^\s*#{1,6}\s")
_ANSWERS = re.compile(r"\W*(?:yes|no|ja|nein|oui|non|s[i\u00ed])\b|.*\d", re.IGNORECASE | re.DOTALL)
_NO_CLAIM = re.compile(r"^\s*(?:#{1,6}\s|```|[|\s:-]+$)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a line: its pieces as they stand there, its text without citations, and the sources it cites."""

    pieces: tuple[Piece, ...]
    text: str
    sources: tuple[int, ...]

    @property
    def is_claim(self) -> bool:
        """Whether it says something that can be checked: headings, questions and lead-ins do not, unless they cite."""
        if word_count(self.text) < _LEAST_WORDS or self._ends_with("?"):
            return False
        if self.sources and _HEADING.search(self.text):
            return True
        if self._ends_with(":"):
            return bool(self.sources) and _DIGIT.search(self.text) is not None
        return not _NO_CLAIM.search(self.text)

    @property
    def is_short_claim(self) -> bool:
        """Whether it is too short to be a claim by itself, and answers a question: "Yes.", "90 minutes."."""
        if not 0 < word_count(self.text) < _LEAST_WORDS or self._ends_with(":?") or _NO_CLAIM.search(self.text):
            return False
        return bool(self.sources) or _ANSWERS.match(self.text) is not None

    @property
    def is_row_of_names(self) -> bool:
        """Whether it is a row of a table that neither cites nor has a number, as the first one is."""
        return self.text.startswith("|") and not self.sources and _DIGIT.search(self.text) is None

    def _ends_with(self, signs: str) -> bool:
        behind = takewhile(lambda sign: not (sign.isalnum() or sign == "_"), reversed(self.text))
        return any(sign in signs for sign in behind)


def sentences_of(line: Sequence[Piece]) -> list[Sentence]:
    """Return the sentences of one line; their pieces together are those of the line.

    A citation belongs to the sentence before it, whether it stands before or after the full stop; where the line
    begins with one and does not end with one, each belongs to the sentence that follows.
    """
    text = "".join(piece for piece in line if isinstance(piece, str))
    starts = [0, *(start for start, _ in sentence_spans(text)[1:])]
    leading = bool(line) and _begins_with_citation(line) and not _ends_with_citation(line)
    sentences, edges = [], [*starts[1:], len(text)]
    for start, end, pieces in zip(starts, edges, _split(line, text, starts, leading), strict=True):
        plain = _BLANKS_BEFORE_STOP.sub("", " ".join(text[start:end].split()))
        cited = (number for piece in pieces if isinstance(piece, Mark) for number in piece.numbers)
        sentences.append(Sentence(tuple(pieces), plain, tuple(dict.fromkeys(cited))))
    return sentences


def settled_sentences(line: Sequence[Piece]) -> tuple[list[Sentence], list[Piece]]:
    """Return the sentences of an unfinished line that nothing behind them can change, and the pieces after them.

    The last sentence may go on, or get a citation behind its full stop. Of a line that begins with a citation nothing
    is settled: its end decides which sentence that belongs to.
    """
    sentences = [] if _begins_with_citation(line) else sentences_of(line)
    if len(sentences) < 2 or not word_count(sentences[-1].text):
        return [], list(line)
    return sentences[:-1], list(sentences[-1].pieces)


def _split(line: Sequence[Piece], text: str, starts: Sequence[int], leading: bool) -> list[list[Piece]]:
    """Return the pieces of each sentence, where ``starts`` are the sentences' places in the text without citations."""
    parts: list[list[Piece]] = [[] for _ in starts]
    place, current = 0, 0
    for piece in line:
        if isinstance(piece, Mark):
            following = starts[current + 1] if current + 1 < len(starts) else None
            if leading and following is not None and not text[place:following].strip():
                current += 1
            parts[current].append(piece)
            continue
        for number, part in _cut(piece, place, starts):
            current = max(current, number)
            parts[current].append(part)
        place += len(piece)
    return parts


def _cut(text: str, place: int, starts: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The parts of ``text``, which stands at ``place``, each with the number of its sentence."""
    edges = [*starts[1:], place + len(text)]
    for number, (start, end) in enumerate(zip(starts, edges, strict=True)):
        part = text[max(start - place, 0) : max(end - place, 0)]
        if part:
            yield number, part


def _begins_with_citation(line: Sequence[Piece]) -> bool:
    first = next((piece for piece in line if isinstance(piece, Mark) or _WORD.search(piece)), None)
    return isinstance(first, Mark)


def _ends_with_citation(line: Sequence[Piece]) -> bool:
    last = next((piece for piece in reversed(line) if isinstance(piece, Mark) or _WORD.search(piece)), None)
    return isinstance(last, Mark)
