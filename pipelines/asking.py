"""What can be asked of a tenant: answers from its documents, now and in the past."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from llama_index.core.query_engine import RetrieverQueryEngine

from pipelines.components.images import prepared_image
from pipelines.components.llm import Llm, Message
from pipelines.conversing import Conversations, OpenTurn
from pipelines.errors import InvalidRequest, LlmUnavailable, Problem
from pipelines.filters.scopes import Place
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answering import Answerer, again, citer, whole
from pipelines.query.confidence import Confidence
from pipelines.query.context import Terms
from pipelines.query.conversation.followup import Judge, judged_by_findings
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.forms import Written
from pipelines.query.llama import build_query_engine
from pipelines.query.requests import checked_user
from pipelines.query.retrieve import Ask
from pipelines.query.routing.workflow import Question, Synthesise
from pipelines.query.synthesis import Synthesis
from pipelines.query.telling import telling
from pipelines.query.variants import unit_of
from pipelines.query.verdicts import Verifier
from pipelines.query.vision import look
from pipelines.reusing import Reusing
from pipelines.searching import Searching
from pipelines.types import (
    AbstainReason,
    Answer,
    AnswerDone,
    AnswerEvent,
    Hit,
    SearchResult,
    StoredText,
    TextWritten,
    Turn,
)

_READ_HITS = 8
"""Hits whose passages are read for extracts, also where fewer sources are asked for."""
_JUDGED_HITS = 4
"""Hits that a rewritten follow-up is judged by."""


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who asks, if that is known, among what, whether tools may be asked too, and whether text once told stands."""

    user: str | None
    asked: Mapping[str, Any]
    tools: bool
    begun_is_final: bool


class Asking(Searching):
    """A tenant that answers; `pipelines.engine.Engine` also writes it."""

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        super().__init__(profile, parts, place)
        self._llm = parts.llm
        self._reader = parts.reader
        self._remembered = parts.records.answers
        self._variants = parts.variants
        self._answerer = self._build_answerer(parts, self._terms)
        self._routing = parts.routing
        self._reusing = Reusing(parts, self._user or "")

    def _count_known(self, answer: Answer) -> None:
        """An answer that is given again counts as asked for, and as a use of its documents."""
        best = max((hit.score for hit in answer.sources), default=0.0)
        self._usage.searched(self._user, answer.question, (hit.document_id for hit in answer.sources), best, None)

    def answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
        llm: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        history: Sequence[Message] | None = None,
        user: str | None = None,
        tools: bool = True,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `stream_answer`.

        ``meanwhile`` is called ten times a second and more while a language model writes. What it raises stops the
        model, and leaves nothing of the turn.
        """
        ask, model = self._ask("question", question, top_k, self._where(filters, scope, inherit), None), llm or {}
        by = _Asker(checked_user(user), {"filters": filters, "scope": scope}, tools, begun_is_final=False)
        events = self._turn(ask, as_of, self._chosen(model), conversation_id, history, asker=by)
        return whole(telling(events, self._observe), meanwhile)

    def answer_all(
        self, questions: Sequence[str], *, top_k: int | None = None, filters: Mapping[str, Any] | None = None
    ) -> list[Answer]:
        """An answer to each of ``questions``, in their order, without a conversation or tools; see `stream_answer`.

        Some are asked at once, on half of the language model's turns: others have questions, too.
        """
        at_once = 1 if self.profile.llm is None else max(self.profile.llm.concurrency // 2, 1)

        def answer(question: str) -> Answer:
            return self.answer(question, top_k=top_k, filters=filters, history=(), tools=False)

        with ThreadPoolExecutor(at_once, thread_name_prefix="footnote-answer") as pool:
            return list(pool.map(answer, questions))

    def stream_answer(
        self,
        question: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
        llm: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        history: Sequence[Message] | None = None,
        user: str | None = None,
        tools: bool = True,
    ) -> Generator[AnswerEvent, None, None]:
        """An answer to ``question`` as it is written: its sources, its text and footnotes, at last the whole.

        The search is done when this returns, unless the profile has tools: then what is asked is decided while the
        answer is read. Whoever does not read to the end closes the generator, which stops the language model and the
        tools; then, as when it fails, nothing of the turn is left in the conversation.

        Args:
            question: What to answer.
            top_k: Sources to answer from.
            filters: Metadata to look among.
            scope: The place in the hierarchy that is looked from.
            inherit: See `search`.
            as_of: Snapshot to read.
            llm: ``provider`` and ``model``, one or both, of those that the profile allows.
            conversation_id: The conversation that this is a turn of; one that there is not is begun, and without an
                id a new one. The answer names it.
            history: What was sent to the model and what it said in earlier turns, word for word, by those who keep
                the conversation themselves: then none is kept here. A follow-up is understood behind it all the same.
            user: Who asks, as far as that is known: gets the same one of the profile's prompts in every conversation.
            tools: False: from the documents alone. So is an answer from the past: tools know nothing of it.

        Raises:
            InvalidRequest: See `search`; or the profile allows no such model.
            ConversationBusy: Another turn of the conversation is under way.
            LlmUnavailable, LlmTimeout: While it is read: the model failed where the answer cannot fall back.
        """
        ask, model = self._ask("question", question, top_k, self._where(filters, scope, inherit), None), llm or {}
        by = _Asker(checked_user(user), {"filters": filters, "scope": scope}, tools, begun_is_final=True)
        events = self._turn(ask, as_of, self._chosen(model), conversation_id, history, asker=by)
        told = telling(events, self._observe)
        next(told)
        return told

    @property
    def conversations(self) -> Conversations:
        """What was asked and answered, turn by turn: list, look, delete."""
        return self._conversing.conversations

    def standalone(
        self, question: str, earlier: Sequence[tuple[str, str]], *, llm: Mapping[str, str] | None = None
    ) -> str:
        """The question as it can be understood without the questions and answers ``earlier``, the oldest first.

        Raises:
            InvalidRequest: The profile allows no such model.
        """
        moment = datetime.now(UTC)
        turns = [Turn(number, asked, said, moment) for number, (asked, said) in enumerate(earlier, 1)]
        judge = self._judge(Ask(question, _JUDGED_HITS, self._spaces.current.mode, self._bounds), None)
        return self._conversing.standalone(question, turns, self._rarity(None), self._chosen(llm or {}), judge)

    def look(
        self, image: bytes, question: str, form: type[Written], *, llm: Mapping[str, str] | None = None
    ) -> tuple[Written, str]:
        """What the language model, which must be one that sees, tells of an image, and the model's name.

        Args:
            image: The file: JPEG, PNG, WebP, GIF or BMP.
            question: What to look for.
            form: What the answer must be; its JSON schema is sent along. Its texts are a model's: do not trust them.
            llm: See `stream_answer`.

        Raises:
            InvalidImage: It is no image, or too large a one; see `limits -> image_bytes`.
            LlmUnavailable: There is no model, or it is away, cannot see, or gave no answer of the form.
            LlmTimeout: It is too slow.
        """
        prepared = prepared_image(image, self.profile.limits.image_bytes)
        model = self._chosen(llm or {})
        if model is None:
            raise LlmUnavailable("a language model that sees", "the profile names none; see llm")
        return look(model, prepared, question, form), model.name

    def query_engine(
        self,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
    ) -> RetrieverQueryEngine:
        """This tenant's answers as a LlamaIndex query engine; see `pipelines.query.llama`, and `search`."""
        return build_query_engine(
            lambda query: (
                self.search(query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, as_of=as_of).hits
            ),
            lambda query, hits: self._answerer.stream(
                query,
                SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0),
                self._llm,
                prompt=self._variants.chosen(query).prompt,
            ),
            cites=self._llm is not None,
        )

    def _turn(
        self,
        ask: Ask,
        as_of: int | None,
        model: Llm | None,
        conversation_id: str | None,
        history: Sequence[Message] | None,
        *,
        asker: _Asker,
    ) -> Generator[AnswerEvent, None, None]:
        """An answer as a turn of a conversation; what comes before the first event, which is empty, is the search."""
        scope, user = self._user or "", asker.user
        unit = unit_of(ask.query, scope=scope, user=user, conversation_id=conversation_id, history=history)
        with (
            self._conversing.turn(conversation_id, history, model, unit) as turn,
            closing(self._events(turn, ask, as_of, model, asker)) as events,
        ):
            next(events)
            yield TextWritten("")  # whoever closes the generator from here on ends the turn
            for event in events:
                if not isinstance(event, AnswerDone):
                    yield event
                else:
                    told = self._conversing.keep(turn, ask.query, event.answer, model)
                    prompt = None if model is None else turn.variant.fingerprint
                    self._remembered.record(scope, user or "", told, asker.asked, prompt)
                    self._count_answer(told)
                    yield AnswerDone(told)

    def _events(
        self, turn: OpenTurn, ask: Ask, as_of: int | None, model: Llm | None, asker: _Asker
    ) -> Generator[AnswerEvent, None, None]:
        """The answer of a turn: the one that was given before, else a new one; the first event is empty, as above.

        What depends on earlier turns is nobody else's answer, and what tools tell is news.
        """
        routing = self._routing if asker.tools and as_of is None else None
        keeps = (routing is None or model is None) and not (turn.earlier or turn.messages)
        asked = self._reusing.asked(ask, self._snapshot(as_of), model, turn.variant) if keeps else None
        known = self._reusing.find(asked)
        if known is not None:
            self._count_known(known)
            yield TextWritten("")
            yield from again(known)
            return
        synthesise = partial(self._synthesise, turn=turn, question=ask.query, model=model, asker=asker)
        judge = self._judge(ask, as_of)
        ask = replace(ask, query=self._conversing.understand(turn, ask.query, self._rarity(as_of), model, judge))
        if routing is None or model is None:
            found, reason = self._found_for(ask, as_of)
            yield TextWritten("")
            events = self._reusing.keeping(asked, found, synthesise(found, reason))
        else:
            yield TextWritten("")
            events = yield from routing.answering(self._question(ask, model, synthesise))
        with closing(events):
            yield from events

    def _synthesise(
        self,
        found: SearchResult,
        reason: AbstainReason | None,
        *,
        turn: OpenTurn,
        question: str,
        model: Llm | None,
        asker: _Asker,
    ) -> Generator[AnswerEvent, None, None]:
        if reason is not None:
            return self._answerer.abstained(question, found, reason)
        return self._answerer.stream(
            question,
            found,
            model,
            turn.messages,
            prompt=turn.variant.prompt,
            looked_for=turn.looked_for,
            begun_is_final=asker.begun_is_final,
        )

    def _question(self, ask: Ask, model: Llm, synthesise: Synthesise) -> Question:
        """A question that tools may help to answer."""
        return Question(
            ask.query,
            model,
            retrieve=lambda: self._found_for(ask, None),
            nothing=lambda: SearchResult((), self._catalogue.snapshot, 0.0),
            synthesise=synthesise,
        )

    def _count_answer(self, answer: Answer) -> None:
        """What the documents do not answer is counted; where a part failed, that is not their fault."""
        if not answer.degraded:
            question = answer.rewritten_question or answer.question
            self._usage.answered(self._user, question, answer.reason if answer.abstained else None)

    def _found_for(self, ask: Ask, as_of: int | None) -> tuple[SearchResult, AbstainReason | None]:
        """What to answer from, and why not where nothing was found because of what was asked for."""
        deep = self._find(replace(ask, top_k=max(ask.top_k, _READ_HITS)), as_of)
        found = replace(deep, hits=deep.hits[: ask.top_k], further=deep.hits[ask.top_k :])
        self._count(ask.query, found)
        if found.hits or ask.where is self._bounds:
            return found, None
        anything = replace(ask, where=self._bounds, top_k=1)
        return found, "filtered_out" if self._find(anything, as_of).hits else None

    def _judge(self, ask: Ask, as_of: int | None) -> Judge | None:
        """Decides between subjects of a follow-up by what is found for them, where a cross-encoder can read that."""
        if self.profile.answer.chooser is None:
            return None

        def find(question: str) -> list[str]:
            return [hit.content for hit in self._find(replace(ask, query=question, top_k=_JUDGED_HITS), as_of).hits]

        return judged_by_findings(find, lambda question, texts: self._reader.read(question, texts).tolist())

    def _chosen(self, wish: Mapping[str, str]) -> Llm | None:
        if self._llm is not None:
            return self._llm.choose(wish.get("provider"), wish.get("model"))
        if wish:
            raise InvalidRequest(Problem("llm", "the profile names no language model; leave it out"))
        return None

    def _build_answerer(self, parts: Parts, terms: Terms) -> Answerer:
        vectors, settings = parts.vectors, self.profile.answer
        verifier = Verifier(parts.entails) if settings.verify else None
        confidence, cite = Confidence(parts.calibration), citer(self._texts)
        synthesis = Synthesis(
            settings, vectors=vectors, terms=terms, verifier=verifier, cite=cite, confidence=confidence
        )
        return Answerer(self.profile, Chooser(parts.reader, terms), confidence, synthesis, self._texts)

    def _texts(self, hits: Sequence[Hit]) -> list[StoredText | None]:
        places = [(hit.document_id, hit.version) for hit in hits]
        texts = self._catalogue.stored_texts(set(places))
        if "headings" not in self.profile.extractors:
            texts = {place: replace(text, headings=()) for place, text in texts.items()}
        return [texts.get(place) for place in places]
