"""The parts of an answer that was found in steps, joined: one list of sources, and one choice of extracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pipelines.query.confidence import ConfidenceEstimate
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.query.steps.questions import Finding
from pipelines.types import Answer, Hit, SearchResult, Step

_MOST_EXTRACTS = 4
"""Of an answer of a few parts; each has one at least."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-question, what was found for it, and how well that answers it.

    Attributes:
        question: The sub-question.
        round: The round that asked it, from 1.
        found: What was found.
        extraction: The extracts that answer.
        estimate: How likely they are right.
        answered: Whether the documents answer.
    """

    question: str
    round: int
    found: SearchResult
    extraction: Extraction
    estimate: ConfidenceEstimate
    answered: bool

    @property
    def extracts(self) -> tuple[Extract, ...]:
        """The extracts that answer; none where the documents don't."""
        return self.extraction.extracts if self.answered else ()

    def step(self) -> Step:
        """Return the part as callers see it."""
        text = "\n\n".join(one.shown for one in self.extracts)
        return Step(self.question, self.round, text, self.estimate.confidence, self.found.hits)

    def finding(self) -> Finding:
        """Return the part as the next round reads it."""
        extracts = self.extraction.extracts if self.answered else ()
        return Finding(self.question, tuple(one.shown for one in extracts), tuple(one.hit.title for one in extracts))


def joined_result(parts: Sequence[Part], top_k: int) -> SearchResult:
    """Return what was found in all parts: by turns the best hit of each, ``top_k`` of them, best first."""
    first = parts[0].found
    by_turns = (hit for row in zip_longest(*(part.found.hits for part in parts)) for hit in row if hit is not None)
    best: dict[str, Hit] = {}
    for hit in by_turns:
        if hit.chunk_id not in best or hit.score > best[hit.chunk_id].score:
            best[hit.chunk_id] = hit
    hits = sorted([*best.values()][:top_k], key=lambda hit: -hit.score)
    return replace(first, hits=tuple(hits), took_ms=sum(part.found.took_ms for part in parts), further=())


def joined_extraction(parts: Sequence[Part]) -> Extraction:
    """Return the extracts of all parts, in the order of the sub-questions, with the signals of the least sure part."""
    extracts: dict[tuple[str, int, int], Extract] = {}
    for part in parts:
        for one in part.extracts[: max(_MOST_EXTRACTS // len(parts), 1)]:
            extracts.setdefault((one.hit.document_id, one.span.start, one.span.end), one)
    about_another = all(part.extraction.about_another for part in parts)
    return Extraction(tuple(extracts.values()), _least_sure(parts).estimate.signals, about_another)


def joined_confidence(parts: Sequence[Part]) -> ConfidenceEstimate:
    """Return how likely the whole answer is right: as its least sure part, and less for each part that has no
    answer.
    """
    answered = [part for part in parts if part.answered]
    if not answered:
        return _least_sure(parts).estimate
    least = _least_sure(answered).estimate
    return replace(least, confidence=least.confidence * len(answered) / len(parts))


def _least_sure(parts: Sequence[Part]) -> Part:
    return min(parts, key=lambda part: part.estimate.confidence)


def unanswered(parts: Sequence[Part]) -> list[str]:
    """Return the sub-questions that the documents don't answer, where they answer others."""
    missing = [part.question for part in parts if not part.answered]
    return missing if len(missing) < len(parts) else []


def numbered_steps(parts: Sequence[Part], answer: Answer) -> tuple[Step, ...]:
    """Return the steps with the numbers of the answer's citations that stand for their chunks."""
    numbers: dict[int, list[int]] = {place: [] for place in range(len(parts))}
    for citation in answer.citations:
        for place in _places(parts, citation.chunk_id):
            numbers[place].append(citation.number)
    return tuple(replace(part.step(), citations=tuple(numbers[place])) for place, part in enumerate(parts))


def _places(parts: Sequence[Part], chunk_id: str) -> list[int]:
    """Return the parts that a chunk answers: those that quote it, else the one that found it with the best score."""
    quoted = [place for place, part in enumerate(parts) if any(one.hit.chunk_id == chunk_id for one in part.extracts)]
    scored = [
        (hit.score, -place) for place, part in enumerate(parts) for hit in part.found.hits if hit.chunk_id == chunk_id
    ]
    return quoted or [-place for _, place in sorted(scored)[-1:]]
