"""What can be asked of a tenant: searches and answers, now and in the past."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from qdrant_client import models

from pipelines.browsing import Browsing
from pipelines.components.images import prepared_image
from pipelines.components.llm import Llm, Message
from pipelines.components.sparse import Bm25Encoder
from pipelines.conversing import Conversations, Conversing
from pipelines.errors import InvalidRequest, LlmUnavailable, Problem
from pipelines.filters.combining import all_of
from pipelines.filters.scopes import Place
from pipelines.ingestion.visibility import chunks_of, readable_at
from pipelines.parts import Parts
from pipelines.profile.schema import Profile
from pipelines.query.answering import Answerer, citer, whole
from pipelines.query.confidence import Confidence
from pipelines.query.context import Terms
from pipelines.query.conversation.followup import Rarity
from pipelines.query.extractive import Extractor
from pipelines.query.forms import Written
from pipelines.query.llama import FootnoteRetriever, StagePostprocessor, build_query_engine
from pipelines.query.prompts import AnswerPrompt
from pipelines.query.requests import checked_diversity, checked_request, checked_vector
from pipelines.query.retrieve import Ask
from pipelines.query.synthesis import Synthesis
from pipelines.query.verdicts import Verifier
from pipelines.query.vision import look
from pipelines.spaces import OpenSpace
from pipelines.types import (
    AbstainReason,
    Answer,
    AnswerDone,
    AnswerEvent,
    Hit,
    Mode,
    Note,
    SearchResult,
    StoredText,
    TextWritten,
    Trace,
    Turn,
)


class Asking(Browsing):
    """A tenant that can be read; `pipelines.engine.Engine` also writes it."""

    def __init__(self, profile: Profile, parts: Parts, place: Place | None = None) -> None:
        super().__init__(profile, parts, place)
        self._cleaner = parts.cleaner
        self._usage = parts.usage
        self._user = None if place is None else json.dumps(dict(place.named), sort_keys=True)
        self._llm = parts.llm
        prompt = AnswerPrompt(parts.prompt, profile.title, as_json=profile.answer.format == "json")
        terms = Bm25Encoder(profile.sparse).terms
        self._answerer = self._build_answerer(parts, prompt, terms)
        self._conversing = Conversing(profile, parts.conversations.within(self._user or ""), prompt, terms)

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        mode: Mode | None = None,
        min_score: float = 0.0,
        as_of: int | None = None,
        vector: Sequence[float] | None = None,
        documents: Collection[str] | None = None,
        diversity: float | None = None,
        conversation_id: str | None = None,
    ) -> SearchResult:
        """The chunks that answer ``query`` best, as they were at the snapshot ``as_of`` or as they are now.

        Args:
            query: What is looked for.
            top_k: Most hits.
            filters: What the metadata must be; see `pipelines.filters.language`.
            scope: The place in the hierarchy that is looked from; see `pipelines.filters.scopes`.
            inherit: From ``scope`` also what it inherits, not the documents of that one place alone.
            mode: The legs.
            min_score: Hits below it are left out.
            as_of: A point in the tenant's history.
            vector: The question as the embedding model gives it: looked for by the dense leg alone, whatever ``query``
                says, which may then be empty.
            documents: Ids of the documents to look among.
            diversity: How much hits should differ from each other, 0..1, instead of what the profile says; scores
                then mix both, see `pipelines.components.rerankers.mmr`.
            conversation_id: A conversation that ``query`` goes on from; a search is no turn of it.

        Raises:
            InvalidRequest: The query, ``top_k`` or ``mode`` is not what the profile allows, or ``as_of`` out of reach.
            InvalidFilter: ``filters`` names what the profile does not declare.
            InvalidScope: ``scope`` names no place of the hierarchy, or could mean several.
        """
        where = self._where(filters, scope, inherit)
        if documents is not None:
            where = all_of(where, chunks_of(list(documents)))
        ask = self._ask("query", query if vector is None else query or "-", top_k, where, mode)
        if vector is not None:
            ask = replace(ask, query=query, vector=checked_vector(query, vector, self._spaces.current.dimensions))
        looked_for = self._conversing.follow(conversation_id, query, self._rarity(as_of))
        ask = replace(ask, query=looked_for or query, diversity=checked_diversity(diversity))
        found = self._find(ask, as_of)
        hits = tuple(hit for hit in found.hits if hit.score >= min_score)
        found = replace(found, hits=hits, rewritten_question=looked_for)
        self._count(ask.query, found)
        return found

    def _count(self, query: str, found: SearchResult) -> None:
        best = max((hit.score for hit in found.hits), default=0.0)
        self._usage.searched(self._user, query, (hit.document_id for hit in found.hits), best, found.took_ms)

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
    ) -> Answer:
        """An answer to ``question`` with its footnotes; see `stream_answer`."""
        ask, model = self._ask("question", question, top_k, self._where(filters, scope, inherit), None), llm or {}
        return whole(self._turn(ask, as_of, self._chosen(model), conversation_id, history, begun_is_final=False))

    def answer_all(
        self, questions: Sequence[str], *, top_k: int | None = None, filters: Mapping[str, Any] | None = None
    ) -> list[Answer]:
        """An answer to each of ``questions``, in their order and without a conversation; see `stream_answer`.

        Some are asked at once, on half of the language model's turns: others have questions, too.
        """
        at_once = 1 if self.profile.llm is None else max(self.profile.llm.concurrency // 2, 1)

        def answer(question: str) -> Answer:
            return self.answer(question, top_k=top_k, filters=filters, history=())

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
    ) -> Generator[AnswerEvent, None, None]:
        """An answer to ``question`` as it is written: its sources, its text and footnotes, at last the whole.

        The search is done when this returns. Whoever does not read to the end closes the generator, which stops
        the language model; then, as when it fails, nothing of the turn is left in the conversation.

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
                the conversation themselves: then none is kept here.

        Raises:
            InvalidRequest: See `search`; or the profile allows no such model.
            ConversationBusy: Another turn of the conversation is under way.
            LlmUnavailable, LlmTimeout: While it is read: the model failed where the answer cannot fall back.
        """
        ask, model = self._ask("question", question, top_k, self._where(filters, scope, inherit), None), llm or {}
        events = self._turn(ask, as_of, self._chosen(model), conversation_id, history, begun_is_final=True)
        next(events)
        return events

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
        return self._conversing.standalone(question, turns, self._rarity(None), self._chosen(llm or {}))

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

    def retriever(
        self,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        scope: Mapping[str, Any] | None = None,
        inherit: bool = True,
        as_of: int | None = None,
    ) -> BaseRetriever:
        """This tenant's search as a LlamaIndex retriever; see `search` for the arguments."""
        return FootnoteRetriever(
            lambda query: (
                self.search(query, top_k=top_k, filters=filters, scope=scope, inherit=inherit, as_of=as_of).hits
            )
        )

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
                query, SearchResult(tuple(hits), self._catalogue.snapshot if as_of is None else as_of, 0.0), self._llm
            ),
            cites=self._llm is not None,
        )

    def postprocessors(self) -> list[BaseNodePostprocessor]:
        """The profile's reranker stages as LlamaIndex's, for retrievers of one's own; `retriever` has run them."""
        return [StagePostprocessor(stage) for stage in self._spaces.current.finder.stages]

    def _ask(self, name: str, query: str, top_k: int | None, where: models.Filter | None, mode: Mode | None) -> Ask:
        checked = checked_request(name, query, top_k, mode or self._spaces.current.mode, self.profile)
        return replace(checked, where=where)

    def _find(self, ask: Ask, as_of: int | None) -> SearchResult:
        started = time.perf_counter()
        while True:
            snapshot = self._snapshot(as_of)
            space = self._spaces.current
            where = readable_at(snapshot, ask.where, self._cleaner.hidden_at(snapshot))
            trace = Trace(missing=self._missing(space))
            hits = space.finder.find(replace(ask, where=where), trace)
            self._snapshot(as_of)  # a purge may have begun meanwhile
            if snapshot >= self._catalogue.horizon:
                return SearchResult(tuple(hits), snapshot, (time.perf_counter() - started) * 1000, trace)

    def _missing(self, space: OpenSpace) -> list[Note]:
        """The leg that the profile asks for and the store in use, whose model is lost, cannot have."""
        if space.mode == self.profile.retrieval.mode:
            return []
        return [Note("dense", "the model that the documents were embedded with cannot be loaded")]

    def _snapshot(self, as_of: int | None) -> int:
        if as_of is None:
            return self._catalogue.snapshot
        self._catalogue.check_as_of(as_of)
        return as_of

    def _turn(
        self,
        ask: Ask,
        as_of: int | None,
        model: Llm | None,
        conversation_id: str | None,
        history: Sequence[Message] | None,
        *,
        begun_is_final: bool,
    ) -> Generator[AnswerEvent, None, None]:
        """An answer as a turn of a conversation; what comes before the first event, which is empty, is the search."""
        question = ask.query
        with self._conversing.turn(conversation_id, history, model) as turn:
            looked_for = self._conversing.understand(turn, question, self._rarity(as_of), model)
            found, reason = self._found_for(replace(ask, query=looked_for), as_of)
            yield TextWritten("")  # whoever closes the generator from here on ends the turn
            events = (
                self._answerer.abstained(question, found, reason)
                if reason is not None
                else self._answerer.stream(
                    question,
                    found,
                    model,
                    turn.messages,
                    looked_for=turn.looked_for,
                    begun_is_final=begun_is_final,
                )
            )
            with closing(events):
                for event in events:
                    if not isinstance(event, AnswerDone):
                        yield event
                    else:
                        yield AnswerDone(self._conversing.keep(turn, question, event.answer, model))

    def _found_for(self, ask: Ask, as_of: int | None) -> tuple[SearchResult, AbstainReason | None]:
        """What to answer from, and why not where nothing was found because of what was asked for."""
        found = self._find(ask, as_of)
        self._count(ask.query, found)
        if found.hits or ask.where is self._bounds:
            return found, None
        anything = replace(ask, where=self._bounds, top_k=1)
        return found, "filtered_out" if self._find(anything, as_of).hits else None

    def _rarity(self, as_of: int | None) -> Rarity:
        """How rare a word is among what is seen from here."""

        def rarity(word: str) -> float:
            snapshot = self._snapshot(as_of)
            where = readable_at(snapshot, self._bounds, self._cleaner.hidden_at(snapshot))
            return self._spaces.current.finder.rarity(word, where)

        return rarity

    def _chosen(self, wish: Mapping[str, str]) -> Llm | None:
        if self._llm is not None:
            return self._llm.choose(wish.get("provider"), wish.get("model"))
        if wish:
            raise InvalidRequest(Problem("llm", "the profile names no language model; leave it out"))
        return None

    def _build_answerer(self, parts: Parts, prompt: AnswerPrompt, terms: Terms) -> Answerer:
        vectors, settings = parts.spaces.vectors, self.profile.answer
        verifier = Verifier(parts.entails) if settings.verify else None
        confidence, cite = Confidence(parts.calibration), citer(self._texts)
        synthesis = Synthesis(
            prompt, settings, vectors=vectors, terms=terms, verifier=verifier, cite=cite, confidence=confidence
        )
        return Answerer(self.profile, Extractor(vectors, terms), confidence, synthesis, self._texts)

    def _texts(self, hits: Sequence[Hit]) -> list[StoredText | None]:
        places = [(hit.document_id, hit.version) for hit in hits]
        texts = self._catalogue.stored_texts(set(places))
        if "headings" not in self.profile.extractors:
            texts = {place: replace(text, headings=()) for place, text in texts.items()}
        return [texts.get(place) for place in places]
