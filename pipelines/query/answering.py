"""Makes answers of what was found: by the language model where the profile has one, else of extracts."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property

from pipelines.components.llm import Llm, Message
from pipelines.errors import LlmTimeout, LlmUnavailable
from pipelines.profile.schema import Profile
from pipelines.query.answer import Texts, abstention, extractive_answer, footnote
from pipelines.query.confidence import Confidence, Sureness
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extraction
from pipelines.query.gate import Gate
from pipelines.query.prompts import AnswerPrompt
from pipelines.query.synthesis import Synthesis
from pipelines.query.verdicts import Window
from pipelines.query.writing import Cite
from pipelines.types import (
    AbstainReason,
    Answer,
    AnswerDone,
    AnswerEvent,
    Citation,
    CitationMade,
    SearchResult,
    SourcesFound,
    TextWritten,
)

_PASSAGE = re.compile(r"[^\n]*?(?:(?:\[\d{1,4}\])+|\n|$)")
_MARK = re.compile(r"\[(\d{1,4})\]")
_log = logging.getLogger(__name__)


class Answerer:
    """Answers from hits.

    Args:
        profile: Says when to abstain, and what happens when the model does not answer.
        chooser: Chooses extracts.
        confidence: Says how sure an answer is.
        synthesis: Lets a language model write.
        texts: The stored texts of chunks.
    """

    def __init__(
        self, profile: Profile, chooser: Chooser, confidence: Confidence, synthesis: Synthesis, texts: Texts
    ) -> None:
        self._profile = profile
        self._chooser = chooser
        self._confidence = confidence
        self._synthesis = synthesis
        self._texts = texts
        self._warned_of = ""

    def stream(
        self,
        question: str,
        found: SearchResult,
        llm: Llm | None = None,
        history: Sequence[Message] = (),
        *,
        prompt: AnswerPrompt,
        looked_for: str | None = None,
        begun_is_final: bool = True,
    ) -> Generator[AnswerEvent, None, None]:
        """The answer as it is written; closing the iterator stops the model.

        Args:
            question: What was asked.
            found: What it is answered from.
            llm: Who writes; None: nobody, sentences are picked.
            history: What was sent and said in earlier turns.
            prompt: Makes the messages that the model is sent.
            looked_for: What was looked for, where that was another question; sentences are picked for it.
            begun_is_final: Whether what a model has written is read at once: else one that fails in the middle counts
                as one that did not begin.

        Raises:
            LlmUnavailable, LlmTimeout: The model failed, and the profile says ``fallback: error`` or it had begun.
        """
        if not found.hits:
            yield from self.abstained(question, found, "no_hits")
            return
        picked_for = looked_for or question
        evidence = _Evidence(picked_for, found, self._extraction, self._confidence)
        if llm is None:
            found = _with_cited(found, evidence.extraction)
        yield SourcesFound(found.hits)
        least = self._profile.answer.abstain_below
        if least > 0 and evidence.sureness.confidence < least:
            yield from told(abstention(question, found, "low_confidence", sure=evidence.sureness))
            return
        if llm is None:
            yield from told(self._extracted(picked_for, found, evidence, degraded=False))
            return
        events = self._synthesis.events(
            question,
            found,
            llm,
            prompt,
            history,
            evidence=lambda: evidence.sureness,
            looked_for=looked_for,
            begun_is_final=begun_is_final,
        )
        yield from self._written(events, picked_for, found, evidence, begun_is_final=begun_is_final)

    def _written(
        self,
        events: Generator[AnswerEvent, None, Answer | None],
        picked_for: str,
        found: SearchResult,
        evidence: _Evidence,
        *,
        begun_is_final: bool,
    ) -> Generator[AnswerEvent, None, None]:
        """What a model writes; the extracts where it fails or none of its claims stands."""
        written = Gate(lambda: True)
        try:
            refused = yield from written.through(events)
            self._warned_of = ""
        except (LlmUnavailable, LlmTimeout) as error:
            if self._falls_back_not or (written.begun and begun_is_final):
                raise
            self._warn_once(error)
            yield from told(self._extracted(picked_for, found, evidence, degraded=True))
            return
        if refused is not None:
            yield from told(_in_place_of(refused, self._extracted(picked_for, found, evidence, degraded=False)))

    def abstained(
        self, question: str, found: SearchResult, reason: AbstainReason
    ) -> Generator[AnswerEvent, None, None]:
        """That the documents don't answer, as events."""
        yield SourcesFound(found.hits)
        yield from told(abstention(question, found, reason))

    @property
    def _falls_back_not(self) -> bool:
        return self._profile.llm is not None and self._profile.llm.fallback == "error"

    def _warn_once(self, error: LlmUnavailable | LlmTimeout) -> None:
        """Not with every question: a model that is away would fill the log."""
        if error.message != self._warned_of:
            _log.warning("%s: answers come from extracts: %s", self._profile.tenant, error.message)
        self._warned_of = error.message

    def _extracted(self, question: str, found: SearchResult, evidence: _Evidence, *, degraded: bool) -> Answer:
        extracts, sure = evidence.extraction.extracts, evidence.sureness
        if not extracts:
            return abstention(question, found, "low_confidence", sure=sure, degraded=degraded)
        return extractive_answer(
            question, _with_cited(found, evidence.extraction), extracts, sure=sure, degraded=degraded
        )

    def _extraction(self, question: str, found: SearchResult) -> Extraction:
        hits = (*found.hits, *found.further)
        return self._chooser.choose(question, hits, self._texts(hits), self._profile.answer.sentences)


def _with_cited(found: SearchResult, extraction: Extraction) -> SearchResult:
    """What was found with the hits that extracts are from among its hits, in place of the last ones."""
    shown = {hit.chunk_id for hit in found.hits}
    missing = {one.hit.chunk_id: one.hit for one in extraction.extracts if one.hit.chunk_id not in shown}
    if not missing:
        return found
    cited = {one.hit.chunk_id for one in extraction.extracts}
    spare = [hit.chunk_id for hit in reversed(found.hits) if hit.chunk_id not in cited][: len(missing)]
    kept = (hit for hit in found.hits if hit.chunk_id not in spare)
    return replace(found, hits=(*kept, *missing.values()))


def _in_place_of(refused: Answer, extracted: Answer) -> Answer:
    """The extracts that answer instead of what a model wrote, whose claims stay to be seen."""
    withheld = (replace(claim, citations=(), checks={**claim.checks, "withheld": True}) for claim in refused.claims)
    return replace(
        extracted,
        question=refused.question,
        claims=(*extracted.claims, *withheld),
        timings_ms=refused.timings_ms,
        removed_citations=refused.removed_citations,
    )


class _Evidence:
    """What the hits say to a question, found out when it is first asked for: a model's answer need not wait for it."""

    def __init__(
        self,
        question: str,
        found: SearchResult,
        extract: Callable[[str, SearchResult], Extraction],
        confidence: Confidence,
    ) -> None:
        self._question, self._found = question, found
        self._extract, self._confidence = extract, confidence

    @cached_property
    def extraction(self) -> Extraction:
        """The extracts that answer."""
        return self._extract(self._question, self._found)

    @cached_property
    def sureness(self) -> Sureness:
        """How sure an answer from them is."""
        return self._confidence.of_evidence(self._question, self._found.hits, self.extraction)


def whole(events: Generator[AnswerEvent, None, None], meanwhile: Callable[[], None] | None = None) -> Answer:
    """The answer that ``events`` end with; what ``meanwhile`` raises, which is called between them, ends them."""
    last: AnswerEvent | None = None
    with closing(events):
        for last in events:
            if meanwhile is not None and not isinstance(last, AnswerDone):
                meanwhile()
    assert isinstance(last, AnswerDone)
    return last.answer


def citer(texts: Texts) -> Cite:
    """Makes footnotes that quote windows; ``texts`` gives what they were cut from."""

    def cite(number: int, window: Window) -> Citation:
        (stored,) = texts([window.hit])
        return footnote(number, window.hit, window.text, window.span, stored)

    return cite


def told(answer: Answer) -> Iterator[AnswerEvent]:
    """An answer that is there already, as events: each passage up to its footnotes or the end of its line, and them."""
    shown = 0
    for passage in filter(None, _PASSAGE.findall(answer.text)):
        yield TextWritten(passage)
        most = max(
            (number for number in map(int, _MARK.findall(passage)) if number <= len(answer.citations)), default=0
        )
        for citation in answer.citations[shown:most]:
            yield CitationMade(citation)
        shown = max(shown, most)
    for citation in answer.citations[shown:]:
        yield CitationMade(citation)
    yield AnswerDone(answer)


def again(answer: Answer) -> Generator[AnswerEvent, None, None]:
    """An answer that was given before, as events."""
    yield SourcesFound(answer.sources)
    yield from told(answer)
