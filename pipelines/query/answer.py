"""Footnotes, answers made of extracts, and abstentions."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from pipelines.components.extractors.headings import heading_path, line_at, page_at
from pipelines.query.confidence import NOTHING_FOUND, ConfidenceEstimate
from pipelines.query.extracts.extract import Extract
from pipelines.query.footnotes import chunk_numbers, cited_passages
from pipelines.types import (
    AbstainReason,
    Answer,
    Citation,
    Claim,
    Evidence,
    Hit,
    SearchResult,
    Span,
    StoredText,
    pictures_in,
)

EXTRACTIVE = "extractive"
SAID_WHEN_ABSTAINING: dict[AbstainReason, str] = {
    "no_hits": "The documents don't answer this question: nothing in them matches it.",
    "filtered_out": "The documents don't answer this question: nothing that passes these filters matches it.",
    "low_confidence": "The documents don't answer this question.",
}

Texts = Callable[[Sequence[Hit]], Sequence[StoredText | None]]
"""The text that each hit was taken from, or None where it was deleted since the search; headings where shown."""


def extractive_answer(
    question: str,
    found: SearchResult,
    extracts: Sequence[Extract],
    *,
    sure: ConfidenceEstimate,
    degraded: bool,
    unanswered: Sequence[str] = (),
) -> Answer:
    """Return the answer made of ``extracts``, in their order; a chunk has one number. It names what it leaves
    unanswered.
    """
    citations = tuple(
        footnote(number, one.hit, one.quote, one.span, one.stored)
        for number, one in enumerate(cited_passages(extracts), 1)
    )
    claims = tuple(_claim(*pair) for pair in zip(extracts, chunk_numbers(extracts), strict=True))
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=_text(claims, unanswered),
        abstained=False,
        reason=None,
        confidence=sure.confidence,
        signals=sure.signals,
        citations=citations,
        claims=claims,
        sources=found.hits,
        model=EXTRACTIVE,
        llm_generated=False,
        degraded=degraded,
        snapshot=found.snapshot,
        timings_ms={"search": found.took_ms},
    )


def _text(claims: Sequence[Claim], unanswered: Sequence[str]) -> str:
    """Return the claims with their footnotes; those that have lines of their own, such as lists, stand apart."""
    between = "\n\n" if any("\n" in claim.text for claim in claims) else " "
    quoted = [f"{claim.text} [{claim.citations[0]}]" for claim in claims]
    return between.join([*quoted, *(f"The documents don't answer: {question}" for question in unanswered)])


def _claim(one: Extract, number: int) -> Claim:
    hit = one.hit
    evidence = Evidence(hit.document_id, hit.version, hit.chunk_id, one.span, one.quote)
    return Claim(one.shown, (number,), "supported", {"verbatim": True}, (evidence,))


def abstention(
    question: str,
    found: SearchResult,
    reason: AbstainReason,
    *,
    sure: ConfidenceEstimate = NOTHING_FOUND,
    degraded: bool = False,
) -> Answer:
    """Return an answer that says that the documents don't answer, and why."""
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=SAID_WHEN_ABSTAINING[reason],
        abstained=True,
        reason=reason,
        confidence=sure.confidence,
        signals=sure.signals,
        citations=(),
        claims=(),
        sources=found.hits,
        model=EXTRACTIVE,
        llm_generated=False,
        degraded=degraded,
        snapshot=found.snapshot,
        timings_ms={"search": found.took_ms},
    )


def footnote(number: int, hit: Hit, quote: str, span: Span, stored: StoredText | None) -> Citation:
    """Return the footnote that quotes ``span`` of a chunk's document, with the page and headings of that very place.

    Args:
        number: Its number in the answer.
        hit: The chunk.
        quote: The text of ``span``.
        span: Its place in the version's text.
        stored: That version's text; None where it was deleted since, and the chunk alone tells.
    """
    start = span.start
    page = page_at(stored.pages, start) if stored else None
    return Citation(
        number=number,
        document_id=hit.document_id,
        version=hit.version,
        chunk_id=hit.chunk_id,
        title=hit.title,
        source=hit.source,
        quote=quote,
        span=span,
        page=page.number if page else hit.page,
        page_label=page.label if page else hit.page_label,
        headings=heading_path(stored.headings, start) if stored else hit.headings,
        line=line_at(stored.blocks, start) if stored else None,
        picture=next(iter(pictures_in(stored.pictures if stored else hit.pictures, span)), None),
    )
