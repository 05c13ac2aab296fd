"""Answers of what was found: by the language model if the profile has one, else of extracts."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from pipelines.errors import LlmTimeout, LlmUnavailable
from pipelines.profile.schema import Profile
from pipelines.query.answer import Texts, abstention, extractive_answer, footnote
from pipelines.query.answer_events import Events, text_events
from pipelines.query.answer_query import AnswerQuery
from pipelines.query.confidence import Confidence, ConfidenceEstimate
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.query.gate import Gate
from pipelines.query.sanitize import harmless
from pipelines.query.steps.parts import Part, joined_confidence, joined_extraction, unanswered
from pipelines.query.synthesis import Synthesis
from pipelines.query.verdicts import Window
from pipelines.query.writing import Cite
from pipelines.types import Answer, AnswerEvent, Citation, Hit, SearchResult, SourcesFound

ChunkAt = Callable[[Hit, int], Hit | None]
"""Returns the chunk that holds a place of the version that a hit is of, with the score of that hit."""

_log = logging.getLogger(__name__)


class Answerer:
    """Answers from hits.

    Args:
        profile: Says when to abstain, and what happens when the model does not answer.
        chooser: Chooses extracts.
        confidence: Estimates how likely an answer is right.
        synthesis: Has a language model write.
        texts: Returns the stored texts of chunks.
        chunk_at: Returns the chunk that holds a place.
    """

    def __init__(
        self,
        profile: Profile,
        chooser: Chooser,
        confidence: Confidence,
        synthesis: Synthesis,
        *,
        texts: Texts,
        chunk_at: ChunkAt,
    ) -> None:
        self._profile = profile
        self._chooser = chooser
        self._confidence = confidence
        self._synthesis = synthesis
        self._texts = texts
        self._chunk_at = chunk_at
        self._last_warning = ""

    def stream(self, query: AnswerQuery, found: SearchResult) -> Events:
        """The answer to ``query`` from what was found, as it is written; closing the iterator stops the model.

        Raises:
            LlmUnavailable, LlmTimeout: The model failed, and the profile says ``fallback: error`` or it had begun.
        """
        if not found.hits:
            yield SourcesFound(found.hits)
            yield from text_events(abstention(query.query_str, found, query.no_hits))
            return
        question = query.looked_for or query.query_str
        evidence = self._evidence(question, found, query.parts)
        if query.llm is None:
            found = _with_cited(found, evidence.extraction)
        yield SourcesFound(found.hits)
        least = self._profile.answer.abstain_below
        if least > 0 and evidence.estimate.confidence < least:
            abstained = abstention(query.query_str, found, "low_confidence", sure=evidence.estimate)
            yield from text_events(evidence.timed(abstained))
        elif query.llm is None:
            yield from text_events(self._extracted(question, found, evidence, degraded=False))
        else:
            events = self._synthesis.events(query, found, query.llm, evidence=lambda: evidence.estimate)
            yield from self._written(events, question, found, evidence, text_is_final=query.text_is_final)

    def part(self, question: str, found: SearchResult, number: int) -> Part:
        """Return what was found for a sub-question in round ``number``, and how well that answers it."""
        evidence = self._evidence(question, found, ())
        extraction, sure = evidence.extraction, evidence.estimate
        answered = bool(extraction.extracts) and sure.confidence >= self._profile.answer.abstain_below
        return Part(question, number, found, extraction, sure, answered)

    def _evidence(self, question: str, found: SearchResult, parts: Sequence[Part]) -> _Evidence:
        most = len(found.hits)
        if parts:
            return _Evidence(
                lambda: _of_few(joined_extraction(parts), most),
                lambda _: joined_confidence(parts),
                unanswered(parts),
            )
        return _Evidence(
            lambda: _of_few(self._extraction(question, found), most),
            lambda extraction: self._confidence.of_evidence(question, found.hits, extraction),
        )

    def _written(
        self,
        events: Generator[AnswerEvent, None, Answer | None],
        question: str,
        found: SearchResult,
        evidence: _Evidence,
        *,
        text_is_final: bool,
    ) -> Events:
        """Yield what a model writes; the extracts if it fails or none of its claims is supported."""
        written = Gate(lambda: True)
        try:
            refused = yield from written.through(events)
            self._last_warning = ""
        except (LlmUnavailable, LlmTimeout) as error:
            if self._fallback_disabled or (written.begun and text_is_final):
                raise
            self._warn_once(error)
            yield from text_events(self._extracted(question, found, evidence, degraded=True))
            return
        if refused is not None:
            yield from text_events(_in_place_of(refused, self._instead(refused, question, found, evidence)))

    def _instead(self, refused: Answer, question: str, found: SearchResult, evidence: _Evidence) -> Answer:
        """Return the extracts; nothing where the model cited only what is not there, and the profile lets answers
        abstain.
        """
        if refused.removed_citations and not refused.citations and self._profile.answer.abstain_below > 0:
            nothing_left = replace(evidence.estimate, confidence=0.0)
            return evidence.timed(abstention(question, found, "low_confidence", sure=nothing_left))
        return self._extracted(question, found, evidence, degraded=False)

    @property
    def _fallback_disabled(self) -> bool:
        return self._profile.llm is not None and self._profile.llm.fallback == "error"

    def _warn_once(self, error: LlmUnavailable | LlmTimeout) -> None:
        """Log an error unless the last question had the same: a model that is down would fill the log."""
        if error.message != self._last_warning:
            _log.warning("%s: answers come from extracts: %s", self._profile.tenant, error.message)
        self._last_warning = error.message

    def _extracted(self, question: str, found: SearchResult, evidence: _Evidence, *, degraded: bool) -> Answer:
        extracts, sure = evidence.extraction.extracts, evidence.estimate
        if not extracts:
            return evidence.timed(abstention(question, found, "low_confidence", sure=sure, degraded=degraded))
        cited = _with_cited(found, evidence.extraction)
        answer = extractive_answer(
            question,
            cited,
            extracts,
            sure=sure,
            degraded=degraded,
            unanswered=evidence.unanswered,
        )
        return evidence.timed(answer)

    def _extraction(self, question: str, found: SearchResult) -> Extraction:
        hits = (*found.hits, *found.further)
        extraction = self._chooser.choose(question, hits, self._texts(hits), self._profile.answer.sentences)
        extraction = replace(extraction, extracts=tuple(self._placed(one, hits) for one in extraction.extracts))
        if self._profile.answer.guard != "all":
            return extraction
        extracts = (replace(one, shown=harmless(one.shown)) for one in extraction.extracts)
        return replace(extraction, extracts=tuple(extracts))

    def _placed(self, extract: Extract, hits: Sequence[Hit]) -> Extract:
        """Return an extract with the chunk that it stands in: a named section may be of another than was found."""
        held = (hit for hit in hits if hit.chunk_id == extract.hit.chunk_id and hit.span == extract.hit.span)
        if any(_begins_in(extract, hit) for hit in held):
            return extract
        found = next((hit for hit in hits if _begins_in(extract, hit)), None)
        return replace(extract, hit=found or self._chunk_at(extract.hit, extract.span.start) or extract.hit)


def _begins_in(extract: Extract, hit: Hit) -> bool:
    is_of_it = (hit.document_id, hit.version) == (extract.hit.document_id, extract.hit.version)
    return is_of_it and hit.span.start <= extract.span.start < hit.span.end


def _of_few(extraction: Extraction, most: int) -> Extraction:
    """Return an extraction whose extracts come from ``most`` chunks at most: so many are an answer's sources."""
    chunks = list(dict.fromkeys(one.hit.chunk_id for one in extraction.extracts))[:most]
    return replace(extraction, extracts=tuple(one for one in extraction.extracts if one.hit.chunk_id in chunks))


def _with_cited(found: SearchResult, extraction: Extraction) -> SearchResult:
    """Return the result with the hits that extracts are from, in place of its last ones."""
    shown = {hit.chunk_id for hit in found.hits}
    missing = {one.hit.chunk_id: one.hit for one in extraction.extracts if one.hit.chunk_id not in shown}
    if not missing:
        return found
    cited = {one.hit.chunk_id for one in extraction.extracts}
    spare = [hit.chunk_id for hit in reversed(found.hits) if hit.chunk_id not in cited][: len(missing)]
    kept = (hit for hit in found.hits if hit.chunk_id not in spare)
    return replace(found, hits=(*kept, *missing.values()))


def _in_place_of(refused: Answer, extracted: Answer) -> Answer:
    """Return the extracts that replace a model's answer; its claims are listed as withheld."""
    withheld = (replace(claim, citations=(), checks={**claim.checks, "withheld": True}) for claim in refused.claims)
    return replace(
        extracted,
        question=refused.question,
        claims=(*extracted.claims, *withheld),
        timings_ms=refused.timings_ms,
        removed_citations=refused.removed_citations,
    )


class _Evidence:
    """What the hits say to one question. It is computed when first needed, so that a model need not wait for it.

    Without `functools.cached_property`: before Python 3.12 that lets one instance of all compute at a time, and answers
    would wait for each other.
    """

    def __init__(
        self,
        extract: Callable[[], Extraction],
        weigh: Callable[[Extraction], ConfidenceEstimate],
        unanswered: Sequence[str] = (),
    ) -> None:
        self.unanswered = unanswered
        self._extract, self._weigh = extract, weigh
        self._extraction: Extraction | None = None
        self._estimate: ConfidenceEstimate | None = None
        self._took_ms = 0.0

    @property
    def extraction(self) -> Extraction:
        """The extracts that answer."""
        if self._extraction is None:
            began = time.perf_counter()
            self._extraction = self._extract()
            self._took_ms = (time.perf_counter() - began) * 1000
        return self._extraction

    def timed(self, answer: Answer) -> Answer:
        """Return the answer with the milliseconds that choosing its extracts took, as ``compose``."""
        return replace(answer, timings_ms={**answer.timings_ms, "compose": self._took_ms})

    @property
    def estimate(self) -> ConfidenceEstimate:
        """How likely an answer from them is right."""
        if self._estimate is None:
            self._estimate = self._weigh(self.extraction)
        return self._estimate


def build_cite(texts: Texts) -> Cite:
    """Build what makes footnotes of windows; ``texts`` returns the texts that they are cut from."""

    def cite(number: int, window: Window) -> Citation:
        (stored,) = texts([window.hit])
        return footnote(number, window.hit, window.text, window.span, stored)

    return cite
