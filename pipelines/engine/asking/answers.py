"""A tenant's answers from its documents, now and in the past."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from pipelines.components.hit_nodes import hits_to_nodes
from pipelines.components.llm import Llm
from pipelines.components.search_query import SearchQuery
from pipelines.engine.asking.answer_cache import ReusedAnswers
from pipelines.engine.asking.search import Search
from pipelines.engine.asking.steps import Steps
from pipelines.engine.asking.synthesizers import Synthesizers
from pipelines.engine.asking.turns import OpenTurn, Turns
from pipelines.engine.assembly import Parts
from pipelines.engine.parts.models import choose_llm
from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.view import TenantView
from pipelines.filters.combining import all_of
from pipelines.query.answer_events import Events, read_answer, replay, reported
from pipelines.query.answer_query import AnswerQuery
from pipelines.query.conversation.followup import Judge, judge_by_findings
from pipelines.query.extracts.language.definitions import definition_of, definition_of_any
from pipelines.query.front_pages import IN_GLOSSARIES, ON_FRONT_PAGES, defining_front_hits
from pipelines.query.kinds import checked_earlier, checked_text
from pipelines.query.query_engine import FootnoteQueryEngine
from pipelines.query.requests import checked_choice, checked_user
from pipelines.query.reuse import CacheQuestion
from pipelines.query.routing.question import Question
from pipelines.query.small_talk import small_talk_answer, small_talk_reply
from pipelines.query.steps.parts import Part, joined_result, numbered_steps
from pipelines.query.synthesizer import AnswerStream, FootnoteSynthesizer
from pipelines.query.variants import unit_of
from pipelines.types import (
    AbstainReason,
    Answer,
    AnswerDone,
    AnswerEvent,
    AnswerFormat,
    Caller,
    Hit,
    Query,
    SearchDone,
    SearchResult,
    StepsUse,
    Turn,
)

_POLL_S = 0.1
_READ_HITS = 8
"""Hits whose passages are read for extracts, also where fewer sources are asked for."""
_FRONT_HITS = 3
"""Front-page hits searched for a question that asks what a thing is."""
_JUDGED_HITS = 4
"""Hits that a rewritten follow-up is judged by."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A question that is being answered.

    Attributes:
        query: What was asked.
        search: The same, as the index takes it.
        llm: The language model that writes, if there is one.
        text_is_final: Whether text that was sent cannot be taken back.
        counted_as: The question under which its search is counted; "" for a follow-up, which nobody asks by itself.
    """

    query: Query
    search: SearchQuery
    llm: Llm | None
    text_is_final: bool
    counted_as: str = ""


class _Over(Exception):
    """Another of several answers failed, or nobody waits for them."""


class Answers:
    """Answers questions.

    Args:
        view: What can be seen.
        search: Finds the sources.
        turns: Makes questions turns of conversations.
        usage: Counts answers.
        synthesizers: Make answers of nodes, and log them.
        parts: The tenant's models and prompts.
    """

    def __init__(
        self,
        view: TenantView,
        search: Search,
        turns: Turns,
        usage: UsageStatistics,
        *,
        synthesizers: Synthesizers,
        parts: Parts,
    ) -> None:
        self._view = view
        self._search = search
        self._turns = turns
        self._usage = usage
        self._reused = ReusedAnswers(view, parts.answer_cache, parts.observe)
        self._synthesizers = synthesizers
        self._llm = parts.llm
        self._observe = parts.observe
        self._reader = parts.reader
        self._routing = parts.routing
        self._variants = parts.variants
        self._steps = Steps(parts.profile.answer.steps, parts.sub_questions, parts.answerer, parts.terms)

    def answer(self, query: Query, on_wait: Callable[[], None] | None = None) -> Answer:
        """Return the answer to a query; see `stream`.

        ``on_wait`` is called at least ten times a second while a language model writes. What it raises stops the
        model, and nothing of the turn is kept.
        """
        events = self._turn(self._request(query, text_is_final=False))
        return read_answer(reported(events, self._observe), on_wait)

    def answer_all(self, queries: Sequence[Query], on_wait: Callable[[], None] | None = None) -> list[Answer]:
        """Return the answers to several queries, in their order, without conversations and tools.

        Some are asked at once, on half of the language model's turns, so that other questions have some, too. A failure
        of one, or what ``on_wait`` raises, stops the others.
        """
        at_once = 1 if self._llm is None else max(self._llm.concurrency // 2, 1)
        alone = [replace(query, history=(), tools=False) for query in queries]
        over = threading.Event()
        with ThreadPoolExecutor(at_once, thread_name_prefix="footnote-answer") as pool:
            answers = [pool.submit(self.answer, query, partial(_require_going_on, over)) for query in alone]
            try:
                _wait_for(answers, on_wait)
            finally:
                over.set()
                pool.shutdown(wait=False, cancel_futures=True)
        return [answer.result() for answer in answers]

    def stream(self, query: Query) -> Events:
        """Return the answer as it is written: its sources, its text and footnotes, then the whole.

        The search is done when this returns, unless the profile has tools.

        Raises:
            InvalidRequest, InvalidFilter, InvalidScope: See `Search.search`; or the profile does not allow the model.
            ConversationBusy: Another turn of the conversation is in progress.
            LlmUnavailable, LlmTimeout: While it is read: the model failed and the answer cannot fall back.
        """
        events = reported(self._turn(self._request(query, text_is_final=True)), self._observe)
        next(events)
        return events

    def standalone(
        self, question: str, earlier: Sequence[tuple[str, str]], llm: Mapping[str, str] | None = None
    ) -> str:
        """See `AnswerAccess.standalone`."""
        checked_text("question", question)
        checked_earlier(earlier)
        moment, view = datetime.now(UTC), self._view
        turns = [Turn(number, asked, answered, moment) for number, (asked, answered) in enumerate(earlier, 1)]
        search = SearchQuery(query_str=question, top_k=_JUDGED_HITS, mode=view.indexes.current.mode, where=view.bounds)
        judge = self._judge(search, None)
        rarity, model = self._search.rarity(None), choose_llm(self._llm, llm)
        return self._turns.standalone(question, turns, rarity, model, judge)

    def query_engine(self, query: Query) -> FootnoteQueryEngine:
        """Return the answers as a LlamaIndex query engine; ``query`` gives the fields beside the text."""

        def answer(text: str) -> Events:
            return self.stream(replace(query, text=text))

        return self._search.query_engine(query, self.synthesizer(query.as_of), answer)

    def synthesizer(self, as_of: int | None = None, *, streaming: bool = False) -> FootnoteSynthesizer:
        """Return the answers from nodes as a LlamaIndex synthesizer; what it answers is logged like `answer`."""
        return self._synthesizers.build(as_of, streaming=streaming)

    def _request(self, query: Query, *, text_is_final: bool) -> _Request:
        search = self._search.prepare(query, "question")
        checked_user(query.user)
        checked_choice("format", query.format, AnswerFormat)
        checked_choice("steps", query.steps, StepsUse)
        return _Request(query, search, choose_llm(self._llm, query.llm), text_is_final)

    def _turn(self, request: _Request) -> Events:
        """Yield an answer as a turn of a conversation; before the first event, `SearchDone`, comes the search."""
        query, model = request.query, request.llm
        unit = unit_of(
            query.text,
            scope=self._view.reader or "",
            user=query.user,
            conversation_id=query.conversation_id,
            history=query.history,
        )
        with (
            self._turns.turn(query.conversation_id, query.history, model, unit, query.caller) as turn,
            closing(self._events(turn, request)) as events,
        ):
            next(events)
            yield SearchDone()  # closing the generator from here on ends the turn
            for event in events:
                yield self._kept(turn, request, event.answer) if isinstance(event, AnswerDone) else event

    def _kept(self, turn: OpenTurn, request: _Request, answer: Answer) -> AnswerDone:
        query, model = request.query, request.llm
        kept = self._turns.keep(turn, query.text, answer, model)
        prompt = None if model is None else turn.variant.fingerprint
        self._synthesizers.record(kept, query, prompt)
        return AnswerDone(kept)

    def _events(self, turn: OpenTurn, request: _Request) -> Events:
        """The answer of a turn: one that was given before, else a new one; the first event is `SearchDone`, as above.

        Answers that depend on earlier turns or on tools are not reused. Small talk is replied to at once.
        """
        query, search, model = request.query, request.search, request.llm
        reply = small_talk_reply(query.text)
        if reply is not None:
            yield SearchDone()
            yield from replay(small_talk_answer(query.text, reply, self._view.snapshot(query.as_of)))
            return
        routing = self._routing if query.tools and query.as_of is None and model is not None else None
        keeps = routing is None and not (turn.earlier or turn.messages or query.note)
        snapshot = self._view.snapshot(query.as_of)
        key = self._reused.key(search, snapshot, model, turn.variant, query) if keeps else None
        known = self._reused.find(key)
        if known is not None:
            self._count_reuse(known, query.caller)
            yield SearchDone()
            yield from replay(known)
            return
        search = replace(search, query_str=self._understood(turn, request))
        request = replace(request, search=search, counted_as="" if turn.looked_for else query.text)
        synthesise = partial(self._synthesise, turn=turn, request=request)
        if routing is None or model is None:
            events = yield from self._looked_up(request, synthesise, key)
        else:
            yield SearchDone()
            retrieve = partial(self._sources, request)
            question = Question(request.search.query_str, model, retrieve, self._nothing, synthesise)
            events = yield from routing.answering(question)
        with closing(events):
            yield from events

    def _looked_up(
        self, request: _Request, synthesise: Callable[..., Events], key: CacheQuestion | None
    ) -> Generator[AnswerEvent, None, Events]:
        """Look a question up, in steps if it has several parts, and return its answer; begins with `SearchDone`."""
        query, search = request.query, request.search
        rarity = self._search.rarity(query.as_of)
        use = query.steps if search.vector is None else "never"  # sub-questions have no vectors of their own
        asked, first = self._steps.first_round(search.query_str, use, request.llm, rarity)
        if not first:
            found, reason = self._sources(request)
            yield SearchDone()
            return self._reused.keeping(key, found, synthesise(found, reason))
        yield SearchDone()
        parts = yield from self._steps.parts(asked, first, lambda text: self._found(search, query, text))
        if len(parts) < 2 or not any(part.found.hits for part in parts):
            return synthesise(*self._sources(request))
        found = joined_result(parts, search.top_k)
        self._search.count(request.counted_as, found, query.caller)
        return _with_steps(synthesise(found, None, parts=parts), parts)

    def _understood(self, turn: OpenTurn, request: _Request) -> str:
        """Return the question to look for, where it follows earlier ones."""
        query = request.query
        rarity, judge = self._search.rarity(query.as_of), self._judge(request.search, query.as_of)
        return self._turns.understand(turn, query.text, rarity, request.llm, judge)

    def _synthesise(
        self,
        found: SearchResult,
        reason: AbstainReason | None,
        *,
        turn: OpenTurn,
        request: _Request,
        parts: Sequence[Part] = (),
    ) -> Events:
        text, note = request.query.text, request.query.note
        query = AnswerQuery(
            query_str=f"{text}\n\n{note}" if note and request.llm is not None else text,
            prompt=turn.variant.prompt.in_format(request.query.format),
            llm=request.llm,
            snapshot=found.snapshot,
            search_ms=found.took_ms,
            history=turn.messages,
            looked_for=turn.asked or text,
            text_is_final=request.text_is_final,
            no_hits=reason or "no_hits",
            parts=parts,
        )
        response = self._search.path.synthesize(query, hits_to_nodes(found.hits), hits_to_nodes(found.further))
        assert isinstance(response, AnswerStream)
        return response.events

    def _sources(self, request: _Request) -> tuple[SearchResult, AbstainReason | None]:
        """Return what to answer from, and why not where nothing was found because of what was asked for."""
        search, query = request.search, request.query
        found = self._found(search, query, search.query_str)
        self._search.count(request.counted_as, found, query.caller)
        if found.hits or search.where is self._view.bounds:
            return found, None
        anything = replace(search, where=self._view.bounds, top_k=1)
        best = self._search.find(anything, query.as_of).hits
        return found, "filtered_out" if any(hit.score >= query.min_score for hit in best) else None

    def _found(self, search: SearchQuery, query: Query, text: str) -> SearchResult:
        """Return what is found for ``text`` within a search, with hits beyond ``top_k`` that extracts may come from."""
        deeper = replace(search, query_str=text, top_k=max(search.top_k, _READ_HITS))
        deep = self._search.find(deeper, query.as_of)
        found = (*deep.hits, *self._on_front_pages(deeper, query, deep.hits))
        hits = tuple(hit for hit in found if hit.score >= query.min_score)
        return replace(deep, hits=hits[: search.top_k], further=hits[search.top_k :])

    def _on_front_pages(self, search: SearchQuery, query: Query, found: Sequence[Hit]) -> list[Hit]:
        """Return further hits on front pages for a question that asks what a thing is; none for other questions.

        "The tide" may be that of another thing: only a glossary says what it is.
        """
        of_any = definition_of_any(search.query_str)
        definition = of_any or definition_of(search.query_str)
        if definition is None:
            return []
        pages = ON_FRONT_PAGES if of_any else IN_GLOSSARIES
        front = replace(search, top_k=_FRONT_HITS, where=all_of(search.where, pages))
        return list(defining_front_hits(definition, self._search.find(front, query.as_of).hits, found))

    def _nothing(self) -> SearchResult:
        """Return what a search comes to that finds nothing."""
        return SearchResult((), self._view.catalogue.snapshot, 0.0)

    def _judge(self, search: SearchQuery, as_of: int | None) -> Judge | None:
        """Decide between subjects of a follow-up by what is found for them, where a cross-encoder can read that."""
        if self._view.profile.answer.chooser is None:
            return None

        def find(question: str) -> list[str]:
            found = self._search.find(replace(search, query_str=question, top_k=_JUDGED_HITS), as_of)
            return [hit.content for hit in found.hits]

        return judge_by_findings(find, lambda question, texts: self._reader.read(question, texts).tolist())

    def _count_reuse(self, answer: Answer, caller: Caller) -> None:
        """Count a reused answer as a search, and as a use of its documents."""
        best = max((hit.score for hit in answer.sources), default=0.0)
        self._usage.record_search(answer.question, answer.sources, best, None, caller)


def _with_steps(events: Events, parts: Sequence[Part]) -> Events:
    """The same events; the whole answer tells of the steps."""
    with closing(events):
        for event in events:
            if isinstance(event, AnswerDone):
                yield AnswerDone(replace(event.answer, steps=numbered_steps(parts, event.answer)))
            else:
                yield event


def _wait_for(answers: Sequence[Future[Answer]], on_wait: Callable[[], None] | None) -> None:
    """Return when all are there; raise what the first that fails, or ``on_wait``, raises."""
    waiting = set(answers)
    while waiting:
        done, waiting = wait(waiting, _POLL_S, FIRST_EXCEPTION)
        for answer in done:
            answer.result()
        if on_wait is not None:
            on_wait()


def _require_going_on(over: threading.Event) -> None:
    if over.is_set():
        raise _Over
