"""Judges an answer as its reader would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pipelines.evaluation.metrics import shown_text
from pipelines.evaluation.own.dataset import OwnQuestion
from pipelines.types import Answer, Block, Citation

MOST_WORDS = 150
"""A longer answer counts as wrong: its reader still has to search."""

Outcome = Literal["right", "wrong", "missed", "declined"]
Blocks = Callable[[str, int], Sequence[Block]]
Content = Callable[[str, int], str]


def outcome(question: OwnQuestion, answer: Answer) -> Outcome:
    """Return the outcome of a question. An answer to an unanswerable question is wrong."""
    if answer.abstained:
        return "missed" if question.is_answerable else "declined"
    return "right" if is_right(question, answer) else "wrong"


def is_right(question: OwnQuestion, answer: Answer) -> bool:
    """Return whether the answer, without its citation numbers, says what is expected and is short enough."""
    if answer.abstained or not question.is_answerable:
        return False
    text = shown_text(answer)
    return len(text.split()) <= MOST_WORDS and question.matches(text)


def is_cut_off(answer: Answer) -> bool:
    """Return whether the answer or a passage that it quotes ends in a lead-in, and what it leads into is missing."""
    return not answer.abstained and (
        shown_text(answer).rstrip().endswith(":")
        or any(_ends_in_colon(one) and not _goes_on(one, answer.citations) for one in answer.citations)
    )


def code_of(answer: Answer, blocks: Blocks, content: Content) -> Iterator[str]:
    """The code that stands in the passages that the answer quotes."""
    for citation in answer.citations:
        text = content(citation.document_id, citation.version)
        for block in blocks(citation.document_id, citation.version):
            start, end = max(block.span.start, citation.span.start), min(block.span.end, citation.span.end)
            if block.kind == "code" and start < end:
                yield text[start:end]


def _ends_in_colon(citation: Citation) -> bool:
    return citation.quote.rstrip().endswith(":")


def _goes_on(lead: Citation, citations: Sequence[Citation]) -> bool:
    """Return whether another quote begins where this one ends, but for the blanks between two blocks."""
    return any(
        (one.document_id, one.version) == (lead.document_id, lead.version)
        and 0 <= one.span.start - lead.span.end <= len("\n\n  - ")
        for one in citations
    )
