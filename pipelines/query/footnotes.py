"""The footnotes of extracts: a chunk has one number in an answer, however many of its passages are quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.query.extracts.extract import Extract
from pipelines.types import Span


def chunk_numbers(extracts: Sequence[Extract]) -> list[int]:
    """Return the number of each extract: that of its chunk, counted in the order in which chunks are first quoted."""
    given: dict[str, int] = {}
    return [given.setdefault(one.hit.chunk_id, len(given) + 1) for one in extracts]


def cited_passages(extracts: Sequence[Extract]) -> list[Extract]:
    """Return what each footnote quotes, in the order of `chunk_numbers`.

    That is the first quote of a chunk, with those others of the chunk that stand next to it in the text.
    """
    by_chunk: dict[str, list[Extract]] = {}
    for one in extracts:
        by_chunk.setdefault(one.hit.chunk_id, []).append(one)
    return [_joined(first, others) for first, *others in by_chunk.values()]


def _joined(first: Extract, others: Sequence[Extract]) -> Extract:
    """Return the first quote, grown by each other one between which and it there is only white space."""
    if first.stored is None:
        return first
    text, span = first.stored.text, first.span
    before = sorted((one.span for one in others if one.span.start < span.start), key=lambda one: -one.end)
    behind = sorted((one.span for one in others if one.span.start > span.start), key=lambda one: one.start)
    for one in before:
        if not text[one.end : span.start].strip():
            span = Span(min(one.start, span.start), span.end)
    for one in behind:
        if not text[span.end : one.start].strip():
            span = Span(span.start, max(one.end, span.end))
    return replace(first, span=span, quote=text[span.start : span.end])
