"""Answers that are given again: when, to whom, and until when; with a stand-in for Ollama that counts its calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine
from pipelines.types import Answer, AnswerDone, CitationMade, DocumentInput, SourcesFound, TextWritten
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, ollama_server

PROFILE = """
tenant: TENANT
title: the kennel
store: {engine: memory}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite]}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
llm:
  {provider: ollama, model: MODEL, base_url: "URL", timeouts: {call_s: 20, token_s: 5},
   allowed: [{provider: ollama, model: other}]}
answer: {cache: {mode: CACHE}MORE}
"""
BEAGLE = "Beagles need 60 minutes of exercise a day. A bored beagle howls."
CANARY = "CANARY-8841"
QUESTION = "How much exercise does a beagle need?"
PLATFORM = {"level": "platform"}

Start = Callable[..., Engine]


@pytest.fixture
def says(open_tenant: OpenTenant) -> Iterator[Start]:
    """Opens a tenant whose model quotes its first source, and says how often it was asked."""
    with ExitStack() as opened:

        def start(
            tenant: str = "kennel", model: str = "m", more: str = "", cache: str = "exact", script: Any = quotes
        ) -> Engine:
            fake = opened.enter_context(ollama_server(script))
            profile = PROFILE.replace("TENANT", tenant).replace("MODEL", model).replace("URL", fake.url)
            engine = open_tenant(profile.replace("CACHE", cache).replace("MORE", more))
            engine.ingest([DocumentInput(BEAGLE, "beagle.md", metadata=PLATFORM)])
            engine.fake = fake  # type: ignore[attr-defined]
            return engine

        yield start


def quotes(asked: Asked) -> str:
    first = next(json.loads(line) for line in asked.last.splitlines() if line.startswith('{"source"'))
    return f"{first['text'].splitlines()[0]} [1]\nSo it is written. [1]"


def calls(engine: Engine) -> int:
    fake: FakeOllama = engine.fake  # type: ignore[attr-defined]
    return len(fake.asked)


def said(answer: Answer) -> dict[str, Any]:
    """What an answer says, without what is its own."""
    own = ("answer_id", "conversation_id", "timings_ms", "cached", "exchange", "question")
    return {name: value for name, value in asdict(answer).items() if name not in own}


def test_the_same_question_is_answered_once(says: Start) -> None:
    engine = says()
    first, second = engine.answer(QUESTION), engine.answer("  how much exercise does a beagle need")
    assert (first.cached, second.cached, calls(engine)) == (False, True, 1)
    assert said(first) == said(second)
    assert second.question == "  how much exercise does a beagle need"
    assert first.answer_id != second.answer_id
    assert list(second.timings_ms) == ["cache"]
    use = engine.cache_use()
    assert (use.mode, use.hits, use.misses, use.entries) == ("exact", 1, 1, 1)
    engine.answer(QUESTION)
    used = engine.usage()
    assert (used.queries[0].count, used.documents[0].count, used.searches.count) == (2, 3, 1)


def test_by_default_no_answer_is_cached(open_tenant: OpenTenant) -> None:
    engine = open_tenant("store: {engine: memory}")
    engine.ingest([DocumentInput(BEAGLE, "beagle.md")])
    assert not any(engine.answer(QUESTION).cached for _ in range(2))
    assert (engine.cache_use().mode, engine.cache_use().misses) == ("off", 0)


def test_a_known_answer_comes_as_a_stream_like_any_other(says: Start) -> None:
    engine = says()
    first, again = list(engine.stream_answer(QUESTION)), list(engine.stream_answer(QUESTION))
    done = again[-1]
    assert isinstance(done, AnswerDone)
    assert done.answer.cached
    assert isinstance(again[0], SourcesFound)
    assert again[0].sources == done.answer.sources
    assert "".join(event.text for event in again if isinstance(event, TextWritten)) == done.answer.text
    assert [event for event in again if isinstance(event, CitationMade)] == [
        event for event in first if isinstance(event, CitationMade)
    ]
    cited = next(at for at, event in enumerate(again) if isinstance(event, CitationMade))
    before = "".join(event.text for event in again[:cited] if isinstance(event, TextWritten))
    assert before.endswith("[1]")
    assert calls(engine) == 1


def test_a_cached_answer_is_a_turn_of_its_own_conversation(says: Start) -> None:
    engine = says()
    engine.answer(QUESTION)
    known = engine.answer(QUESTION, conversation_id="mine")
    assert (known.cached, known.conversation_id) == (True, "mine")
    (turn,) = engine.conversations.conversation("mine").turns
    assert (turn.answer_id, turn.text, turn.citations) == (known.answer_id, known.text, known.citations)
    before = calls(engine)
    assert not engine.answer(QUESTION, conversation_id="mine").cached
    assert calls(engine) > before
    assert not engine.answer(QUESTION, history=[*_exchange(turn)]).cached
    assert engine.answer(QUESTION, history=()).cached


def _exchange(turn: Any) -> Iterator[Any]:
    from pipelines.types import Message

    yield Message("user", turn.question)
    yield Message("assistant", turn.text)


def test_a_follow_up_of_a_cached_answer_sees_that_answer(says: Start) -> None:
    engine = says()
    engine.answer(QUESTION)
    engine.answer("how much exercise does a beagle need", conversation_id="mine")
    engine.answer("Why does it howl?", conversation_id="mine")
    fake: FakeOllama = engine.fake  # type: ignore[attr-defined]
    asked = [message["content"] for message in fake.asked[-1].messages]
    assert asked[1] == "how much exercise does a beagle need"
    assert "60 minutes" in asked[2]


@pytest.mark.parametrize(
    "asked",
    [
        {"top_k": 1},
        {"filters": {"level": "platform"}},
        {"scope": {"suite": "fed"}},
        {"llm": {"model": "other"}},
        {"as_of": 1},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_different_parameters_miss_the_cache(says: Start, asked: dict[str, Any]) -> None:
    engine = says()
    engine.ingest([DocumentInput("Pugs snore.", "pug.md", metadata=PLATFORM)])
    engine.answer(QUESTION)
    assert not engine.answer(QUESTION, **asked).cached
    assert engine.answer(QUESTION, **asked).cached
    assert calls(engine) == 2


def test_every_change_of_the_documents_clears_cached_answers(says: Start) -> None:
    engine = says()
    changes: list[Callable[[], object]] = [
        lambda: engine.ingest([DocumentInput("Pugs snore.", "pug.md", metadata=PLATFORM)]),
        lambda: engine.ingest([DocumentInput(f"{BEAGLE} Really.", "beagle.md", metadata=PLATFORM)]),
        lambda: engine.delete("pug.md"),
    ]
    for change in changes:
        assert not engine.answer(QUESTION).cached
        assert engine.answer(QUESTION).cached
        change()
    assert "Really" in str(engine.answer(QUESTION).sources)


@pytest.mark.parametrize("purge", [False, True])
def test_a_document_that_goes_takes_its_answers_along_and_the_receipt_counts_them(says: Start, purge: bool) -> None:
    engine = says()
    engine.answer(QUESTION)
    engine.answer("Why does it howl?")
    without = engine.ingest([DocumentInput("Pugs snore.", "pug.md", metadata=PLATFORM)])
    assert without[0].state == "ready"
    engine.answer(QUESTION)
    engine.answer(QUESTION, as_of=1)
    held = engine._parts.answer_cache  # what is in memory, whatever is still found
    assert held.count_of("beagle.md") == 2
    receipt = engine.delete("beagle.md", purge)
    assert receipt.cache_entries_removed == 1 + 2  # one vector
    if purge:
        assert held.count_of("beagle.md") == 0
        assert "60 minutes" not in str(engine.answer(QUESTION, as_of=1))
    assert "60 minutes" not in str(engine.answer(QUESTION))


def test_answers_from_expired_versions_are_not_reused(open_tenant: OpenTenant) -> None:
    engine = open_tenant("{store: {engine: memory}, retention: {versions: 1}, answer: {cache: {mode: exact}}}")
    engine.ingest([DocumentInput(f"{BEAGLE} {CANARY}.", "beagle.md")])
    engine.ingest([DocumentInput(BEAGLE, "beagle.md")])
    engine.answer(CANARY, as_of=1)
    assert engine.answer(CANARY, as_of=1).cached
    assert engine.purge().versions_removed == 1
    assert engine.cache_use().entries == 0


@pytest.mark.parametrize("model", ["crash", "broken-after-3", "endless"])
def test_an_answer_that_went_wrong_is_not_given_again(says: Start, model: str) -> None:
    engine = says(model=model, script=None, more=", unsupported: annotate")
    first = engine.answer(QUESTION)
    assert first.degraded or first.truncated
    assert not engine.answer(QUESTION).cached
    assert engine.cache_use().entries == 0


def test_a_stream_that_was_left_is_not_given_again(says: Start) -> None:
    engine = says()
    events = engine.stream_answer(QUESTION)
    while not isinstance(next(events), TextWritten):
        pass
    events.close()
    assert engine.cache_use().entries == 0
    assert not engine.answer(QUESTION).cached


@pytest.mark.parametrize("said", [{"helpful": False}, {"citations": [{"number": 1, "correct": False}]}])
def test_an_answer_rated_wrong_is_not_reused(says: Start, said: dict[str, Any]) -> None:
    engine = says()
    engine.answer(QUESTION)
    again = engine.answer(QUESTION)
    engine.feedback(again.answer_id, helpful=True)
    assert engine.answer(QUESTION).cached
    engine.feedback(again.answer_id, **said)
    assert not engine.answer(QUESTION).cached


def test_answers_with_another_prompt_are_apart(says: Start, tmp_path: Path) -> None:
    prompt = "# system\nYou answer.\n\n# user\n{{sources}}\n\n{{question}}\n"
    for name in ("short", "long"):
        (tmp_path / f"{name}.md").write_text(f"{prompt}\nBe {name}.")
    engine = says(more=", variants: [{name: short, prompt: short.md}, {name: long, prompt: long.md}]")
    answers = [engine.answer(QUESTION, user=f"user {number}") for number in range(8)]
    for name in ("short", "long"):
        assert [answer.cached for answer in answers if answer.variant == name][:2] == [False, True]
    assert calls(engine) == 2


def test_answers_are_not_shared_between_scopes(says: Start) -> None:
    engine = says()
    engine.ingest(
        [DocumentInput(f"{CANARY}: a beagle needs exercise.", "f", metadata={"level": "suite", "suite": "fed"})]
    )
    fed, corp = engine.within({"suite": "fed"}), engine.within({"suite": "corp"})
    for asker in (fed, engine):
        assert not asker.answer(QUESTION).cached
        assert asker.answer(QUESTION).cached
    assert CANARY in str(asdict(fed.answer(QUESTION)))
    answer = corp.answer(QUESTION)
    assert not answer.cached
    assert CANARY not in str(asdict(answer))
    assert not corp.answer(QUESTION, scope={"suite": "fed"}).cached
    assert (corp.cache_use().hits, corp.cache_use().entries) == (0, 2)
    assert (fed.cache_use().entries, engine.cache_use().entries) == (1, 4)
    assert fed.delete("f").cache_entries_removed == 1 + 1  # its vector, and what was answered under its own scope


def test_two_tenants_never_share(says: Start) -> None:
    cats, dogs = says("cats"), says("dogs")
    dogs.ingest([DocumentInput(f"{CANARY}: a beagle needs exercise.", "secret", metadata=PLATFORM)])
    assert CANARY in str(asdict(dogs.answer(QUESTION)))
    answer = cats.answer(QUESTION)
    assert not answer.cached
    assert CANARY not in str(asdict(answer))


def test_another_wording_is_the_same_question_and_another_word_is_not(says: Start) -> None:
    engine = says(cache="semantic")
    engine.answer(QUESTION)
    other = engine.answer("Could you please tell me how much exercise do beagles need?")
    assert other.cached
    assert other.conversation_id is not None
    (turn,) = engine.conversations.conversation(other.conversation_id).turns
    assert turn.question == "Could you please tell me how much exercise do beagles need?"
    assert turn.exchange is None
    for question in ("How much exercise does a young beagle need?", "How much exercise does a beagle not need?"):
        assert not engine.answer(question).cached


def test_unanswered_questions_are_listed_until_answered(open_tenant: OpenTenant) -> None:
    engine = open_tenant("{store: {engine: memory}, metadata: {fields: {kind: {type: keyword}}}}")
    for _ in range(2):
        assert engine.answer(QUESTION).reason == "no_hits"
    engine.ingest([DocumentInput("Pugs snore.", "pug.md", metadata={"kind": "dog"})])
    assert engine.answer("Why do pugs snore?", filters={"kind": "cat"}).reason == "filtered_out"
    reported = [(one.question, one.reason, one.count) for one in engine.usage().unanswered]
    assert reported == [(QUESTION, "no_hits", 2), ("Why do pugs snore?", "filtered_out", 1)]
    engine.ingest([DocumentInput(BEAGLE, "beagle.md")])
    assert not engine.answer(QUESTION).abstained
    assert [one.question for one in engine.usage().unanswered] == ["Why do pugs snore?"]
