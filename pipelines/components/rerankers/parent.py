"""Small-to-big: small chunks are found, more of the text around them is returned.

Both ways are LlamaIndex's ideas (`AutoMergingRetriever`, `SentenceWindowNodeParser`), done with spans: parents and
windows are read out of the stored text of the hit's own version, so that nothing is stored twice, a hit's text is
always that of its span, and what was read in the past is enlarged by what stood there then.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import QueryBundle

from pipelines.components.extractors.headings import heading_path, page_at
from pipelines.components.rerankers.base import Stage
from pipelines.components.sentences import sentence_spans
from pipelines.profile.schema import Profile
from pipelines.profile.sections.rerank import ParentStage
from pipelines.types import Hit, Span, StoredText, pictures_in

_REACH = 500
"""Characters in which each sentence of a window must lie: a longer one (a table, an endless word) ends the window."""

Key = tuple[str, int]
TextsOf = Callable[[Collection[Key]], Mapping[Key, StoredText]]
"""The stored texts of versions, by document id and number, without those that were deleted since they were found."""


class Parent(Stage):
    """Enlarges the first ``section.depth`` hits, and leaves out those that lie wholly in a better one.

    A hit keeps its place, id and scores: those of the best chunk in it. Page and headings are where its text begins.
    All candidates are read, so that no passage appears twice; none is moved.

    Args:
        section: The stage of the profile.
        name: Its key in `Hit.scores`.
        profile: Says whether chunks have parents, and hits headings.
        texts_of: Reads stored texts.
    """

    _section: ParentStage = PrivateAttr()
    _merges: bool = PrivateAttr()
    _with_headings: bool = PrivateAttr()
    _texts_of: TextsOf = PrivateAttr()

    def __init__(self, section: ParentStage, name: str, profile: Profile, texts_of: TextsOf) -> None:
        super().__init__(name=name, depth=profile.retrieval.candidates)
        self._section = section
        natural = "merge" if profile.chunking.splitter == "hierarchical" else "window"
        self._merges = (section.method or natural) == "merge"
        self._with_headings = "headings" in profile.extractors
        self._texts_of = texts_of

    def rank(self, query: QueryBundle, hits: Sequence[Hit]) -> list[tuple[Hit, float]]:
        """See `Stage`."""
        first, rest = hits[: self._section.depth], hits[self._section.depth :]
        enlarged = (self._merged(first) if self._merges else self._widened(first)) if first else []
        spans: defaultdict[Key, list[Span]] = defaultdict(list)
        kept = []
        for hit, larger in zip(hits, (*enlarged, *rest), strict=True):
            better = spans[_key(hit)]
            if not any(_holds(one, hit.span) for one in better):
                kept.append((larger, hit.score))
                better.append(larger.span)
        return kept

    def _merged(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return each hit as the largest of its parents that the hits hold enough of, or as it is."""
        by_text: defaultdict[Key, list[Hit]] = defaultdict(list)
        for hit in hits:
            by_text[_key(hit)].append(hit)
        enough = {key: _found(found, self._section.share) for key, found in by_text.items()}
        spans = [next((one for one in reversed(hit.parents) if one in enough[_key(hit)]), hit.span) for hit in hits]
        changed = {_key(hit) for hit, span in zip(hits, spans, strict=True) if span != hit.span}
        texts = self._texts_of(changed) if changed else {}
        return [self._enlarged(hit, span, texts.get(_key(hit))) for hit, span in zip(hits, spans, strict=True)]

    def _widened(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return each hit with the sentences around it."""
        texts = self._texts_of({_key(hit) for hit in hits})
        found = [(hit, texts.get(_key(hit))) for hit in hits]
        return [
            hit if stored is None else self._enlarged(hit, _window(stored, hit.span, self._section.sentences), stored)
            for hit, stored in found
        ]

    def _enlarged(self, hit: Hit, span: Span, stored: StoredText | None) -> Hit:
        if stored is None or span == hit.span:
            return hit
        page = page_at(stored.pages, span.start)
        return replace(
            hit,
            content=stored.text[span.start : span.end],
            span=span,
            page=page.number if page else None,
            page_label=page.label if page else None,
            headings=heading_path(stored.headings, span.start) if self._with_headings else hit.headings,
            pictures=pictures_in(stored.pictures, span),
        )


def _key(hit: Hit) -> Key:
    return hit.document_id, hit.version


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _found(hits: Sequence[Hit], share: float) -> set[Span]:
    """Return the parents of one text's hits of which they hold at least ``share``; one that is found holds all of
    itself.
    """
    held = [hit.span for hit in hits]
    found = set()
    for parent in sorted({parent for hit in hits for parent in hit.parents}, key=_length):  # inner ones first
        if _covered(parent, held) >= share * _length(parent):
            found.add(parent)
            held.append(parent)
    return found


def _length(span: Span) -> int:
    return span.end - span.start


def _covered(parent: Span, held: Iterable[Span]) -> int:
    """Return how many characters of ``parent`` these spans hold, which may overlap."""
    total, position = 0, parent.start
    for span in sorted((span for span in held if _holds(parent, span)), key=lambda span: span.start):
        total += max(span.end - max(span.start, position), 0)
        position = max(position, span.end)
    return total


def _window(stored: StoredText, span: Span, sentences: int) -> Span:
    """``span`` with up to so many sentences before and behind it, within the section that it stands in."""
    first, last = _section(stored, span)
    reach = sentences * _REACH
    start, end = max(first, span.start - reach), min(last, span.end + reach)
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
