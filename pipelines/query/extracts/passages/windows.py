"""Stretches of long prose: its sentences, and windows of some of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipelines.components.sentences import UNPARTED, sentence_spans, word_count
from pipelines.query.extracts.passages.displayed import goes_on
from pipelines.types import Span

MOST_WORDS = 120
"""Of a passage as it is shown: a person reads it at a glance."""
_WINDOW_WORDS = 60
_RUN = re.compile(rf"[{UNPARTED}]|[^\s{UNPARTED}]{{1,80}}")
"""What is counted as a word where a sentence is parted: also where nothing but white space tells words apart."""
_GAP = "\n\n"
"""Between blocks."""
_MOST_BACK = 3
"""Sentences before one that it may speak of."""
_REFERS_BACK = re.compile(
    r"\((?!\w{1,3}\))(?=[a-z])|(?:both(?!(?:\s+[\w-]+){1,4}\s+and\b)|but|however|instead|it|neither(?!(?:\s+[\w-]+){1,4}\s+nor\b)|otherwise|so|such|that\s+way|therefore"
    r"|these|they|this|those|thus|the\s+(?:former|latter|same)|(?:for|in)\s+(?:both|such|that|these|this|those))\b",
    re.IGNORECASE,
)
"""How a sentence begins that speaks of what the one before it says, or is a remark on it in brackets."""


def windows(text: str, prose: Span) -> Iterator[Span]:
    """Yield windows of the sentences of prose that is too long for one passage.

    Each shares a sentence with the next one, and those before it that it speaks of.
    """
    if word_count(text[prose.start : prose.end]) <= _WINDOW_WORDS:
        return
    sentences = sentences_in(text, prose)
    shown = [text[one.start : one.end] for one in sentences]
    counts = [word_count(one) for one in shown]
    first = 0
    while first < len(sentences):
        last, words = first, counts[first]
        while last + 1 < len(sentences) and words + counts[last + 1] <= _WINDOW_WORDS:
            last += 1
            words += counts[last]
        begins = understood_from(first, shown)
        begins = begins if sum(counts[begins:first]) + words <= MOST_WORDS else first
        yield Span(sentences[begins].start, sentences[last].end)
        if last + 1 == len(sentences):
            return
        first = max(last, first + 1)


def refers_back(sentence: str) -> bool:
    """Return whether a sentence begins as one does that speaks of what stands before it."""
    return _REFERS_BACK.match(sentence) is not None


def understood_from(first: int, sentences: Sequence[str]) -> int:
    """Return the sentence from which ``first`` is understood: itself, or an earlier one that it speaks of."""
    earliest = max(first - _MOST_BACK, 0)
    return next((at for at in range(first, earliest, -1) if not refers_back(sentences[at])), earliest)


def sentences_in(text: str, prose: Span) -> list[Span]:
    """Return the sentences of a stretch of prose; a displayed formula belongs to its sentence.

    Sentences that are too long to be shown are cut into parts: a transcript may have no full stops.
    """
    sentences: list[Span] = []
    last = prose
    for start, end in sentence_spans(text, prose.start, prose.end):
        follows = bool(sentences) and text.startswith(_GAP, last.end) and goes_on(text, last, Span(start, end))
        last = Span(start, end)
        sentences.append(Span(sentences.pop().start, end) if follows else last)
    return [part for sentence in sentences for part in _parts(text, sentence)]


def _parts(text: str, sentence: Span) -> Iterator[Span]:
    if len(_RUN.findall(text, sentence.start, sentence.end)) <= MOST_WORDS:
        yield sentence
        return
    words = [found.span() for found in _RUN.finditer(text, sentence.start, sentence.end)]
    for first in range(0, len(words), _WINDOW_WORDS):
        part = words[first : first + _WINDOW_WORDS]
        yield Span(part[0][0], part[-1][1])
