"""What a language model is given to read: numbered sources within a budget of tokens, as data and never as orders."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pipelines.components.sentences import sentence_spans
from pipelines.query.citations import without_citations
from pipelines.query.data_lines import data_line
from pipelines.query.terms import Terms
from pipelines.types import KEPT_NOWHERE, Hit

Tokens = Callable[[str], int]
"""How many tokens a text has."""
_Shingles = frozenset[tuple[str, ...]]

_SHINGLE = 4  # words
_SAME = 0.9  # share of the shorter text's shingles that the longer one holds
_LEAST_PART = 24  # tokens; a shorter part of a source is of no use
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Source:
    """What a number of the context stands for.

    ``hits`` holds the chunks whose text it is, the best first: several where they overlap or say the same.
    ``text`` is what the model reads.
    """

    number: int
    hits: tuple[Hit, ...]
    text: str

    @property
    def line(self) -> str:
        """The source as one line of JSON: what a document says can neither end it nor pose as another one."""
        hit = self.hits[0]
        place = {"title": hit.title, "section": " > ".join(hit.headings), "page": hit.page_label or hit.page}
        known = {name: value for name, value in place.items() if value}
        return data_line({"source": self.number, **known, "text": self.text})


@dataclass(frozen=True, slots=True)
class Context:
    """The numbered sources of a question, the most useful first, and how many tokens they take."""

    sources: tuple[Source, ...]
    tokens: int

    @property
    def text(self) -> str:
        """The sources, one a line."""
        return "\n".join(source.line for source in self.sources)


def build_context(question: str, hits: Sequence[Hit], budget: int, tokens: Tokens, terms: Terms) -> Context:
    """Return the sources made of ``hits`` (the best first) that fit into ``budget`` tokens.

    Each is given as long as it is where it fits, the best first. One that does not fit is cut to the longest run of
    sentences around the one that shares most terms with the question; shorter ones after it may still fit.
    """
    sources: list[Source] = []
    used = 0
    for group in _merged(hits):
        source = Source(len(sources) + 1, tuple(group), without_citations(_text_of(group)))
        fitting = _fitted(source, question, budget - used, tokens, terms)
        if fitting is not None:
            sources.append(fitting)
            used += tokens(fitting.line)
    return Context(tuple(sources), used)


def in_turn(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits of the documents and of each tool in turn, each of them the best first: none crowds out the
    others.

    A tool was asked because the question takes it, and a chunk of a document is much longer than a record.
    """
    origins: dict[str, list[Hit]] = {}
    for hit in hits:
        origins.setdefault(hit.document_id if hit.version == KEPT_NOWHERE else "", []).append(hit)
    return [hit for round_of in zip_longest(*origins.values()) for hit in round_of if hit is not None]


def _merged(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Return hits in groups that overlap in a document or say the same, each with its best first."""
    groups: list[list[tuple[Hit, _Shingles]]] = []
    for hit, shingles in ((hit, _shingles(hit.content)) for hit in hits):
        home = next(
            (group for group in groups if any(_overlap(hit, one) or _same(shingles, theirs) for one, theirs in group)),
            None,
        )
        if home is None:
            groups.append([(hit, shingles)])
        else:
            home.append((hit, shingles))
    return [[hit for hit, _ in group] for group in groups]


def _overlap(one: Hit, other: Hit) -> bool:
    same_text = (one.document_id, one.version) == (other.document_id, other.version)
    return same_text and one.span.start < other.span.end and other.span.start < one.span.end


def _same(one: _Shingles, other: _Shingles) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and len(shorter & longer) >= _SAME * len(shorter)


def _shingles(text: str) -> _Shingles:
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[at : at + _SHINGLE]) for at in range(max(len(words) - _SHINGLE + 1, 1)) if words)


def _text_of(group: Sequence[Hit]) -> str:
    """Return the text of a group: overlapping chunks put together, and of those that say the same the longest."""
    parts: list[tuple[int, int, str]] = []
    first = group[0]
    neighbours = [hit for hit in group if (hit.document_id, hit.version) == (first.document_id, first.version)]
    for hit in sorted(neighbours, key=lambda hit: hit.span.start):
        if parts and hit.span.start <= parts[-1][1]:
            start, end, text = parts[-1]
            parts[-1] = (start, max(end, hit.span.end), text + hit.content[end - hit.span.start :])
        else:
            parts.append((hit.span.start, hit.span.end, hit.content))
    others = [hit.content for hit in group if hit not in neighbours]
    return max((*("\n".join(text for _, _, text in parts),), *others), key=len)


def _fitted(source: Source, question: str, budget: int, tokens: Tokens, terms: Terms) -> Source | None:
    """Return the source, or the part of it that fits; None where no useful part does."""
    if tokens(source.line) <= budget:
        return source
    room = budget - tokens(replace(source, text="").line)
    if room < _LEAST_PART:
        return None
    part = _part(source.text, question, room, tokens, terms)
    while part and tokens(replace(source, text=part).line) > budget:  # what JSON escapes takes room too
        part = part[: len(part) * 9 // 10].rsplit(maxsplit=1)[0] if " " in part else ""
    return replace(source, text=part) if part else None


def _part(text: str, question: str, room: int, tokens: Tokens, terms: Terms) -> str:
    """Return the longest run of sentences that fits, grown from the one that shares most terms with the question."""
    spans = sentence_spans(text)
    asked = terms(question)
    best = max(range(len(spans)), key=lambda at: len(asked & terms(text[slice(*spans[at])])), default=0)
    first = last = best
    while True:
        grown = [
            (start, end)
            for start, end in ((first, last + 1), (first - 1, last))
            if start >= 0 and end < len(spans) and tokens(text[spans[start][0] : spans[end][1]]) <= room
        ]
        if not grown:
            break
        first, last = grown[0]
    part = text[spans[first][0] : spans[last][1]] if spans else text
    return part if tokens(part) <= room else _words(part, room, tokens)


def _words(text: str, room: int, tokens: Tokens) -> str:
    """As many words of ``text``, from its beginning, as fit."""
    ends = [found.end() for found in re.finditer(r"\S+", text)]
    fitting = bisect_right(ends, room, key=lambda end: tokens(text[:end]))
    return text[: ends[fitting - 1]] if fitting else ""
