"""Questions of several parts: sub-questions by rule and by a model, their sources, and one answer from all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from llama_index.core.callbacks import CallbackManager
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import SubQuestionQueryEngine
from llama_index.core.response_synthesizers import CompactAndRefine
from llama_index.core.tools import QueryEngineTool

from pipelines.engine import Engine
from pipelines.errors import InvalidRequest
from pipelines.query.lexicon import NO_LEXICON
from pipelines.query.steps.questions import RuleSubQuestions
from pipelines.types import AnswerDone, DocumentInput, StepDone
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, ollama_server

DOCUMENTS = {
    "beagle.md": "# Beagle\n\nBeagles need 60 minutes of exercise a day. Beagles live for 12 to 15 years.\n",
    "whippet.md": "# Whippet\n\nWhippets need 90 minutes of exercise a day. A Whippet won the race at Ascot in 1990.\n",
    "siamese.md": "# Siamese\n\nSiamese cats talk a lot and like company. Siamese cats do not like water.\n",
}
TWO = "How much exercise does a beagle need, and how long does it live?"
BRIDGE = "How much exercise does the dog that won the race at Ascot need?"
PLAIN = "tenant: kennel\nstore: {engine: memory}\nanswer: {abstain_below: BELOW, steps: {use: USE}}\n"
MODEL = "llm: {provider: ollama, model: m, base_url: URL, timeouts: {call_s: 20, token_s: 5}}\n"
Open = Callable[..., Engine]


@pytest.fixture
def kennel(open_tenant: OpenTenant) -> Open:
    def start(use: str = "complex", below: float = 0.1, more: str = "") -> Engine:
        engine = open_tenant(PLAIN.replace("BELOW", str(below)).replace("USE", use) + more)
        engine.ingest([DocumentInput(text, name) for name, text in DOCUMENTS.items()])
        return engine

    return start


@pytest.fixture
def served() -> Iterator[Callable[[Callable[[Asked], str]], FakeOllama]]:
    with ExitStack() as opened:
        yield lambda script: opened.enter_context(ollama_server(script))


@pytest.mark.parametrize(
    "question", ["Compare   and beagles", "How do   and whippets differ?", "Compare beagles and  \t in exercise"]
)
def test_a_comparison_with_nothing_is_answered(kennel: Open, question: str) -> None:
    assert kennel().answer(question).question == question


def test_each_part_is_looked_up_and_the_answer_has_all_of_them(kennel: Open) -> None:
    answer = kennel().answer(TWO)
    assert "60 minutes" in answer.text
    assert "12 to 15 years" in answer.text
    first, second = answer.steps
    assert (first.question, first.round) == ("How much exercise does a beagle need?", 1)
    assert second.question.startswith("How long does")
    assert first.sources
    assert set(first.citations) | set(second.citations) == {citation.number for citation in answer.citations}
    assert answer.confidence <= min(first.confidence, second.confidence)


def test_a_question_of_one_part_has_no_steps(kennel: Open) -> None:
    assert kennel().answer("How much exercise does a beagle need?").steps == ()


def test_a_request_decides_against_the_profile(kennel: Open) -> None:
    assert kennel("never").answer(TWO).steps == ()
    assert len(kennel("never").answer(TWO, steps="complex").steps) == 2
    assert kennel("complex").answer(TWO, steps="never").steps == ()
    with pytest.raises(InvalidRequest, match="complex"):
        kennel().answer(TWO, steps="complx")  # type: ignore[arg-type]


def test_a_later_round_asks_about_what_an_earlier_one_found(kennel: Open) -> None:
    answer = kennel(below=0).answer(BRIDGE)
    assert [(step.round, step.question) for step in answer.steps] == [
        (1, "Which dog won the race at Ascot?"),
        (2, "How much exercise does Whippet need?"),
    ]
    assert "90 minutes" in answer.text


def test_a_part_that_the_documents_do_not_answer_is_named(kennel: Open) -> None:
    answer = kennel(below=0.3).answer("How much exercise does a beagle need, and which king reigned in 1066?")
    assert "60 minutes" in answer.text
    assert "The documents don't answer: Which king reigned in 1066?" in answer.text
    assert [bool(step.text) for step in answer.steps] == [True, False]
    assert not answer.abstained


def test_if_no_part_is_answered_the_whole_is_declined(kennel: Open) -> None:
    answer = kennel(below=0.9).answer("Which king reigned in 1066, and which queen reigned in 1558?")
    assert (answer.abstained, answer.reason, answer.citations) == (True, "low_confidence", ())
    assert [step.text for step in answer.steps] == ["", ""]


def test_steps_are_streamed_as_they_are_done(kennel: Open) -> None:
    events = list(kennel().stream_answer(TWO))
    done = [event.step.question for event in events if isinstance(event, StepDone)]
    assert isinstance(events[-1], AnswerDone)
    assert done == [step.question for step in events[-1].answer.steps]
    assert len(done) == 2


def test_sub_questions_do_not_count_as_searches_of_users(kennel: Open) -> None:
    engine = kennel()
    engine.answer(TWO)
    assert [use.query for use in engine.usage().queries] == [TWO]


def test_a_model_splits_and_hears_what_was_found(kennel: Open, served: Callable[..., FakeOllama]) -> None:
    def script(asked: Asked) -> str:
        if not asked.form:
            number = next(json.loads(line)["source"] for line in asked.last.splitlines() if "Whippets need" in line)
            return f"Whippets need 90 minutes of exercise a day [{number}]."
        if "Looked up" not in asked.last:
            return json.dumps({"questions": ["Which dog won the race at Ascot?"]})
        return json.dumps(
            {"questions": [] if "Whippet need" in asked.last else ["How much exercise does a Whippet need?"]}
        )

    fake = served(script)
    engine = kennel("always", below=0, more=MODEL.replace("URL", fake.url))
    answer = engine.answer("What about the exercise of the winner at Ascot?")
    assert answer.llm_generated
    assert answer.text == "Whippets need 90 minutes of exercise a day [1]."
    assert [(step.round, step.question) for step in answer.steps] == [
        (1, "Which dog won the race at Ascot?"),
        (2, "How much exercise does a Whippet need?"),
    ]
    assert sorted(number for step in answer.steps for number in step.citations) in ([1], [1, 1])
    assert "A Whippet won the race" in fake.asked[1].last


@pytest.mark.parametrize("said", ["no JSON at all", '{"questions": "none"}'])
def test_the_rule_splits_where_the_model_does_not(kennel: Open, served: Callable[..., FakeOllama], said: str) -> None:
    fake = served(lambda asked: said if asked.form else "Beagles need 60 minutes of exercise a day [1].")
    answer = kennel("always", below=0, more=MODEL.replace("URL", fake.url)).answer(TWO)
    assert [step.round for step in answer.steps] == [1, 1]


def test_a_model_is_not_asked_about_a_question_of_one_part(kennel: Open, served: Callable[..., FakeOllama]) -> None:
    fake = served(lambda asked: "Beagles need 60 minutes of exercise a day [1].")
    kennel("complex", below=0, more=MODEL.replace("URL", fake.url)).answer("How much exercise does a beagle need?")
    assert [bool(asked.form) for asked in fake.asked] == [False]


def test_parts_beyond_the_limit_are_asked_with_the_last_one(kennel: Open) -> None:
    parts = [f"How much exercise does a beagle need in kennel {number}?" for number in range(6)]
    steps = kennel(below=0).answer(" ".join(parts)).steps
    assert [step.question for step in steps] == [*parts[:3], " ".join(parts[3:])]


def test_a_pasted_page_is_not_split(kennel: Open) -> None:
    assert kennel().answer("How much exercise does a beagle need? " * 40 + "And a whippet?").steps == ()


def test_a_question_that_comes_as_a_vector_is_not_split(kennel: Open) -> None:
    engine = kennel(below=0)
    [vector] = engine.embed([TWO])
    assert engine.answer(TWO, vector=vector).steps == ()


def test_a_model_that_lists_too_much_is_cut_off(kennel: Open, served: Callable[..., FakeOllama]) -> None:
    many = json.dumps({"questions": [f"How many beagles are in kennel {number}?" for number in range(50)]})
    fake = served(lambda asked: many if asked.form else "Beagles need 60 minutes of exercise a day [1].")
    answer = kennel("always", below=0, more=MODEL.replace("URL", fake.url)).answer("How are beagles?")
    assert len(answer.steps) == 4


def test_the_rule_works_in_the_sub_question_engine_of_llama_index(kennel: Open) -> None:
    engine = kennel()
    tool = QueryEngineTool.from_defaults(engine.query_engine(), name="kennel", description="dogs")
    combined = SubQuestionQueryEngine(
        question_gen=RuleSubQuestions(NO_LEXICON),
        response_synthesizer=CompactAndRefine(llm=MockLLM(), callback_manager=CallbackManager()),
        query_engine_tools=[tool],
        callback_manager=CallbackManager(),
        verbose=False,
        use_async=False,
    )
    said = str(combined.query("How much exercise does a beagle need, and how long do beagles live?"))
    assert "Sub question: How long do beagles live?" in said
    assert "60 minutes" in said
