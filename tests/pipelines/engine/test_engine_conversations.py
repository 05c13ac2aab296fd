"""Conversations in Python: a tenant of few documents, without a language model, and with a stand-in for Ollama."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest

from pipelines.catalogue.turns import ERASED, ERASED_QUESTION
from pipelines.engine import Engine
from pipelines.errors import ConversationBusy, ConversationNotFound, InvalidRequest, LlmUnavailable
from pipelines.query.conversation.history import SUMMARISE
from pipelines.types import AnswerDone, DocumentInput, Message, SourcesFound
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, Said, ollama_server

PROFILE = """
tenant: kennel
title: the kennel
SECTIONS
"""
LLM = """
llm: {provider: ollama, model: m, base_url: "URL", timeouts: {call_s: 20, token_s: 5, decision_s: DECISION}, MORE}
"""
BEAGLE = (
    "# Beagle\n\nBeagles need 60 minutes of exercise a day. A bored beagle howls.\n\nBeagles live for 12 to 15 years."
)
PUG = "# Pug\n\nPugs need 30 minutes of exercise a day. A pug snores.\n\nPugs live for 13 to 15 years."
CAT = "# Siamese cat\n\nSiamese cats talk a lot. They do not like water.\n\nSiamese cats live for 15 to 20 years."
EXERCISE = "How much exercise does a beagle need?"
AGE = "How long do they live?"

Converse = Callable[..., Engine]


@pytest.fixture
def kennel(open_tenant: OpenTenant) -> Converse:
    def start(sections: str = "") -> Engine:
        engine = open_tenant(PROFILE.replace("SECTIONS", sections))
        names = {"beagle.md": BEAGLE, "pug.md": PUG, "cat.md": CAT}
        engine.ingest([DocumentInput(text, name) for name, text in names.items()])
        return engine

    return start


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


def fake_of(engine: Engine) -> FakeOllama:
    fake: FakeOllama = engine.fake  # type: ignore[attr-defined]
    return fake


def kind(asked: Asked) -> str:
    return "summary" if asked.last == SUMMARISE else "rewrite" if "stands alone" in asked.last else "answer"


def answers(asked: Asked) -> str:
    if kind(asked) == "rewrite":
        return json.dumps({"question": "How long do beagles live?"})
    return "They asked about beagles." if kind(asked) == "summary" else "It is [1]."


def asked_of(engine: Engine, wanted: str) -> list[Asked]:
    return [asked for asked in fake_of(engine).asked if kind(asked) == wanted]


def test_a_question_begins_a_conversation_and_the_next_one_goes_on_with_it(kennel: Converse) -> None:
    engine = kennel()
    first = engine.answer(EXERCISE)
    assert first.conversation_id is not None
    assert first.rewritten_question is None
    second = engine.answer(AGE, conversation_id=first.conversation_id)
    assert (second.conversation_id, second.question) == (first.conversation_id, AGE)
    assert second.rewritten_question == f"{AGE} beagle"
    assert second.sources[0].document_id == "beagle.md"
    assert "12 to 15 years" in second.text
    kept = engine.conversations.conversation(first.conversation_id)
    assert [(turn.question, turn.rewritten_question) for turn in kept.turns] == [
        (EXERCISE, None),
        (AGE, f"{AGE} beagle"),
    ]
    assert kept.turns[1].text == second.text
    assert kept.turns[1].citations == second.citations
    assert kept.title == EXERCISE


def test_an_id_of_the_askers_own_begins_a_conversation(kennel: Converse) -> None:
    engine = kennel()
    assert engine.answer(EXERCISE, conversation_id="my talk/1").conversation_id == "my talk/1"
    assert [one.conversation_id for one in engine.conversations.list().conversations] == ["my talk/1"]
    assert engine.conversations.delete("my talk/1") == 1
    with pytest.raises(ConversationNotFound, match="my talk/1"):
        engine.conversations.conversation("my talk/1")


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", "\ud800", 7])
def test_an_id_that_cannot_be_kept_is_refused(kennel: Converse, name: Any) -> None:
    engine = kennel()
    for ask in (engine.answer, engine.stream_answer, engine.search):
        with pytest.raises(InvalidRequest, match="conversation_id"):
            ask(EXERCISE, conversation_id=name)


def test_of_a_long_conversation_that_is_kept_elsewhere_the_latest_part_is_sent(says: Converse) -> None:
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


def test_a_search_goes_on_from_a_conversation_and_is_no_turn_of_it(kennel: Converse) -> None:
    engine = kennel()
    name = engine.answer(EXERCISE).conversation_id
    found = engine.search(AGE, conversation_id=name)
    assert found.rewritten_question == f"{AGE} beagle"
    assert found[0].document_id == "beagle.md"
    assert len(engine.conversations.conversation(name or "").turns) == 1
    assert engine.search(AGE, conversation_id="nobody's").rewritten_question is None
    with pytest.raises(ConversationNotFound):
        engine.conversations.conversation("nobody's")


def test_a_question_that_says_what_it_is_about_stays_as_it_is(kennel: Converse) -> None:
    engine = kennel()
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer("Do Siamese cats like water?", conversation_id=name).rewritten_question is None


def test_without_rewriting_a_question_stays_as_it_is(kennel: Converse) -> None:
    engine = kennel("conversations: {rewrite: off}")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question is None


def test_where_nothing_is_kept_no_conversation_is_begun(kennel: Converse) -> None:
    engine = kennel("conversations: {ttl_hours: 0}")
    assert engine.answer(EXERCISE).conversation_id is None
    assert engine.conversations.list().conversations == ()
    with pytest.raises(InvalidRequest, match="ttl_hours"):
        engine.answer(EXERCISE, conversation_id="mine")


def test_an_asker_who_keeps_the_conversation_leaves_none_here(kennel: Converse) -> None:
    engine = kennel()
    assert engine.answer(EXERCISE, history=()).conversation_id is None
    assert engine.conversations.list().conversations == ()
    with pytest.raises(InvalidRequest, match="history"):
        engine.answer(EXERCISE, history=(), conversation_id="mine")


def test_a_follow_up_is_understood_behind_a_conversation_that_the_asker_keeps(kennel: Converse) -> None:
    engine = kennel("conversations: {ttl_hours: 0}")
    history = [Message("user", EXERCISE), Message("assistant", "60 minutes a day.")]
    answer = engine.answer(AGE, history=history)
    assert (answer.rewritten_question, answer.sources[0].document_id) == (f"{AGE} beagle", "beagle.md")
    assert engine.answer(AGE, history=history[1:]).rewritten_question is None, "nothing was asked before"


def test_a_question_stands_alone_behind_turns_that_are_kept_elsewhere(kennel: Converse) -> None:
    engine = kennel()
    assert engine.standalone(AGE, [(EXERCISE, "60 minutes.")]) == f"{AGE} beagle"
    assert engine.standalone(AGE, []) == AGE


def test_a_stream_that_is_closed_leaves_nothing_of_its_turn(kennel: Converse) -> None:
    engine = kennel()
    engine.answer(EXERCISE, conversation_id="mine")
    engine.stream_answer(AGE, conversation_id="mine").close()
    reading = engine.stream_answer(AGE, conversation_id="mine")
    next(reading)
    with pytest.raises(ConversationBusy):
        engine.answer(AGE, conversation_id="mine")
    reading.close()
    assert len(engine.conversations.conversation("mine").turns) == 1
    *_, done = engine.stream_answer(AGE, conversation_id="mine")
    assert isinstance(done, AnswerDone)
    assert done.answer.conversation_id == "mine"
    assert len(engine.conversations.conversation("mine").turns) == 2


def test_a_question_that_is_refused_leaves_nothing(kennel: Converse) -> None:
    engine = kennel()
    for refused in ({"top_k": 0}, {"as_of": 99}, {"llm": {"model": "x"}}, {"filters": {"x": 1}}):
        with pytest.raises(InvalidRequest):
            engine.answer(EXERCISE, conversation_id="mine", **refused)
    assert engine.conversations.list().conversations == ()
    assert engine.answer(EXERCISE, conversation_id="mine").conversation_id == "mine"


def test_conversations_outlive_the_process(open_tenant: OpenTenant, kennel: Converse) -> None:
    engine = kennel()
    engine.answer(EXERCISE, conversation_id="mine")
    left = engine.stream_answer(AGE, conversation_id="mine")
    next(left)
    engine.close()
    again = open_tenant(PROFILE.replace("SECTIONS", ""))
    assert again.answer(AGE, conversation_id="mine").rewritten_question == f"{AGE} beagle"
    assert len(again.conversations.conversation("mine").turns) == 2


def test_a_purge_erases_the_quotes_of_conversations_and_counts_them(kennel: Converse) -> None:
    engine = kennel()
    for name in ("one", "two"):
        engine.answer(EXERCISE, conversation_id=name)
    engine.answer("Do Siamese cats like water?", conversation_id="two", filters=None)
    quoted = [citation.document_id for citation in engine.conversations.conversation("two").turns[1].citations]
    assert "beagle.md" not in quoted
    assert engine.delete("beagle.md").turns_erased == 0
    assert "60 minutes" in engine.conversations.conversation("one").turns[0].text, "its history can still be read"
    assert engine.delete("beagle.md", purge=True).turns_erased == 2
    [turn] = engine.conversations.conversation("one").turns
    assert (turn.question, turn.text, turn.citations, turn.erased) == (ERASED_QUESTION, ERASED, (), True)
    assert [turn.erased for turn in engine.conversations.conversation("two").turns] == [True, False]


def test_retention_erases_the_quotes_of_versions_that_it_takes_away(kennel: Converse) -> None:
    engine = kennel("retention: {versions: 1}")
    engine.answer(EXERCISE, conversation_id="old")
    engine.ingest([DocumentInput(BEAGLE.replace("60", "90"), "beagle.md")])
    engine.answer(EXERCISE, conversation_id="new")
    engine.purge()
    assert engine.conversations.conversation("old").turns[0].erased
    assert "90 minutes" in engine.conversations.conversation("new").turns[0].text


def test_each_turn_sends_the_model_exactly_what_it_has_read_before_and_more(says: Converse) -> None:
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


def plain(message: Any) -> dict[str, str]:
    return {"role": message["role"], "content": message["content"]}


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
    ["beagles", '{"question": ""}', '{"question": 7}', json.dumps({"question": "x" * 2000}), Said("", "missing")],
)
def test_a_model_that_writes_no_question_leaves_it_to_the_rule(says: Converse, said: str | Said) -> None:
    engine = says(lambda asked: said if kind(asked) == "rewrite" else "It is [1].")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question == f"{AGE} beagle"


def test_a_model_that_takes_its_time_leaves_it_to_the_rule(says: Converse) -> None:
    engine = says(
        lambda asked: Said("{}", "stall") if kind(asked) == "rewrite" else "It is [1].",
        decision_s=0.2,
    )
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question == f"{AGE} beagle"


def test_a_question_that_the_model_leaves_as_it_is_was_not_rewritten(says: Converse) -> None:
    engine = says(lambda asked: json.dumps({"question": AGE}) if kind(asked) == "rewrite" else "It is [1].")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question is None


def test_an_answer_that_breaks_off_leaves_nothing_of_its_turn(says: Converse) -> None:
    broken = threading.Event()

    def script(asked: Asked) -> str | Said:
        if kind(asked) == "answer" and broken.is_set():
            return Said("So it is, and on it goes. " * 20, "broken-after-3")
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
    engine = says(lambda asked: Said("", "missing") if json.dumps(EXERCISE) in asked.last else answers(asked))
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
        lambda asked: Said("", "missing") if kind(asked) == "summary" else answers(asked),
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


def test_a_purge_takes_what_the_model_read_out_of_the_turns_to_come(says: Converse) -> None:
    engine = says()
    engine.answer("What does a bored beagle do?", conversation_id="mine", top_k=1)
    engine.answer("Do Siamese cats like water?", conversation_id="mine", top_k=1)
    receipt = engine.delete("beagle.md", purge=True)
    assert receipt.turns_erased == 2, "the second answer was written behind the first"
    engine.answer("Do Siamese cats talk?", conversation_id="mine", top_k=1)
    sent = json.dumps([plain(message) for message in fake_of(engine).asked[-1].messages])
    assert "howls" not in sent
    assert ERASED in sent


def test_a_follow_up_by_the_word_of_an_answer_is_erased_with_what_that_was_made_of(kennel: Converse) -> None:
    engine = kennel()
    engine.ingest([DocumentInput("Harriers are the fastest of all hounds.", "harrier.md")])
    engine.answer("Which are the fastest of all hounds?", conversation_id="mine", top_k=1)
    asked = engine.answer("Do they like water?", conversation_id="mine")
    assert asked.rewritten_question == "Do they like water? Harriers"
    engine.delete("harrier.md", purge=True)
    turns = engine.conversations.conversation("mine").turns
    assert [turn.erased for turn in turns] == [True, True]
    assert turns[1].rewritten_question is None


def test_a_stream_begins_with_the_sources(says: Converse) -> None:
    engine = says()
    events = list(engine.stream_answer(EXERCISE))
    assert isinstance(events[0], SourcesFound)


def test_small_talk_is_replied_to_without_documents_and_names_no_subject(kennel: Converse) -> None:
    engine = kennel()
    engine.answer("Do pugs snore?", conversation_id="c")
    thanked = engine.answer("Thank you!", conversation_id="c")
    assert thanked.text.startswith("You're welcome!")
    assert (thanked.citations, thanked.sources, thanked.abstained) == ((), (), False)
    followed = engine.answer(AGE, conversation_id="c")
    assert followed.rewritten_question == f"{AGE} pugs"


def test_small_talk_does_not_ask_the_language_model(says: Converse) -> None:
    engine = says()
    assert engine.answer("Good morning!").text.startswith("Hello!")
    assert fake_of(engine).asked == []
