"""Language models that fail, or find no end."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.errors import LlmTimeout, LlmUnavailable
from pipelines.types import SourcesFound, TextWritten
from tests.conftest import OpenTenant
from tests.fakes.ollama import Reply
from tests.pipelines.engine.kennel_model import QUESTION, Ask, fake_of, texts


@pytest.mark.parametrize("model", ["crash", "broken", "rubbish", "page", "odd", "missing", "forbidden", "empty"])
def test_a_model_that_fails_leaves_the_extracts_marked_as_degraded(says: Ask, model: str) -> None:
    events = list(says(model=model).stream_answer(QUESTION))
    answer = events[-1].answer
    assert (answer.degraded, answer.llm_generated, answer.model) == (True, False, "extractive")
    assert "60 minutes" in answer.text
    assert texts(events) == answer.text
    assert [type(event) for event in events].count(SourcesFound) == 1


def test_a_model_that_fails_is_logged_once_and_again_after_it_has_answered(
    says: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    engine = says("Sixty minutes [1].", model="crash")
    for model in ({}, {}, {"model": "other"}, {}):
        engine.answer(QUESTION, history=(), llm=model)
    assert sum("come from extracts" in record.getMessage() for record in caplog.records) == 2


def test_a_model_that_fails_in_the_middle_counts_as_failed_where_the_answer_is_whole(says: Ask) -> None:
    assert says(model="broken-after-3").answer(QUESTION).degraded


def test_a_model_that_fails_in_the_middle_of_a_stream_raises_then(says: Ask) -> None:
    events = says(model="cut-after-3", answer="unsupported: annotate").stream_answer(QUESTION)
    read: list[Any] = []
    with pytest.raises(LlmUnavailable):
        for event in events:
            read.append(event)
    assert texts(read) == "The documents say"


def test_a_profile_may_want_an_error_instead(says: Ask) -> None:
    with pytest.raises(LlmUnavailable):
        says(model="crash", fallback="error").answer(QUESTION)
    with pytest.raises(LlmTimeout):
        says(model="stall-after-2", fallback="error").answer(QUESTION)


# Token by token: at full speed the budget of the one would be used up before anybody could hang up.
@pytest.mark.parametrize("model", ["loop+drip-5ms", "endless"])
def test_a_model_that_repeats_itself_is_stopped(says: Ask, model: str) -> None:
    engine = says(model=model)
    answer = engine.answer(QUESTION)
    assert answer.truncated
    (asked,) = fake_of(engine).asked
    assert asked.ended.wait(20)
    assert asked.gone.is_set()
    assert len(answer.text) < 600


def test_an_answer_that_uses_up_its_budget_is_marked_as_cut_off(says: Ask, open_tenant: OpenTenant) -> None:
    engine = says(" ".join(f"word{n}" for n in range(3000)), answer="unsupported: annotate")
    assert engine.answer(QUESTION).truncated


def test_closing_the_stream_stops_the_model(says: Ask) -> None:
    engine = says(Reply("Beagles are dogs. " * 500, "drip-10ms"))
    events = engine.stream_answer(QUESTION)
    assert isinstance(next(events), SourcesFound)
    next(event for event in events if isinstance(event, TextWritten) and event.text)  # the model has begun
    events.close()  # type: ignore[attr-defined]
    (asked,) = fake_of(engine).asked
    assert asked.gone.wait(20)


@pytest.mark.parametrize("said", ["[1]", "[1][2]\n", "【99】 ...", "<think>It is [1], or not.", "<think></think>\n"])
def test_an_answer_without_words_counts_as_failed(says: Ask, said: str) -> None:
    assert says(said).answer(QUESTION).degraded
