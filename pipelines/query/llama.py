"""Footnote's search and answers as LlamaIndex parts, for query engines of one's own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response, StreamingResponse
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.indices.prompt_helper import ChatPromptHelper, PromptHelper
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, QueryType, TextNode

from pipelines.components.rerankers import Question, Stage
from pipelines.query.rerank import rerank
from pipelines.query.retrieve import to_hit
from pipelines.types import AnswerDone, AnswerEvent, Hit, LegScore, TextWritten, Trace

Search = Callable[[str], Sequence[Hit]]
AnswerFrom = Callable[[str, Sequence[Hit]], Iterator[AnswerEvent]]
"""The answer to a question from hits, as it is written."""


class FootnoteRetriever(BaseRetriever):
    """Gives the hits of a question as nodes with scores."""

    def __init__(self, search: Search) -> None:
        super().__init__(callback_manager=CallbackManager())
        self._search = search

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [to_node(hit) for hit in self._search(query_bundle.query_str)]


class StagePostprocessor(BaseNodePostprocessor):
    """A reranker stage for the nodes of a `FootnoteRetriever`, or of a retriever over the tenant's vector store."""

    _stage: Stage = PrivateAttr()

    def __init__(self, stage: Stage) -> None:
        super().__init__(callback_manager=CallbackManager())
        self._stage = stage

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex writes it down."""
        return "StagePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """The nodes as the stage puts them; as they were where it fails, which the log tells."""
        asked = query_bundle or QueryBundle("")
        vector = None if asked.embedding is None else np.asarray(asked.embedding, np.float32)
        hits = sorted(map(from_node, nodes), key=lambda hit: -hit.score)
        return [to_node(hit) for hit in rerank([self._stage], Question(asked.query_str, vector), hits, Trace())]


class FootnoteSynthesizer(BaseSynthesizer):
    """Answers from nodes; ``response.metadata["citations"]`` holds the footnotes.

    The nodes must be those of a `FootnoteRetriever`, in any order and number. With ``streaming`` the response is
    LlamaIndex's `StreamingResponse`: its text comes as it is written, and its metadata is filled when it is over.
    """

    def __init__(self, answer_from: AnswerFrom, *, streaming: bool = False) -> None:
        # Every part is given, for what is left out LlamaIndex takes from its global Settings.
        super().__init__(
            llm=MockLLM(),
            callback_manager=CallbackManager(),
            prompt_helper=PromptHelper(),
            chat_prompt_helper=ChatPromptHelper(),
            streaming=streaming,
        )
        self._answer_from = answer_from

    def synthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """The answer to ``query`` from ``nodes``."""
        question = query if isinstance(query, str) else query.query_str
        events = self._answer_from(question, [from_node(node) for node in nodes])
        metadata: dict[str, Any] = {}
        sources = [*nodes, *(additional_source_nodes or ())]
        if self._streaming:
            return StreamingResponse(_texts(events, metadata), source_nodes=sources, metadata=metadata)
        text = "".join(_texts(events, metadata)).strip()
        return Response(text, source_nodes=sources, metadata=metadata)

    async def asynthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """See `synthesize`."""
        return self.synthesize(query, nodes, additional_source_nodes, **response_kwargs)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> str:
        """Bare texts have no place to point at.

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


def build_query_engine(search: Search, answer_from: AnswerFrom, *, cites: bool = False) -> RetrieverQueryEngine:
    """A LlamaIndex query engine over a tenant; ``cites`` where a language model writes."""
    synthesizer = CitingSynthesizer if cites else ExtractiveSynthesizer
    return RetrieverQueryEngine(FootnoteRetriever(search), synthesizer(answer_from), callback_manager=CallbackManager())


def _texts(events: Iterator[AnswerEvent], metadata: dict[str, Any]) -> Generator[str, None, None]:
    """The text of ``events`` as it comes; what else they tell goes into ``metadata``."""
    for event in events:
        if isinstance(event, TextWritten) and event.text:
            yield event.text
        if isinstance(event, AnswerDone):
            told = asdict(event.answer)
            metadata |= {name: told[name] for name in ("citations", "claims", "confidence", "abstained")}


def to_node(hit: Hit) -> NodeWithScore:
    """A hit as LlamaIndex's node; `from_node` turns it back."""
    metadata = {
        "document_id": hit.document_id,
        "version": hit.version,
        "title": hit.title,
        "source": hit.source,
        "metadata": dict(hit.metadata),
        "start": hit.span.start,
        "end": hit.span.end,
        "page": hit.page,
        "page_label": hit.page_label,
        "headings": list(hit.headings),
        "index": hit.index,
        "parents": [(parent.start, parent.end) for parent in hit.parents],
        "scores": {name: asdict(score) for name, score in hit.scores.items()},
    }
    node = TextNode(
        id_=hit.chunk_id,
        text=hit.content,
        metadata=metadata,
        start_char_idx=hit.span.start,
        end_char_idx=hit.span.end,
        excluded_embed_metadata_keys=["scores"],
        excluded_llm_metadata_keys=["scores"],
    )
    return NodeWithScore(node=node, score=hit.score)


def from_node(scored: NodeWithScore) -> Hit:
    """The hit that a node was made of."""
    payload = {"text": scored.node.get_content(), **scored.node.metadata}
    scores: Mapping[str, Mapping[str, Any]] = payload.get("scores") or {}
    legs = {name: LegScore(**score) for name, score in scores.items()}
    return to_hit(payload, scored.node.node_id, scored.score or 0.0, legs)
