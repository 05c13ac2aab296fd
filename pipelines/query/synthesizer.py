"""A tenant's answers from nodes as LlamaIndex synthesizers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

from llama_index.core.base.response.schema import RESPONSE_TYPE, Response, StreamingResponse
from llama_index.core.callbacks import CallbackManager
from llama_index.core.indices.prompt_helper import ChatPromptHelper, PromptHelper
from llama_index.core.llms import MockLLM
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, QueryType

from pipelines.components.hit_nodes import hits_to_nodes, nodes_to_hits
from pipelines.query.answer_events import Events
from pipelines.query.answer_query import AnswerQuery
from pipelines.query.answerer import Answerer
from pipelines.types import Answer, AnswerDone, AnswerEvent, SearchResult, SourcesFound, TextWritten

Complete = Callable[[QueryBundle], AnswerQuery]
"""Completes a plain question with a tenant's model and prompt, and logs its answer."""
_METADATA = ("answer_id", "confidence", "abstained", "conversation_id", "degraded")


@dataclass
class AnswerStream(StreamingResponse):
    """An answer as it is written. ``events`` has everything, ``response_gen`` the text alone; read one of them.

    ``response_gen`` fills the metadata at its end.
    """

    events: Events = field(kw_only=True)


class FootnoteSynthesizer(BaseSynthesizer):
    """Answers from nodes; ``response.metadata["citations"]`` holds the footnotes.

    The nodes may be those of a `FootnoteRetriever`, or another retriever's, whose metadata has a ``file_name``.

    Args:
        answerer: Answers from hits.
        complete: Completes plain questions.
        streaming: Whether to return an `AnswerStream`.
    """

    def __init__(self, answerer: Answerer, complete: Complete, *, streaming: bool = False) -> None:
        # What is left out LlamaIndex takes from its global Settings. Neither helper is used, but without a tokenizer
        # each loads tiktoken's, a file of 100,000 lines.
        super().__init__(
            llm=MockLLM(),
            callback_manager=CallbackManager(),
            prompt_helper=PromptHelper(tokenizer=str.split),
            chat_prompt_helper=ChatPromptHelper(tokenizer=str.split),
            streaming=streaming,
        )
        self._answerer = answerer
        self._complete = complete

    @property
    def streaming(self) -> bool:
        """Whether responses are streams."""
        return self._streaming

    def synthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """Return the answer to ``query`` from ``nodes``; extracts may also come from ``additional_source_nodes``.

        Raises:
            InvalidRequest: A node has no file name to cite.
        """
        bundle = QueryBundle(query) if isinstance(query, str) else query
        asked = bundle if isinstance(bundle, AnswerQuery) else self._complete(bundle)
        hits, further = nodes_to_hits(nodes), nodes_to_hits(additional_source_nodes or ())
        found = SearchResult(tuple(hits), asked.snapshot, asked.search_ms, further=tuple(further))
        events = _logged(self._answerer.stream(asked, found), asked)
        return respond(events, [*nodes, *(additional_source_nodes or ())], streaming=self._streaming)

    async def asynthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """See `synthesize`."""
        return await asyncio.to_thread(self.synthesize, query, nodes, additional_source_nodes)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> str:
        """Refuse: bare texts have no place to cite.

        Raises:
            TypeError: Always; use `synthesize`.
        """
        raise TypeError("footnotes need nodes: call synthesize()")

    async def aget_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> str:
        """See `get_response`."""
        return self.get_response(query_str, text_chunks, **response_kwargs)

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """There are none."""


class ExtractiveSynthesizer(FootnoteSynthesizer):
    """Answers in verbatim sentences of the nodes."""


class CitingSynthesizer(FootnoteSynthesizer):
    """Answers in a language model's words, each claim with its footnotes and its verdict."""


def respond(events: Events, nodes: Sequence[NodeWithScore] | None = None, *, streaming: bool) -> RESPONSE_TYPE:
    """Events as LlamaIndex's response. Its source nodes are ``nodes``, or else the sources that the events name."""
    if nodes is None:
        events, nodes = _with_sources(events)
    metadata: dict[str, Any] = {}
    texts = _texts(events, metadata)
    if streaming:
        return AnswerStream(texts, list(nodes), metadata, events=events)
    return Response("".join(texts).strip(), source_nodes=list(nodes), metadata=metadata)


def _with_sources(events: Events) -> tuple[Events, list[NodeWithScore]]:
    """Return the same events, read up to the sources, and these."""
    head: list[AnswerEvent] = []
    nodes: list[NodeWithScore] = []
    for event in events:
        head.append(event)
        if isinstance(event, SourcesFound):
            nodes = hits_to_nodes(event.sources)
            break
    return _rejoined(head, events), nodes


def _rejoined(head: Sequence[AnswerEvent], rest: Events) -> Events:
    with closing(rest):
        yield from head
        yield from rest


def _logged(events: Events, query: AnswerQuery) -> Events:
    """The same events; ``query.on_answer`` receives the answer before the last one."""
    with closing(events):
        for event in events:
            if isinstance(event, AnswerDone) and query.on_answer is not None:
                query.on_answer(event.answer)
            yield event


def _texts(events: Events, metadata: dict[str, Any]) -> Generator[str, None, None]:
    """The text of ``events``; at the end, ``metadata`` gets the footnotes."""
    with closing(events):
        for event in events:
            if isinstance(event, TextWritten):
                yield event.text
            if isinstance(event, AnswerDone):
                metadata |= _metadata(event.answer)


def _metadata(answer: Answer) -> dict[str, Any]:
    plain = {name: getattr(answer, name) for name in _METADATA}
    return plain | {
        "citations": tuple(asdict(citation) for citation in answer.citations),
        "claims": tuple(asdict(claim) for claim in answer.claims),
    }
