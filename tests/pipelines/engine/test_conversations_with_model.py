"""Conversations in Python with a language model: what it is sent, turn by turn."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest

from pipelines.catalogue.turns import ERASED
from pipelines.engine import Engine
from pipelines.errors import LlmUnavailable
from pipelines.types import Message, SourcesFound
from tests.fakes.ollama import Asked, Reply, ollama_server
from tests.pipelines.engine.conversing import (
    AGE,
    EXERCISE,
    LLM,
    Converse,
    answers,
    asked_of,
    fake_of,
    kind,
    plain,
)


@pytest.fixture
def says(kennel: Converse) -> Iterator[Converse]:
    """Opens a tenant whose model says what a function of what was asked gives."""
    with ExitStack() as opened:

        def start(script: Any = None, *, more: str = "", sections: str = "", decision_s: float = 10) -> Engine:
            fake = opened.enter_context(ollama_server(script or answers))
            llm = LLM.replace("URL", fake.url).replace("DECISION", str(decision_s))
            engine = kennel(llm.replace(", MORE", f", {more}" if more else "") + sections)
            engine.fake = fake  # type: ignore[attr-defined]
            return engine

        yield start


def test_the_latest_part_of_a_long_client_side_history_is_sent(says: Converse) -> None:
    engine = says(more="context_tokens: 3000, max_tokens: 200", sections="answer: {max_context_tokens: 1000}\n")
    talk = [
        Message(role, f"{number}. " + "word " * 100)
        for number in range(30)
        for role in ("user", "assistant")  # about 7,500 tokens
    ]
    for turns in range(10, 31):
        assert engine.answer(EXERCISE, history=talk[: 2 * turns]).text == "It is [1]."
    sent = [asked.messages[1:-1] for asked in asked_of(engine, "answer")]
    assert all(messages[0]["role"] == "user" for messages in sent)
    assert [messages[-1]["content"] for messages in sent] == [one.content for one in talk[19::2]]
    going_on = sum(longer[: len(shorter)] == shorter for shorter, longer in pairwise(sent))
    assert going_on > len(sent) // 2, "most turns begin with what was sent before"


def test_each_prompt_extends_the_one_before(says: Converse) -> None:
    engine = says()
    name = engine.answer(EXERCISE).conversation_id
    for question in (AGE, "And what do they do when bored?", "Do they snore?"):
        engine.answer(question, conversation_id=name)
    turns = asked_of(engine, "answer")
    assert len(turns) == 4
    for before, after in pairwise(turns):
        said = {"role": "assistant", "content": "It is [1]."}
        begun = [plain(one) for one in after.messages[: len(before.messages) + 1]]
        assert begun == [*map(plain, before.messages), said]
        assert after.shared >= len(before.prompt) + len(before.sent), "the server's cache spares all of it"
    for rewriting, answer in zip(asked_of(engine, "rewrite"), turns, strict=False):
        assert rewriting.shared >= len(answer.prompt) + len(answer.sent), "so does the rewriting"


def test_the_model_makes_a_follow_up_stand_alone(says: Converse) -> None:
    engine = says()
    name = engine.answer(EXERCISE).conversation_id
    second = engine.answer(AGE, conversation_id=name)
    assert second.rewritten_question == "How long do beagles live?"
    assert second.sources[0].document_id == "beagle.md"
    [rewriting] = asked_of(engine, "rewrite")
    assert json.dumps(AGE) in rewriting.last
    assert json.dumps(AGE) in asked_of(engine, "answer")[1].last, "it is answered as it was asked"


@pytest.mark.parametrize(
    "said",
    ["beagles", '{"question": ""}', '{"question": 7}', json.dumps({"question": "x" * 2000}), Reply("", "missing")],
)
def test_a_model_that_writes_no_question_leaves_it_to_the_rule(says: Converse, said: str | Reply) -> None:
    engine = says(lambda asked: said if kind(asked) == "rewrite" else "It is [1].")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question == f"{AGE} beagle"


def test_a_model_that_takes_its_time_leaves_it_to_the_rule(says: Converse) -> None:
    engine = says(
        lambda asked: Reply("{}", "stall") if kind(asked) == "rewrite" else "It is [1].",
        decision_s=0.2,
    )
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question == f"{AGE} beagle"


def test_a_question_the_model_leaves_unchanged_is_not_marked_as_rewritten(says: Converse) -> None:
    engine = says(lambda asked: json.dumps({"question": AGE}) if kind(asked) == "rewrite" else "It is [1].")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question is None


def test_an_answer_that_breaks_off_leaves_nothing_of_its_turn(says: Converse) -> None:
    broken = threading.Event()

    def script(asked: Asked) -> str | Reply:
        if kind(asked) == "answer" and broken.is_set():
            return Reply("So it is, and on it goes. " * 20, "broken-after-3")
        return answers(asked)

    engine = says(script, more="fallback: error")
    engine.answer(EXERCISE, conversation_id="mine")
    broken.set()
    with pytest.raises(LlmUnavailable):
        list(engine.stream_answer(AGE, conversation_id="mine"))
    with pytest.raises(LlmUnavailable):
        engine.answer(AGE, conversation_id="new")
    assert [one.length for one in engine.conversations.list().conversations] == [1]
    broken.clear()
    engine.answer(AGE, conversation_id="mine")
    last = asked_of(engine, "answer")[-1]
    assert [message["role"] for message in last.messages] == ["system", "user", "assistant", "user"]


def test_an_answer_from_extracts_is_part_of_what_the_model_reads_next(says: Converse) -> None:
    engine = says(lambda asked: Reply("", "missing") if json.dumps(EXERCISE) in asked.last else answers(asked))
    first = engine.answer(EXERCISE, conversation_id="mine")
    assert first.degraded
    engine.answer(AGE, conversation_id="mine")
    messages = asked_of(engine, "answer")[-1].messages
    assert (messages[1]["content"], messages[2]["content"]) == (EXERCISE, first.text)


def test_older_turns_are_summed_up_where_the_budget_is_full(says: Converse) -> None:
    engine = says(sections="conversations: {rewrite: off, history: {max_tokens: 900}}")
    for _ in range(9):
        engine.answer(EXERCISE, conversation_id="mine")
    summaries = asked_of(engine, "summary")
    assert 1 <= len(summaries) <= 3, "in steps, and not at every turn"
    last = asked_of(engine, "answer")[-1]
    assert "They asked about beagles." in last.messages[1]["content"]
    assert last.messages[2]["role"] == "assistant"
    shared = [asked.shared / len(asked.prompt) for asked in asked_of(engine, "answer")[1:]]
    assert sum(share > 0.5 for share in shared) >= 5, "between the steps the beginning stays the same"


def test_older_turns_are_left_out_where_the_profile_says_so(says: Converse) -> None:
    engine = says(sections="conversations: {rewrite: off, history: {max_tokens: 900, compress: drop}}")
    for _ in range(9):
        engine.answer(EXERCISE, conversation_id="mine")
    assert asked_of(engine, "summary") == []
    assert len(asked_of(engine, "answer")[-1].messages) < 2 * 9


def test_a_summary_that_fails_leaves_the_older_turns_out(says: Converse) -> None:
    engine = says(
        lambda asked: Reply("", "missing") if kind(asked) == "summary" else answers(asked),
        sections="conversations: {rewrite: off, history: {max_tokens: 900}}",
    )
    for _ in range(9):
        assert not engine.answer(EXERCISE, conversation_id="mine").degraded
    assert asked_of(engine, "summary")


def test_older_turns_become_images_of_falling_resolution(says: Converse) -> None:
    engine = says(sections="conversations: {rewrite: off, history: {max_tokens: 6000, compress: image}}")
    for _ in range(32):
        engine.answer(EXERCISE, conversation_id="mine")
    calls = asked_of(engine, "answer")
    assert calls[5].images == []
    assert sizes(calls[8]) == [1280]
    assert sizes(calls[-1]) == [512, 640, 1280]
    assert asked_of(engine, "summary") == []
    assert sum(a.images == b.images for a, b in pairwise(calls)) > 20, "they change in steps"


def sizes(asked: Asked) -> list[int]:
    return [int.from_bytes(image[16:20]) for image in asked.images]


def test_a_purge_removes_the_text_from_later_prompts(says: Converse) -> None:
    engine = says()
    engine.answer("What does a bored beagle do?", conversation_id="mine", top_k=1)
    engine.answer("Do Siamese cats like water?", conversation_id="mine", top_k=1)
    receipt = engine.delete("beagle.md", purge=True)
    assert receipt.turns_erased == 2, "the second answer was written behind the first"
    engine.answer("Do Siamese cats talk?", conversation_id="mine", top_k=1)
    sent = json.dumps([plain(message) for message in fake_of(engine).asked[-1].messages])
    assert "howls" not in sent
    assert ERASED in sent


def test_a_stream_begins_with_the_sources(says: Converse) -> None:
    engine = says()
    events = list(engine.stream_answer(EXERCISE))
    assert isinstance(events[0], SourcesFound)


def test_small_talk_does_not_ask_the_language_model(says: Converse) -> None:
    engine = says()
    assert engine.answer("Good morning!").text.startswith("Hello!")
    assert fake_of(engine).asked == []
