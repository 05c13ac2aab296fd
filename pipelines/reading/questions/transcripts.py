"""Transcripts, "MS. ROE: What will it cost? MR. POE: Two pounds.": a question is the heading of what is replied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pipelines.reading.questions.parts import ASKS, LONGEST, Part, rewritten
from pipelines.types import ParsedDocument

_TURN = re.compile(
    r"^[ \t]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,3})?)?[\])]?[ \t]+)?"
    r"(?P<name>[^\W\d_][\w.'\u2019-]{0,30}(?: [\w.'\u2019-]{1,30}){0,4})(?: \([^()\n]{1,60}\))?:[ \t]+(?=\S)",
    re.MULTILINE,
)
"""Who speaks, perhaps after the time."""
_SHORTEST_NAME = 2
"""Letters: single ones stand for questions, answers and what may be chosen."""
_NO_NAMES = frozenset(("answer", "note", "question", "warning"))
_FEWEST = 3
"""Turns of a transcript."""
_FEWEST_SPEAKERS = 2
_SHARE = 0.5
"""Of its paragraphs that begin turns."""
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class _Turn(Part):
    """What one speaker says, with the name; ``asks`` where another one replies to it."""

    name: str


def with_turns(document: ParsedDocument) -> ParsedDocument:
    """Return a transcript with each question as a heading, one level below its section, and the replies below it.

    The heading includes the speaker's name.
    """
    turns = list(_turns(document))
    if not _is_transcript(document, turns):
        return document
    parts = [
        part
        for turn, following in zip_longest(turns, turns[1:])
        for part in _parts(document, turn, replied=following is not None and _replies(turn, following))
    ]
    return rewritten(document, parts) if any(part.asks for part in parts) else document


def _turns(document: ParsedDocument) -> Iterator[_Turn]:
    for index, block in enumerate(document.blocks):
        start = block.span.start
        if block.kind != "paragraph" or block.level:
            continue
        words = document.text[start : block.span.end]
        begun = [found for found in _TURN.finditer(words) if _is_name(found["name"])]
        if not begun or begun[0].start():
            continue
        before = start
        for found, end in zip(begun, [*(each.start() for each in begun[1:]), len(words)], strict=True):
            last = start + found.start() + len(words[found.start() : end].rstrip())
            yield _Turn(index, before, start + found.start(), last, asks=False, name=found["name"].lower())
            before = last


def _is_name(name: str) -> bool:
    """Return whether words may be the name of a speaker: the first and the last begin with a capital or a figure."""
    first, last = name[0], name.rpartition(" ")[2][0]
    is_spelled = first == first.upper() and last == last.upper()
    return is_spelled and len(name) >= _SHORTEST_NAME and name.lower() not in _NO_NAMES


def _is_transcript(document: ParsedDocument, turns: Sequence[_Turn]) -> bool:
    """Return whether most paragraphs from the first turn to the last are turns, and one of several people has two."""
    spoken = Counter(turn.name for turn in turns)
    if len(turns) < _FEWEST or not _FEWEST_SPEAKERS <= len(spoken) < len(turns):
        return False
    between = document.blocks[turns[0].block : turns[-1].block + 1]
    paragraphs = sum(block.kind == "paragraph" for block in between)
    return len({turn.block for turn in turns}) >= _SHARE * paragraphs


def _replies(turn: _Turn, following: _Turn) -> bool:
    return following.name != turn.name and following.block <= turn.block + 1


def _parts(document: ParsedDocument, turn: _Turn, *, replied: bool) -> Iterator[Part]:
    """Yield a turn; one that asks as such, without what is said before the question where that is long."""
    said = document.text[turn.start : turn.end]
    if not replied or not ASKS.search(said):
        yield turn
        return
    if len(said) <= LONGEST:
        yield Part(turn.block, turn.before, turn.start, turn.end, asks=True)
        return
    yield turn
    sentence = _SENTENCE.search(said, len(said) - LONGEST)
    if sentence is not None:
        yield Part(turn.block, turn.start + sentence.start() + 1, turn.start + sentence.end(), turn.end, asks=True)
