"""Answers that the language model writes as JSON."""

from __future__ import annotations

import json

import pytest

from pipelines.errors import InvalidRequest
from pipelines.query.prompts import AS_JSON
from tests.fakes.ollama import Asked, Reply
from tests.pipelines.engine.kennel_model import QUESTION, Ask, fake_of, source


def test_json_is_checked_against_its_schema_and_repaired_once(says: Ask) -> None:
    def script(asked: Asked) -> str:
        number = source(Asked("", {}, {}, [asked.messages[1]]), "Beagles")
        right = {"sentences": [{"text": "Beagles need 60 minutes of exercise a day.", "sources": [number, 99]}]}
        return json.dumps(right) if len(asked.messages) > 2 else '{"sentences": [{"text": 5}]}'

    engine = says(script, answer="format: json")
    answer = engine.answer(QUESTION)
    assert answer.text == "Beagles need 60 minutes of exercise a day [1]."
    assert answer.removed_citations == (99,)
    first, second = fake_of(engine).asked
    assert first.messages[0]["content"].endswith(AS_JSON)
    assert isinstance(first.form, dict)
    assert "sentences -> 0 -> text" in second.last


def test_a_question_may_ask_for_json_and_the_next_one_for_text(says: Ask) -> None:
    def script(asked: Asked) -> str:
        number = source(Asked("", {}, {}, [asked.messages[-1]]), "Beagles")
        sentence = {"text": "Beagles need 60 minutes of exercise a day.", "sources": [number]}
        return json.dumps({"sentences": [sentence]}) if asked.form else f"Beagles need 60 minutes [{number}]."

    engine = says(script)
    assert engine.answer(QUESTION, format="json").text == "Beagles need 60 minutes of exercise a day [1]."
    assert engine.answer(QUESTION).text == "Beagles need 60 minutes [1]."
    first, second = fake_of(engine).asked
    assert first.messages[0]["content"].endswith(AS_JSON)
    assert not second.messages[0]["content"].endswith(AS_JSON)
    with pytest.raises(InvalidRequest, match="json"):
        engine.answer(QUESTION, format="jsn")  # type: ignore[arg-type]


def test_invalid_json_twice_counts_as_failed(says: Ask) -> None:
    assert says("no JSON", answer="format: json").answer(QUESTION).degraded


def test_invalid_json_without_room_for_a_retry_counts_as_failed(says: Ask) -> None:
    said = " ".join(f"word{n}" for n in range(3000))
    engine = says(said, answer="format: json, max_context_tokens: 400", llm="context_tokens: 2500, max_tokens: 1500,")
    assert engine.answer(QUESTION).degraded
    assert len(fake_of(engine).asked) == 1


def test_repeating_json_is_stopped(says: Ask) -> None:
    said = Reply('{"sentences": [' + '{"text": "A beagle.", "sources": [1]}, ' * 900, "drip-5ms")
    engine = says(said, answer="format: json")
    assert engine.answer(QUESTION).degraded
    assert all(asked.gone.wait(20) and len(asked.sent) < 300 for asked in fake_of(engine).asked)


def test_unknown_source_numbers_in_json_are_dropped(says: Ask) -> None:
    sentence = {"text": "Beagles need 60 minutes of exercise a day.", "sources": [-1, 10**12, 1]}
    answer = says(json.dumps({"sentences": [sentence]}), answer="format: json").answer(QUESTION)
    assert answer.text == "Beagles need 60 minutes of exercise a day [1]."


def test_json_without_sentences_does_not_know(says: Ask) -> None:
    answer = says('{"sentences": []}', answer="format: json").answer(QUESTION)
    assert (answer.abstained, answer.text) == (True, "I do not know.")
