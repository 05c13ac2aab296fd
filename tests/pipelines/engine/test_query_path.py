"""The one path of a question: LlamaIndex's retriever, postprocessors and synthesizer."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from llama_index.core import QueryBundle
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.dispatcher import Dispatcher
from llama_index.core.instrumentation.span_handlers import NullSpanHandler
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode

from pipelines.engine import Engine
from pipelines.errors import InvalidRequest
from pipelines.types import AnswerDone, DocumentInput, Heartbeat, SourcesFound, TextWritten
from tests.conftest import OpenTenant

PROFILE = """
tenant: kennel
store: {engine: memory}
retrieval: {top_k: 3}
rerank: [{type: mmr, diversity: 0.2}]
metadata: {fields: {species: {type: keyword}}}
"""
QUESTION = "How much exercise does a beagle need?"


@pytest.fixture
def engine(open_tenant: OpenTenant) -> Engine:
    opened = open_tenant(PROFILE)
    for species, name, text in (
        ("dog", "beagle", "Beagles need about an hour of exercise a day."),
        ("dog", "collie", "A collie herds sheep from morning to evening."),
        ("dog", "pug", "Pugs snore, and they should not run in the heat."),
        ("cat", "manx", "The Manx is a cat without a tail. It needs little exercise."),
    ):
        opened.ingest(DocumentInput(text, name, metadata={"species": species}))
    return opened


class Spans(NullSpanHandler):
    """Remembers the methods of LlamaIndex's parts that were called, as ``Class.method``."""

    _names: list[str] = PrivateAttr(default_factory=list)

    @property
    def names(self) -> list[str]:
        return self._names

    def span_enter(self, id_: str, *args: Any, **more: Any) -> None:
        self._names.append(id_.partition("-")[0])


@contextmanager
def llama_calls() -> Iterator[list[str]]:
    handler, dispatcher = Spans(), get_dispatcher()
    dispatcher.add_span_handler(handler)
    try:
        yield handler.names
    finally:
        dispatcher.span_handlers.remove(handler)


def test_a_search_runs_the_retriever_and_the_postprocessors(engine: Engine) -> None:
    with llama_calls() as names:
        engine.search(QUESTION)
    assert "FootnoteRetriever.retrieve" in names
    assert [name for name in names if "_postprocess_nodes" in name] == [
        "Mmr._postprocess_nodes",
        "TopK._postprocess_nodes",
    ]


def test_a_search_without_listeners_makes_no_spans(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(Dispatcher, "span_enter", lambda _, id_, **more: opened.append(id_))
    heard = engine.search(QUESTION, diversity=0.5)
    assert not opened
    with llama_calls():
        assert engine.search(QUESTION, diversity=0.5).hits == heard.hits
    assert any(id_.startswith("TopK") for id_ in opened)


@pytest.mark.parametrize("name", ["root", "pipelines.query.retriever"])
def test_a_handler_of_any_dispatcher_on_the_way_hears_a_search(engine: Engine, name: str) -> None:
    handler, dispatcher = Spans(), get_dispatcher(name)
    dispatcher.add_span_handler(handler)
    try:
        engine.search(QUESTION)
    finally:
        dispatcher.span_handlers.remove(handler)
    assert "FootnoteRetriever._retrieve" in handler.names


def test_an_answer_runs_the_synthesizer_too(engine: Engine) -> None:
    with llama_calls() as names:
        engine.answer(QUESTION)
    assert names.index("FootnoteRetriever.retrieve") < names.index("TopK._postprocess_nodes")
    assert names.index("TopK._postprocess_nodes") < names.index("ExtractiveSynthesizer.synthesize")


def test_the_query_engine_answers_as_the_engine_does(engine: Engine) -> None:
    answer = engine.answer(QUESTION, filters={"species": "dog"})
    response = engine.query_engine(filters={"species": "dog"}).query(QUESTION)
    assert str(response) == answer.text
    assert [node.node_id for node in response.source_nodes] == [hit.chunk_id for hit in answer.sources]
    assert [note["quote"] for note in response.metadata["citations"]] == [note.quote for note in answer.citations]
    assert response.metadata["confidence"] == answer.confidence


def test_its_answers_are_turns_that_take_feedback(engine: Engine) -> None:
    response = engine.query_engine(conversation_id="mine").query(QUESTION)
    engine.query_engine(conversation_id="mine").query("And a pug?")
    engine.feedback(response.metadata["answer_id"], helpful=True)
    assert engine.stats().feedback.helpful == 1
    assert [turn.question for turn in engine.conversations.conversation("mine").turns] == [QUESTION, "And a pug?"]


def test_its_methods_for_event_loops_do_the_same(engine: Engine) -> None:
    query_engine, answer = engine.query_engine(), engine.answer(QUESTION)
    assert str(asyncio.run(query_engine.aquery(QUESTION))) == answer.text
    nodes = asyncio.run(query_engine.aretrieve(QueryBundle(QUESTION)))
    assert [node.node_id for node in nodes] == [hit.chunk_id for hit in engine.search(QUESTION)]
    assert len(asyncio.run(engine.retriever().aretrieve(QUESTION))) == 4
    assert str(asyncio.run(engine.synthesizer().asynthesize(QUESTION, nodes))) == answer.text


def test_an_abstention_is_an_answer_too(engine: Engine) -> None:
    response = engine.query_engine(filters={"species": "bird"}).query(QUESTION)
    assert response.metadata["abstained"]
    assert "filters" in str(response)
    assert response.source_nodes == []
    assert "don't answer" in str(engine.synthesizer().synthesize(QUESTION, []))


def test_a_synthesizer_streams_text_or_events(engine: Engine) -> None:
    nodes = engine.retriever().retrieve(QUESTION)
    stream = engine.synthesizer(streaming=True).synthesize(QUESTION, nodes)
    assert stream.metadata == {}
    assert "".join(stream.response_gen) == str(engine.synthesizer().synthesize(QUESTION, nodes))
    assert stream.metadata["citations"]
    events = list(engine.synthesizer(streaming=True).synthesize(QUESTION, nodes).events)
    assert isinstance(events[0], SourcesFound)
    assert isinstance(events[-1], AnswerDone)
    assert all(event.text for event in events if isinstance(event, TextWritten))
    assert not any(isinstance(event, Heartbeat) for event in events)


class Notes(BaseRetriever):
    """A retriever of the user's own."""

    def __init__(self, metadata: dict[str, str]) -> None:
        super().__init__()
        self._metadata = metadata

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        text = "Beagles need two hours of exercise a day."
        return [NodeWithScore(node=TextNode(id_="note-1", text=text, metadata=self._metadata), score=0.7)]


def test_nodes_of_another_retriever_pass_the_stages_and_are_cited(engine: Engine) -> None:
    response = engine.query_engine().with_retriever(Notes({"file_name": "notes.txt"})).query(QUESTION)
    (citation,) = response.metadata["citations"]
    assert (citation["chunk_id"], citation["source"]) == ("note-1", "notes.txt")
    assert str(response) == "Beagles need two hours of exercise a day. [1]"
    with pytest.raises(InvalidRequest, match="node note-1 has no file_name"):
        engine.query_engine().with_retriever(Notes({})).query(QUESTION)


def test_parts_that_were_handed_out_read_the_latest_snapshot(engine: Engine) -> None:
    query_engine, retriever = engine.query_engine(), engine.retriever()
    past = engine.query_engine(as_of=engine.stats().snapshot)
    engine.ingest(DocumentInput("Beagles need three hours of exercise a day.", "beagle", metadata={"species": "dog"}))
    assert "three hours" in str(query_engine.query(QUESTION))
    assert "three hours" in retriever.retrieve(QUESTION)[0].node.get_content()
    assert "about an hour" in str(past.query(QUESTION))


def test_searches_of_handed_out_parts_count_as_use(engine: Engine) -> None:
    engine.retriever().retrieve(QUESTION)
    engine.query_engine().query(QUESTION)
    assert engine.usage().searches.count == 2


def test_nodes_of_another_retriever_are_cited_by_their_id_and_file(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    text = "Beagles need about an hour of exercise a day."
    question = "How much exercise does a beagle need?"
    node = NodeWithScore(node=TextNode(id_="own-1", text=text, metadata={"file_name": "own.txt"}), score=0.8)
    response = engine.synthesizer().synthesize(question, [node])
    (citation,) = response.metadata["citations"]
    assert (citation["chunk_id"], citation["source"], citation["quote"]) == ("own-1", "own.txt", text)
    engine.feedback(response.metadata["answer_id"], helpful=True)
    assert engine.stats().feedback.helpful == 1
    nameless = NodeWithScore(node=TextNode(id_="own-2", text=text), score=0.8)
    with pytest.raises(InvalidRequest, match="node own-2 has no file_name"):
        engine.synthesizer().synthesize(question, [nameless])
