"""Answers by a language model: from hits to text with footnotes, as it is written."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from pipelines.components.llm import Llm, Message, prompt_tokens, tokens_in
from pipelines.errors import LlmAnswerInvalid, PromptTooLong
from pipelines.profile.sections.answers import AnswerSection
from pipelines.query.answer import SAID_WHEN_ABSTAINING
from pipelines.query.answer_query import AnswerQuery
from pipelines.query.citations import LIKE_ONE
from pipelines.query.confidence import Confidence, ConfidenceEstimate
from pipelines.query.context import Context, build_context, in_turn
from pipelines.query.forms import read_form, repair, schema_of
from pipelines.query.gate import Gate
from pipelines.query.prompts import WrittenAnswer
from pipelines.query.sanitize import NoGuard, OutputGuard
from pipelines.query.terms import Terms
from pipelines.query.verdicts import Reading, Verifier
from pipelines.query.verdicts.evidence import Vectors
from pipelines.query.writing import Cite, Writing
from pipelines.types import Answer, AnswerDone, AnswerEvent, Heartbeat, SearchResult, TextWritten

_LONGEST_PERIOD = 300  # characters
_ROUNDS = 4
_LEAST_LOOPED = 80  # characters
_LEAST_DASHES = 1000  # of a passage without words
_LOOKED_AT_EVERY = 40
_STOPS = ".!?…。"
_WORD = re.compile(r"\w")
_LARGEST_NUMBER = 999_999_999  # that is read as a citation


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, word for word, and whether it was cut off."""

    raw: str
    truncated: bool


class Synthesis:
    """Has a language model answer from hits.

    Args:
        settings: The profile's section on answers.
        vectors: Unit vectors of texts.
        terms: The terms of a text, as ids.
        verifier: Judges claims; None: they are not judged.
        cite: Makes footnotes.
        confidence: Says how sure an answer is.
    """

    def __init__(
        self,
        settings: AnswerSection,
        *,
        vectors: Vectors,
        terms: Terms,
        verifier: Verifier | None,
        cite: Cite,
        confidence: Confidence,
    ) -> None:
        self._settings = settings
        self._vectors = vectors
        self._terms = terms
        self._verifier = verifier
        self._cite = cite
        self._confidence = confidence

    def events(
        self, query: AnswerQuery, found: SearchResult, llm: Llm, *, evidence: Callable[[], ConfidenceEstimate]
    ) -> Generator[AnswerEvent, None, Answer | None]:
        """The answer's text, its footnotes, and at last the whole; closing the generator stops the model.

        If the profile withholds unsupported claims, no text goes out before a claim is supported and the confidence
        suffices. An answer that never gets there is returned, and none of its text goes out. If text that went out is
        not final, an answer whose confidence falls below the threshold later is returned, too.

        Args:
            query: What is asked. Sources that are too long are cut around ``looked_for``.
            found: What it is answered from.
            llm: The model that writes.
            evidence: Returns how likely any answer from these hits is right; called when the model has written a claim.

        Raises:
            PromptTooLong: The question and the history leave no room for sources.
            LlmUnavailable, LlmTimeout: The model does not answer, or in another form than it was asked for.
        """
        question, prompt, history = query.query_str, query.prompt, query.history
        started = time.perf_counter()
        around = prompt_tokens(prompt.messages(prompt.turn("", question), history))
        context = self._context(query.looked_for or question, found, llm, around)
        turn = prompt.turn(context.text, question)
        writing = Writing(
            context,
            Reading(self._vectors, self._terms),
            self._verifier,
            self._settings.unsupported,
            self._cite,
            guard=NoGuard() if self._settings.guard == "none" else OutputGuard(),
            question=query.looked_for or question,
        )
        messages = prompt.messages(turn, history)
        gate = Gate(lambda: self._stands(writing, evidence))
        completion = yield from gate.through(self._written(llm, messages, writing, as_json=prompt.as_json))
        took_ms = {"search": found.took_ms, "llm": (time.perf_counter() - started) * 1000}
        exchange = (turn.content, completion.raw)
        sure = self._confidence.of_writing(evidence(), writing.claims, _declined(writing))
        answer = _answer(
            question,
            found,
            writing,
            sure,
            model=llm.name,
            truncated=completion.truncated,
            exchange=exchange,
            took_ms=took_ms,
        )
        if self._falls(writing, sure) and not (gate.begun and query.text_is_final):
            return answer
        yield from gate.release()
        if answer.text and not writing.text.strip():
            yield TextWritten(answer.text)
        yield AnswerDone(answer)
        return None

    def _stands(self, writing: Writing, evidence: Callable[[], ConfidenceEstimate]) -> bool:
        """Return whether what was written so far may be read before the rest is."""
        if self._verifier is None or self._settings.unsupported != "withhold":
            return True
        if all(claim.withheld for claim in writing.claims):
            return False
        return not self._falls(writing, self._confidence.of_writing(evidence(), writing.claims, _declined(writing)))

    def _falls(self, writing: Writing, sure: ConfidenceEstimate) -> bool:
        """Return whether an answer must not be given: every citation is invented, or too little of it is supported.

        Where it claims nothing that could be judged, nothing of it is supported.
        """
        if _all_invented(writing):
            return True
        if self._verifier is None or self._settings.unsupported != "withhold" or _declined(writing):
            return False
        nothing_left = not writing.text.strip() or all(claim.withheld for claim in writing.claims)
        return nothing_left or sure.confidence < self._settings.abstain_below

    def _written(
        self, llm: Llm, messages: Sequence[Message], writing: Writing, *, as_json: bool
    ) -> Generator[AnswerEvent, None, Completion]:
        completion = yield from self._json(llm, messages, writing) if as_json else self._text(llm, messages, writing)
        yield from writing.finish(cut_off=completion.truncated)
        return completion

    def _context(self, question: str, found: SearchResult, llm: Llm, around: int) -> Context:
        budget = min(self._settings.max_context_tokens, llm.room - around)
        context = build_context(question, in_turn(found.hits), budget, tokens_in, self._terms)
        if not context.sources:
            raise PromptTooLong(around + tokens_in(found.hits[0].content), llm.room)
        return context

    def _text(
        self, llm: Llm, messages: Sequence[Message], writing: Writing
    ) -> Generator[AnswerEvent, None, Completion]:
        raw, looked_at = "", 0
        stream = llm.stream(messages)
        with closing(stream):
            while True:
                try:
                    piece = next(stream)
                except StopIteration as end:
                    _require_words(raw, llm)
                    return Completion(raw, end.value.stop != "end")
                raw += piece
                yield from writing.feed(piece)
                if len(raw) - looked_at >= _LOOKED_AT_EVERY:
                    looked_at = len(raw)
                    if is_repetitive(raw):
                        return Completion(raw, truncated=True)

    def _json(
        self, llm: Llm, messages: Sequence[Message], writing: Writing
    ) -> Generator[AnswerEvent, None, Completion]:
        raw = yield from _collected(llm, messages)
        try:
            written = read_form(raw, WrittenAnswer)
        except ValueError as fault:
            raw = yield from _collected_again(llm, [*messages, Message("assistant", raw), repair(str(fault))])
            written = _read_at_last(raw, llm)
        for text in _sentences(written):
            yield from writing.feed(text)
        return Completion(raw, truncated=False)


def is_repetitive(text: str) -> bool:
    """Return whether a text ends in the same passage, repeated; the rule of a table repeats its dashes."""
    for period in range(1, min(_LONGEST_PERIOD, len(text) // _ROUNDS) + 1):
        least = _LEAST_LOOPED if _WORD.search(text[-period:]) else _LEAST_DASHES
        rounds = max(_ROUNDS, -(-least // period))
        if len(text) >= rounds * period and text[-period * rounds :] == text[-period:] * rounds:
            return True
    return False


def _collected(llm: Llm, messages: Sequence[Message]) -> Generator[AnswerEvent, None, str]:
    """The JSON that a model writes, whole; between its parts the stream can be closed."""
    raw, looked_at = "", 0
    stream = llm.stream(messages, json=schema_of(WrittenAnswer))
    with closing(stream):
        for piece in stream:
            raw += piece
            yield Heartbeat()
            if len(raw) - looked_at >= _LOOKED_AT_EVERY:
                looked_at = len(raw)
                if is_repetitive(raw):
                    break
    _require_words(raw, llm)
    return raw


def _collected_again(llm: Llm, messages: Sequence[Message]) -> Generator[AnswerEvent, None, str]:
    """The JSON that a model writes when it is asked again; so much that was no JSON may leave no room for that."""
    try:
        return (yield from _collected(llm, messages))
    except PromptTooLong:
        raise LlmAnswerInvalid(llm.part, "it was asked for JSON, and answered otherwise") from None


def _read_at_last(raw: str, llm: Llm) -> WrittenAnswer:
    try:
        return read_form(raw, WrittenAnswer)
    except ValueError as fault:
        raise LlmAnswerInvalid(llm.part, f"it was asked for JSON twice, and {fault}") from None


def _require_words(raw: str, llm: Llm) -> None:
    if not _WORD.search(LIKE_ONE.sub("", raw)):
        raise LlmAnswerInvalid(llm.part, "its answer is empty")


def _sentences(written: WrittenAnswer) -> Iterator[str]:
    """The sentences of an answer in JSON as text with citations; that it does not know, where there are none."""
    if not written.sentences:
        yield "I do not know."
    for sentence in written.sentences:
        text = " ".join(sentence.text.split())
        bare = text.rstrip(_STOPS)
        cited = "".join(f"[{number}]" for number in sentence.sources if 0 <= number <= _LARGEST_NUMBER)
        yield f"{bare} {cited}{text[len(bare) :]} " if cited else f"{text} "


def _declined(writing: Writing) -> bool:
    return writing.does_not_know and not writing.citations


def _all_invented(writing: Writing) -> bool:
    """Return whether the model cited, and only what is not there."""
    return bool(writing.removed) and not writing.citations


def _answer(
    question: str,
    found: SearchResult,
    writing: Writing,
    sure: ConfidenceEstimate,
    *,
    model: str,
    truncated: bool,
    exchange: tuple[str, str],
    took_ms: dict[str, float],
) -> Answer:
    text, invented = writing.text.strip(), _all_invented(writing)
    abstained = not text or _declined(writing) or invented
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=question,
        text=text or SAID_WHEN_ABSTAINING["low_confidence"],
        abstained=abstained,
        reason="low_confidence" if abstained else None,
        confidence=0.0 if invented else sure.confidence,
        signals=sure.signals,
        citations=tuple(writing.citations),
        claims=tuple(writing.claims),
        sources=found.hits,
        model=model,
        llm_generated=True,
        degraded=False,
        snapshot=found.snapshot,
        timings_ms=took_ms,
        truncated=truncated,
        removed_citations=writing.removed,
        exchange=exchange,
    )
