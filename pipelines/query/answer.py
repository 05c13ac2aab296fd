"""What answers are made of, whoever writes them: footnotes, and the way to say that the documents do not tell."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence

from pipelines.components.extractors.headings import heading_path, page_at
from pipelines.query.extractive import Extract
from pipelines.types import AbstainReason, Answer, Citation, Claim, Hit, SearchResult, Span, StoredText

EXTRACTIVE = "extractive"
SAID_WHEN_ABSTAINING: dict[AbstainReason, str] = {
    "no_hits": "The documents do not tell: nothing in them matches the question.",
    "filtered_out": "The documents do not tell within these filters: nothing that passes them matches the question.",
    "low_confidence": "The documents do not tell: what was found does not answer the question well enough.",
}
_LIST_MARK = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKUP = re.compile(r"\*\*|__|`")

Texts = Callable[[Sequence[Hit]], Sequence[StoredText | None]]
"""The text that each hit was taken from, or None where it was deleted since the search; headings where shown."""


def extractive_answer(
    question: str, found: SearchResult, extracts: Sequence[Extract], texts: Texts, degraded: bool
) -> Answer:
    """The answer made of ``extracts``, in their order, each quoted in full."""
    stored = texts([extract.hit for extract in extracts])
    citations = tuple(
        footnote(number, extract.hit, extract.text, extract.span, text)
        for number, (extract, text) in enumerate(zip(extracts, stored, strict=True), 1)
    )
    claims = tuple(
        Claim(readable(citation.quote), (citation.number,), "supported", {"verbatim": True}) for citation in citations
    )
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=" ".join(f"{claim.text} [{claim.citations[0]}]" for claim in claims),
        abstained=False,
        reason=None,
        confidence=confidence(found.hits),
        citations=citations,
        claims=claims,
        sources=found.hits,
        model=EXTRACTIVE,
        llm_generated=False,
        degraded=degraded,
        snapshot=found.snapshot,
        timings_ms={"search": found.took_ms},
    )


def abstention(question: str, found: SearchResult, reason: AbstainReason, degraded: bool) -> Answer:
    """An answer that says that the documents do not tell, and why."""
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=SAID_WHEN_ABSTAINING[reason],
        abstained=True,
        reason=reason,
        confidence=confidence(found.hits),
        citations=(),
        claims=(),
        sources=found.hits,
        model=EXTRACTIVE,
        llm_generated=False,
        degraded=degraded,
        snapshot=found.snapshot,
        timings_ms={"search": found.took_ms},
    )


def confidence(hits: Sequence[Hit]) -> float:
    """How strong the best evidence is, in 0..1: the best hit's score, wherever it stands. It is not calibrated."""
    return max((hit.score for hit in hits), default=0.0)


def readable(quote: str) -> str:
    """A quote as it stands in an answer: one line, without Markdown's marks."""
    return _MARKUP.sub("", _LIST_MARK.sub("", " ".join(quote.split())))


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
