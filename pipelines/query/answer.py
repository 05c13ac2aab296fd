"""What answers are made of, whoever writes them: footnotes, and the way to say that the documents do not tell."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from pipelines.components.extractors.headings import heading_path, page_at
from pipelines.query.confidence import NOTHING_FOUND, Sureness
from pipelines.query.extractive import Extract
from pipelines.query.footnotes import chunk_numbers, cited_passages
from pipelines.query.quoting import Quoted, quoted, without_repetition
from pipelines.types import AbstainReason, Answer, Citation, Claim, Evidence, Hit, SearchResult, Span, StoredText

EXTRACTIVE = "extractive"
SAID_WHEN_ABSTAINING: dict[AbstainReason, str] = {
    "no_hits": "The documents do not tell: nothing in them matches the question.",
    "filtered_out": "The documents do not tell within these filters: nothing that passes them matches the question.",
    "low_confidence": "The documents do not tell: what was found does not answer the question well enough.",
}

Texts = Callable[[Sequence[Hit]], Sequence[StoredText | None]]
"""The text that each hit was taken from, or None where it was deleted since the search; headings where shown."""


def extractive_answer(
    question: str,
    found: SearchResult,
    extracts: Sequence[Extract],
    texts: Texts,
    *,
    sure: Sureness,
    degraded: bool,
) -> Answer:
    """The answer made of ``extracts``, in their order, each quoted in whole sentences; a chunk has one number."""
    stored = texts([extract.hit for extract in extracts])
    quotes = without_repetition(map(quoted, extracts, stored))
    citations = tuple(
        footnote(number, one.extract.hit, one.quote, one.span, one.stored)
        for number, one in enumerate(cited_passages(quotes), 1)
    )
    claims = tuple(_claim(*pair) for pair in zip(quotes, chunk_numbers(quotes), strict=True))
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=" ".join(f"{claim.text} [{claim.citations[0]}]" for claim in claims),
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


def _claim(one: Quoted, number: int) -> Claim:
    hit = one.extract.hit
    evidence = Evidence(hit.document_id, hit.version, hit.chunk_id, one.span, one.quote)
    return Claim(one.shown, (number,), "supported", {"verbatim": True}, (evidence,))


def abstention(
    question: str,
    found: SearchResult,
    reason: AbstainReason,
    *,
    sure: Sureness = NOTHING_FOUND,
    degraded: bool = False,
) -> Answer:
    """An answer that says that the documents do not tell, and why."""
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
    """The footnote that quotes ``span`` of a chunk's document, with the page and headings of that very place.

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
    )
