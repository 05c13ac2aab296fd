"""Small-to-big: small chunks are found, more of the text around them is returned.

Both ways are LlamaIndex's ideas (`AutoMergingRetriever`, `SentenceWindowNodeParser`), done with spans: parents and
windows are read out of the stored text of the hit's own version, so that nothing is stored twice, a hit's text is
always that of its span, and what was read in the past is enlarged by what stood there then.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from pipelines.components.extractors.headings import heading_path, page_at
from pipelines.components.rerankers.base import Question
from pipelines.components.sentences import sentence_spans
from pipelines.profile.schema import Profile
from pipelines.profile.stages import ParentStage
from pipelines.types import Heading, Hit, Page, Span

_REACH = 4000
"""Characters on either side in which a window's sentences are looked for."""


class StoredText(Protocol):
    """The stored text of a version, with its structure."""

    @property
    def text(self) -> str:
        """All of it."""
        ...

    @property
    def pages(self) -> Sequence[Page]:
        """Its pages, in the order of the text."""
        ...

    @property
    def headings(self) -> Sequence[Heading]:
        """Its headings, in the order of the text."""
        ...


Key = tuple[str, int]
TextOf = Callable[[str, int], StoredText | None]
"""The stored text by a document's id and version; None where it has been deleted since it was found."""


class Parent:
    """Enlarges the first ``section.depth`` hits, and leaves out those that lie wholly in a better one.

    A hit keeps its place, id and scores: those of the best chunk in it. Page and headings are where its text begins.

    All candidates are read, to leave out what is told already, and nothing is reordered.

    Args:
        section: The stage of the profile.
        name: Its key in `Hit.scores`.
        profile: Says whether chunks have parents, and hits headings.
        text_of: Reads stored texts.
    """

    def __init__(self, section: ParentStage, name: str, profile: Profile, text_of: TextOf) -> None:
        self.name = name
        self.depth = profile.retrieval.candidates
        self._section = section
        self._merges = (
            section.method or ("merge" if profile.chunking.splitter == "hierarchical" else "window")
        ) == "merge"
        self._with_headings = "headings" in profile.extractors
        self._text_of = text_of

    def rank(self, question: Question, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        texts = _Texts(self._text_of)
        first = hits[: self._section.depth]
        spans = self._parents(first) if self._merges else self._windows(first, texts)
        spans += [hit.span for hit in hits[len(first) :]]
        told: defaultdict[Key, list[Span]] = defaultdict(list)
        kept = []
        for hit, span in zip(hits, spans, strict=True):
            better = told[_key(hit)]
            if not any(_holds(one, hit.span) for one in better):
                kept.append((self._enlarged(hit, span, texts), hit.score))
                better.append(span)
        return kept

    def _parents(self, hits: Sequence[Hit]) -> list[Span]:
        """For each hit the largest of its parents that the hits hold enough of, or its own span."""
        by_text: defaultdict[Key, list[Hit]] = defaultdict(list)
        for hit in hits:
            by_text[_key(hit)].append(hit)
        merged = {key: _merged(found, self._section.share) for key, found in by_text.items()}
        return [
            next((parent for parent in reversed(hit.parents) if parent in merged[_key(hit)]), hit.span) for hit in hits
        ]

    def _windows(self, hits: Sequence[Hit], texts: _Texts) -> list[Span]:
        """For each hit its span with the sentences around it."""
        found = [(hit, texts[_key(hit)]) for hit in hits]
        return [
            _window(stored, hit.span, self._section.sentences) if stored is not None else hit.span
            for hit, stored in found
        ]

    def _enlarged(self, hit: Hit, span: Span, texts: _Texts) -> Hit:
        stored = texts[_key(hit)] if span != hit.span else None
        if stored is None:
            return hit
        page = page_at(stored.pages, span.start)
        return replace(
            hit,
            content=stored.text[span.start : span.end],
            span=span,
            page=page.number if page else None,
            page_label=page.label if page else None,
            headings=heading_path(stored.headings, span.start) if self._with_headings else hit.headings,
        )


class _Texts(dict[Key, StoredText | None]):
    """The stored texts of one search, each read once."""

    def __init__(self, text_of: TextOf) -> None:
        super().__init__()
        self._text_of = text_of

    def __missing__(self, key: Key) -> StoredText | None:
        self[key] = self._text_of(*key)
        return self[key]


def _key(hit: Hit) -> Key:
    return hit.document_id, hit.version


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _merged(hits: Sequence[Hit], share: float) -> set[Span]:
    """The parents of one text's hits of which the hits hold at least ``share``; a merged one holds all of itself."""
    held = [hit.span for hit in hits]
    merged = set()
    for parent in sorted({parent for hit in hits for parent in hit.parents}, key=_length):  # inner ones first
        if _covered(parent, held) >= share * _length(parent):
            merged.add(parent)
            held.append(parent)
    return merged


def _length(span: Span) -> int:
    return span.end - span.start


def _covered(parent: Span, held: Iterable[Span]) -> int:
    """How many characters of ``parent`` these spans hold, which may overlap."""
    total, position = 0, parent.start
    for span in sorted((span for span in held if _holds(parent, span)), key=lambda span: span.start):
        total += max(span.end - max(span.start, position), 0)
        position = max(position, span.end)
    return total


def _window(stored: StoredText, span: Span, sentences: int) -> Span:
    """``span`` with up to so many sentences before and behind it, within the section that it stands in."""
    first, last = _section(stored, span)
    start, end = max(first, span.start - _REACH), min(last, span.end + _REACH)
    before = sentence_spans(stored.text, start, span.start)[1 if start > first else 0 :]  # not from its middle on
    after = sentence_spans(stored.text, span.end, end)
    after = after[: len(after) - 1 if end < last else None]
    return Span(
        before[-sentences:][0][0] if before else span.start,
        after[:sentences][-1][1] if after else span.end,
    )


def _section(stored: StoredText, span: Span) -> tuple[int, int]:
    """From the heading above the span's beginning to the one behind its end."""
    starts = [heading.start for heading in stored.headings]
    above, below = bisect_right(starts, span.start), bisect_left(starts, span.end)
    return starts[above - 1] if above else 0, starts[below] if below < len(starts) else len(stored.text)
