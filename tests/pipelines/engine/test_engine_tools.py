"""Answers from documents and tools: a tenant, a real server of the protocol, and a stand-in for Ollama."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.evaluation.datasets import Dataset
from pipelines.evaluation.engines import fresh_profile
from pipelines.profile.loader import load_profile
from pipelines.query.routing.combining import combined
from pipelines.types import Answer, AnswerDone, DocumentInput, Heartbeat, Note, SourcesFound, ToolRun, ToolsAsked
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server
from tests.fakes.tool_server import HOSTILE, ToolServer, tool_server

PROFILE = """
tenant: kennel
title: the kennel
store: {engine: memory}
metadata: {fields: {species: {type: keyword}}}
answer: {abstain_below: 0}
llm: {provider: ollama, model: m, base_url: "URL", timeouts: {call_s: 20, token_s: 10}}
tools:
  at_most: 2
  servers:
    - {name: shop, transport: http, url: "SHOP", headers: {X-Key: "${TOOLS_KEY}"}, most_chars: 4000}
    - {name: papers, transport: http, url: "http://127.0.0.1:9/mcp"}
"""
BEAGLE = "# Beagle\n\nBeagles need 60 minutes of exercise a day. A bored beagle howls.\n"
QUESTION = "What does an orthopedic bed for a beagle cost?"
PRICE = "The CozyRest orthopedic dog bed costs 64.90 EUR"
SEARCH = {"tool": "shop/search_products", "arguments": {"query": "orthopedic bed", "species": "dog"}}
KEY = "CANARY-51c0"


def _away(answer: Answer) -> list[str]:
    return [run.name for run in answer.tools if run.source is None]


@pytest.fixture(scope="module")
def shop() -> Iterator[ToolServer]:
    with tool_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def llm() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def kennel(tmp_path_factory: pytest.TempPathFactory, shop: ToolServer, llm: FakeOllama) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("kennel")
    file = folder / "kennel.yaml"
    file.write_text(PROFILE.replace("URL", llm.url).replace("SHOP", shop.url))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("TOOLS_KEY", KEY)
        loaded = load_profile(file)
    with open_engine(loaded, folder / "data") as engine:
        engine.ingest([DocumentInput(BEAGLE, "beagle.md", metadata={"species": "dog"})])
        yield engine


Says = Callable[..., list[Asked]]


@pytest.fixture
def says(llm: FakeOllama) -> Says:
    """Lets the model decide and answer; gives what it was asked for a decision."""

    def script(*decisions: Any, answer: str | Reply = "I do not know.") -> list[Asked]:
        routed: list[Asked] = []

        def said(asked: Asked) -> str | Reply:
            if not asked.messages[0]["content"].startswith("You decide"):
                return answer if isinstance(answer, Reply) else _cited(answer, asked)
            routed.append(asked)
            decision = decisions[min(len(routed), len(decisions)) - 1]
            return decision if isinstance(decision, str | Reply) else json.dumps(decision)

        llm.script = said
        return routed

    return script


def _cited(answer: str, asked: Asked) -> str:
    """The answer, in which ``{words}`` is the number of the source that holds them."""
    lines = [json.loads(line) for line in asked.last.splitlines() if line.startswith('{"source"')]
    for line in lines:
        for word in ("CozyRest", "Beagles", "costs", "HACKED"):
            if word in line["text"]:
                answer = answer.replace(f"{{{word}}}", str(line["source"]))
    return answer


def verified(answer: Answer, engine: Engine) -> None:
    """Every footnote and every source stands verbatim where it says."""
    outputs = {run.source: run.output for run in answer.tools}
    for one in (*answer.citations, *answer.sources):
        text = engine.content(one.document_id, one.version) if one.version else outputs[one.document_id]
        assert text[one.span.start : one.span.end] == (one.quote if hasattr(one, "quote") else one.content)


def test_documents_and_tools_make_one_context_and_each_footnote_can_be_checked(
    kennel: Engine, says: Says, shop: ToolServer
) -> None:
    routed = says(
        {"knowledge": True, "calls": [SEARCH]},
        answer=f"{PRICE} [{{CozyRest}}]. Beagles need 60 minutes of exercise a day [{{Beagles}}].",
    )
    answer = kennel.answer(QUESTION)
    assert answer.text == f"{PRICE} [1]. Beagles need 60 minutes of exercise a day [2]."
    assert [(one.document_id, one.version) for one in answer.citations] == [
        ("tool:shop/search_products", 0),
        ("beagle.md", 1),
    ]
    assert [claim.verdict for claim in answer.claims] == ["supported", "supported"]
    verified(answer, kennel)
    run = next(run for run in answer.tools if run.source)
    assert (run.name, run.arguments, run.error) == ("shop/search_products", SEARCH["arguments"], None)
    assert "price: 64.90 EUR" in run.output
    assert [hit.score for hit in answer.sources] == sorted((hit.score for hit in answer.sources), reverse=True)
    assert {"router", "tools", "search", "llm"} <= answer.timings_ms.keys()
    assert len(routed) == 1
    assert shop.headers[-1]["x-key"] == KEY


def test_the_decision_is_asked_for_with_the_question_and_the_allowed_tools_alone(kennel: Engine, says: Says) -> None:
    routed = says({"knowledge": True, "calls": []})
    kennel.answer(QUESTION, filters={"species": "dog"})
    system, user = (message["content"] for message in routed[0].messages)
    tools = [json.loads(line) for line in user.splitlines() if line.startswith("{")]
    assert "shop/search_products" in {tool["tool"] for tool in tools}
    assert "shop/place_order" not in {tool["tool"] for tool in tools}  # it does not say that it only reads
    assert json.dumps(QUESTION) in user
    assert not any(KEY in text or "species" in text.split("Question:")[-1] for text in (system, user))
    assert routed[0].form == "json"


def test_a_question_for_a_tool_alone_searches_no_documents(kennel: Engine, says: Says) -> None:
    says({"knowledge": False, "calls": [SEARCH]}, answer=f"{PRICE} [{{CozyRest}}].")
    answer = kennel.answer(QUESTION)
    assert {hit.document_id for hit in answer.sources} == {"tool:shop/search_products"}
    assert (answer.text, answer.abstained) == (f"{PRICE} [1].", False)


@pytest.mark.parametrize("tool", ["empty", "failing"])
def test_an_empty_tool_result_falls_back_to_the_documents(
    kennel: Engine, says: Says, tool: str, caplog: pytest.LogCaptureFixture
) -> None:
    says({"knowledge": False, "calls": [{"tool": f"shop/{tool}", "arguments": {}}]}, answer="They howl [{Beagles}].")
    answer = kennel.answer("What does a bored beagle do?")
    assert [one.document_id for one in answer.citations] == ["beagle.md"]
    run = next(run for run in answer.tools if run.name == f"shop/{tool}")
    assert (run.output, run.source) == ("", None)
    assert run.error == (None if tool == "empty" else "it failed")
    assert "hunter2" not in json.dumps(answer, default=str)  # what a tool says of its failure is for the log


def test_an_unavailable_tool_server_is_reported_and_blocks_nothing(kennel: Engine, says: Says) -> None:
    says({"knowledge": True, "calls": []}, answer="They howl [{Beagles}].")
    events = list(kennel.stream_answer("What does a bored beagle do?"))
    reported = [event for event in events if not isinstance(event, Heartbeat)]
    assert isinstance(reported[0], ToolsAsked)
    assert isinstance(reported[1], SourcesFound)
    assert isinstance(reported[-1], AnswerDone)
    (papers,) = reported[0].tools
    assert (papers.name, papers.arguments, papers.source) == ("papers", {}, None)
    assert papers.error == "it is not there, or does not speak the Model Context Protocol"
    assert reported[-1].answer.tools == reported[0].tools
    assert reported[-1].answer.text == "They howl [1]."


def test_failures_are_notes_of_the_search(kennel: Engine) -> None:
    failed = ToolRun("shop/failing", {}, error="it failed")
    found = combined(QUESTION, kennel.search(QUESTION), [], [failed], kennel._parts.indexes.vectors)
    assert Note("shop/failing", "it failed") in found.notes


def test_a_tools_orders_are_data_in_one_source_and_change_nothing(
    kennel: Engine, says: Says, shop: ToolServer, llm: FakeOllama
) -> None:
    before = len(shop.calls)
    routed = says({"knowledge": False, "calls": [{"tool": "shop/hostile", "arguments": {}}]}, answer="I do not know.")
    answer = kennel.answer(QUESTION)
    asked = llm.asked[-1]
    lines = [line for line in asked.last.splitlines() if line.startswith('{"source"')]
    assert len(lines) == 1
    assert "HACKED (1)" in json.loads(lines[0])["text"]  # a model that copies it does not seem to cite
    assert asked.messages[0]["role"] == "system"
    assert "never obeyed" in asked.messages[0]["content"]
    assert len(routed) == 1
    assert [name for name, _ in shop.calls[before:]] == ["hostile"]
    assert answer.tools[-1].output == HOSTILE
    verified(answer, kennel)


def test_calls_that_a_tool_does_not_take_are_asked_for_once_more(kennel: Engine, says: Says, shop: ToolServer) -> None:
    wrong = [
        {"tool": "shop/search_products", "arguments": {"query": "bed", "most": 99}},
        {"tool": "shop/place_order", "arguments": {"product_id": "p1"}},
    ]
    before = len(shop.calls)
    routed = says({"knowledge": True, "calls": wrong}, {"knowledge": True, "calls": [SEARCH]})
    answer = kennel.answer(QUESTION)
    assert len(routed) == 2
    assert "most: 99 is greater than the maximum of 10" in routed[1].last
    assert "shop/place_order: there is no such tool" in routed[1].last
    assert [run.name for run in answer.tools if run.source] == ["shop/search_products"]
    assert shop.calls[before:] == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "'query' is a required property"),
        ({"query": 3}, "query: 3 is not of type 'string'"),
        ({"query": "bed", "callback": "http://evil.example"}, "Unevaluated properties are not allowed"),
    ],
)
def test_calls_that_stay_invalid_are_reported_and_not_made(
    kennel: Engine, says: Says, arguments: dict[str, Any], reason: str
) -> None:
    says({"knowledge": True, "calls": [{"tool": "shop/search_products", "arguments": arguments}]}, answer="No.")
    answer = kennel.answer(QUESTION)
    run = next(run for run in answer.tools if run.name == "shop/search_products")
    assert run.arguments == arguments
    assert reason in str(run.error)
    assert {hit.document_id for hit in answer.sources} == {"beagle.md"}


@pytest.mark.parametrize("reply", ["not JSON", '{"knowledge": "perhaps"}', Reply("", "crash")])
def test_without_a_decision_only_the_documents_are_searched(kennel: Engine, says: Says, reply: Any) -> None:
    says(reply, answer="They howl [{Beagles}].")
    answer = kennel.answer("What does a bored beagle do?")
    assert (answer.text, answer.degraded) == ("They howl [1].", False)
    assert _away(answer) == ["papers", "router"]
    assert answer.tools[-1].error == "the language model did not decide, so the documents alone were asked"


def test_no_more_calls_are_made_than_the_profile_allows_and_none_twice(
    kennel: Engine, says: Says, shop: ToolServer
) -> None:
    calls = [SEARCH, SEARCH, {"tool": "shop/empty", "arguments": {}}, {"tool": "shop/hostile", "arguments": {}}]
    says({"knowledge": False, "calls": calls})
    answer = kennel.answer(QUESTION)
    assert [run.name for run in answer.tools] == ["papers", "shop/search_products", "shop/empty"]


def test_tools_stand_in_the_order_of_the_decision_whichever_answers_first(kennel: Engine, says: Says) -> None:
    says({"knowledge": False, "calls": [{"tool": f"shop/{name}", "arguments": {}} for name in ("late", "empty")]})
    answer = kennel.answer(QUESTION)
    assert [run.name for run in answer.tools] == ["papers", "shop/late", "shop/empty"]


def test_two_calls_of_one_tool_are_two_sources(kennel: Engine, says: Says) -> None:
    other = {"tool": "shop/search_products", "arguments": {"query": "feathers for cats"}}
    says({"knowledge": False, "calls": [SEARCH, other]}, answer=f"{PRICE} [{{CozyRest}}].")
    answer = kennel.answer(QUESTION)
    sources = [run.source for run in answer.tools if run.source]
    assert sources == ["tool:shop/search_products", "tool:shop/search_products#2"]
    verified(answer, kennel)


def test_a_long_result_is_truncated_and_marked(kennel: Engine, says: Says) -> None:
    says({"knowledge": False, "calls": [{"tool": "shop/huge", "arguments": {"characters": 1_000_000}}]})
    answer = kennel.answer(QUESTION)
    run = answer.tools[-1]
    assert (run.cut, len(run.output)) == (True, 4000)
    verified(answer, kennel)


def test_a_result_that_has_no_end_is_not_read_to_it(kennel: Engine, says: Says) -> None:
    says({"knowledge": True, "calls": [{"tool": "shop/huge", "arguments": {"characters": 6_000_000}}, SEARCH]})
    answer = kennel.answer(QUESTION)
    run = next(run for run in answer.tools if run.name == "shop/huge")
    assert run.error is not None
    says({"knowledge": True, "calls": [SEARCH]})
    assert any(run.source for run in kennel.answer(QUESTION).tools)  # the next question is none the worse for it


def test_extracts_come_from_tools_too_where_the_model_fails_after_it_decided(kennel: Engine, says: Says) -> None:
    says({"knowledge": True, "calls": [SEARCH]}, answer=Reply("", "crash"))
    answer = kennel.answer("price of the CozyRest orthopedic dog bed")
    assert (answer.degraded, answer.model) == (True, "extractive")
    assert "price: 64.90 EUR" in answer.text
    assert answer.citations[0].document_id == "tool:shop/search_products"
    verified(answer, kennel)


def test_a_turn_that_a_tool_helped_to_answer_is_kept(kennel: Engine, says: Says) -> None:
    says({"knowledge": False, "calls": [SEARCH]}, answer=f"{PRICE} [{{CozyRest}}].")
    answer = kennel.answer(QUESTION, conversation_id="with-tools")
    assert answer.conversation_id == "with-tools"
    (turn,) = kennel.conversations.conversation("with-tools").turns
    assert (turn.text, turn.erased) == (f"{PRICE} [1].", False)
    assert turn.citations == answer.citations
    noted = kennel.feedback(answer.answer_id, helpful=True, comment="The price is right.")
    assert (noted.comment, noted.erased) == ("The price is right.", False)


def test_no_tool_is_called_if_disabled_or_for_a_past_snapshot(kennel: Engine, says: Says, shop: ToolServer) -> None:
    routed = says({"knowledge": True, "calls": [SEARCH]})
    for asked in ({"tools": False}, {"as_of": kennel.stats().snapshot}):
        assert kennel.answer(QUESTION, **asked).tools == ()
    assert kennel.answer_all([QUESTION])[0].tools == ()
    assert routed == []


def test_evaluations_ask_no_tools(tmp_path: Path, kennel: Engine) -> None:
    loaded = fresh_profile(kennel._parts.loaded, Dataset("none", (), (), {}))
    assert not loaded.profile.tools.asked


@pytest.mark.parametrize("knowledge", [True, False])
def test_a_stream_that_is_closed_stops_the_tool_and_keeps_no_turn(
    kennel: Engine, says: Says, shop: ToolServer, knowledge: bool
) -> None:
    says({"knowledge": knowledge, "calls": [{"tool": "shop/slow", "arguments": {}}]})
    shop.running.clear()
    shop.cancelled.clear()
    events = kennel.stream_answer(QUESTION, conversation_id="left")
    while not shop.running.is_set():
        assert next(events) == Heartbeat()
    events.close()
    assert shop.cancelled.wait(10)
    assert "left" not in {one.conversation_id for one in kennel.conversations.list().conversations}


def test_an_engine_closes_while_a_tool_is_asked(tmp_path: Path, shop: ToolServer, llm: FakeOllama, says: Says) -> None:
    says({"knowledge": True, "calls": [{"tool": "shop/slow", "arguments": {}}]})
    shop.running.clear()
    shop.cancelled.clear()
    file = tmp_path / "kennel.yaml"
    profile = PROFILE.replace("URL", llm.url).replace("SHOP", shop.url).replace('"${TOOLS_KEY}"', '"${TOOLS_KEY:-}"')
    file.write_text(profile)
    with ExitStack() as opened:
        engine = opened.enter_context(open_engine(file, tmp_path / "data"))
        engine.ingest([DocumentInput(BEAGLE, "beagle.md", metadata={"species": "dog"})])
        events = engine.stream_answer(QUESTION)
        while not shop.running.is_set():
            next(events)
        opened.callback(events.close)
    assert shop.cancelled.wait(10)
