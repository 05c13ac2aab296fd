"""Active learning: which questions are worth a judgement next."""

from __future__ import annotations

import pytest

from pipelines.engine import Engine
from pipelines.errors import InvalidRequest
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = "tenant: kennel\nstore: {engine: memory}\n"
KNOWN = "How much exercise does a beagle need?"
UNKNOWN = "What do beagles think of opera?"


@pytest.fixture
def engine(open_tenant: OpenTenant) -> Engine:
    engine = open_tenant(PROFILE)
    engine.ingest([DocumentInput("Beagles need 60 minutes of exercise a day.", "beagle.md")])
    return engine


def test_questions_that_are_asked_often_and_uncertain_come_first(engine: Engine) -> None:
    for question in (KNOWN, UNKNOWN, UNKNOWN.upper(), UNKNOWN):
        latest = engine.answer(question)
    listed = engine.unlabelled()
    by_question = {one.question: one for one in listed}
    assert set(by_question) == {KNOWN, UNKNOWN}
    assert (by_question[UNKNOWN].count, by_question[UNKNOWN].answer_id) == (3, latest.answer_id)
    assert by_question[KNOWN].count == 1
    assert [one.worth for one in listed] == sorted((one.worth for one in listed), reverse=True)
    expected = 1 - abs(2 * by_question[KNOWN].confidence - 1)
    assert by_question[KNOWN].worth == pytest.approx(expected)
    assert len(engine.unlabelled(1)) == 1


def test_a_judged_answer_is_not_asked_for_again(engine: Engine) -> None:
    answer = engine.answer(KNOWN)
    assert [one.answer_id for one in engine.unlabelled()] == [answer.answer_id]
    engine.feedback(answer.answer_id, helpful=True)
    assert engine.unlabelled() == []


def test_a_question_of_which_an_answer_was_judged_is_not_asked_for_again(engine: Engine) -> None:
    answers = [engine.answer(KNOWN) for _ in range(3)]
    engine.feedback(answers[1].answer_id, helpful=True)
    assert engine.unlabelled() == []
    engine.withdraw_feedback(answers[1].answer_id)
    assert [one.count for one in engine.unlabelled()] == [3]


def test_a_greeting_is_no_question_to_judge(engine: Engine) -> None:
    engine.answer("Hello!")
    assert engine.unlabelled() == []


def test_other_filters_make_another_question(open_tenant: OpenTenant) -> None:
    engine = open_tenant(f"{PROFILE}metadata: {{fields: {{species: {{type: keyword}}}}}}\n")
    engine.ingest([DocumentInput("Beagles run.", "b.md", metadata={"species": "dog"})])
    engine.answer(KNOWN)
    engine.answer(KNOWN, filters={"species": "dog"})
    assert {str(one.filters) for one in engine.unlabelled()} == {"None", "{'species': 'dog'}"}


@pytest.mark.parametrize("limit", [0, 1001])
def test_a_limit_out_of_bounds_is_refused(engine: Engine, limit: int) -> None:
    with pytest.raises(InvalidRequest, match="1000"):
        engine.unlabelled(limit)
