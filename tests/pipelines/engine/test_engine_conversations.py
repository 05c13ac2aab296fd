"""Conversations in Python: a tenant of few documents, without a language model."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.catalogue.turns import ERASED, ERASED_QUESTION
from pipelines.errors import ConversationBusy, ConversationNotFound, InvalidRequest
from pipelines.query import spelling
from pipelines.types import AnswerDone, DocumentInput, Message
from tests.conftest import OpenTenant
from tests.pipelines.engine.conversing import (
    AGE,
    BEAGLE,
    EXERCISE,
    PROFILE,
    Converse,
)


def test_a_question_starts_a_conversation_and_the_next_one_continues_it(kennel: Converse) -> None:
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


def test_a_search_uses_a_conversation_and_adds_no_turn(kennel: Converse) -> None:
    engine = kennel()
    name = engine.answer(EXERCISE).conversation_id
    found = engine.search(AGE, conversation_id=name)
    assert found.rewritten_question == f"{AGE} beagle"
    assert found[0].document_id == "beagle.md"
    assert len(engine.conversations.conversation(name or "").turns) == 1
    assert engine.search(AGE, conversation_id="nobody's").rewritten_question is None
    with pytest.raises(ConversationNotFound):
        engine.conversations.conversation("nobody's")


def test_a_follow_up_is_not_counted_among_the_questions_asked_often(kennel: Converse) -> None:
    """As it was looked for nobody asked it, and by itself it says nothing."""
    engine = kennel()
    name = engine.answer(EXERCISE).conversation_id
    engine.answer(AGE, conversation_id=name)
    engine.search(AGE, conversation_id=name)
    assert [one.query for one in engine.usage().queries] == [EXERCISE]
    assert engine.usage().searches.count == 3


def test_a_question_with_its_own_subject_is_not_rewritten(kennel: Converse) -> None:
    engine = kennel()
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer("Do Siamese cats like water?", conversation_id=name).rewritten_question is None


def test_without_rewriting_a_question_stays_as_it_is(kennel: Converse) -> None:
    engine = kennel("conversations: {rewrite: off}")
    name = engine.answer(EXERCISE).conversation_id
    assert engine.answer(AGE, conversation_id=name).rewritten_question is None


def test_without_storage_no_conversation_is_started(kennel: Converse) -> None:
    engine = kennel("conversations: {ttl_hours: 0}")
    assert engine.answer(EXERCISE).conversation_id is None
    assert engine.conversations.list().conversations == ()
    with pytest.raises(InvalidRequest, match="ttl_hours"):
        engine.answer(EXERCISE, conversation_id="mine")


def test_a_client_side_history_stores_no_conversation(kennel: Converse) -> None:
    engine = kennel()
    assert engine.answer(EXERCISE, history=()).conversation_id is None
    assert engine.conversations.list().conversations == ()
    with pytest.raises(InvalidRequest, match="history"):
        engine.answer(EXERCISE, history=(), conversation_id="mine")


def test_a_follow_up_is_understood_after_a_client_side_conversation(kennel: Converse) -> None:
    engine = kennel("conversations: {ttl_hours: 0}")
    history = [Message("user", EXERCISE), Message("assistant", "60 minutes a day.")]
    answer = engine.answer(AGE, history=history)
    assert (answer.rewritten_question, answer.sources[0].document_id) == (f"{AGE} beagle", "beagle.md")
    assert engine.answer(AGE, history=history[1:]).rewritten_question is None, "nothing was asked before"


def test_a_question_is_made_standalone_after_client_side_turns(kennel: Converse) -> None:
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


def test_small_talk_is_replied_to_without_documents_and_names_no_subject(kennel: Converse) -> None:
    engine = kennel()
    engine.answer("Do pugs snore?", conversation_id="c")
    thanked = engine.answer("Thank you!", conversation_id="c")
    assert thanked.text.startswith("You're welcome!")
    assert (thanked.citations, thanked.sources, thanked.abstained) == ((), (), False)
    assert (thanked.model, thanked.llm_generated, thanked.confidence) == ("small_talk", False, 1.0)
    assert "word for word" not in thanked._repr_html_()
    followed = engine.answer(AGE, conversation_id="c")
    assert followed.rewritten_question == f"{AGE} pugs"


def test_a_question_is_looked_for_without_what_is_said_around_it(kennel: Converse) -> None:
    engine = kennel()
    plain = engine.answer(EXERCISE)
    polite = engine.answer(f"Hello! I am new to this. {EXERCISE} Thank you!")
    assert polite.question == f"Hello! I am new to this. {EXERCISE} Thank you!"
    assert polite.rewritten_question is None
    assert (polite.text, polite.confidence) == (plain.text, plain.confidence)
    follow_up = engine.answer(f"Thanks! {AGE}", conversation_id=polite.conversation_id)
    assert follow_up.rewritten_question == f"{AGE} beagle"
    assert "12 to 15 years" in follow_up.text


def test_a_slip_in_a_question_is_corrected_and_shown(kennel: Converse, open_tenant: OpenTenant) -> None:
    engine = kennel()
    right = engine.answer(EXERCISE)
    slipped = engine.answer("How much exrecise does a begale need?")
    assert slipped.rewritten_question == EXERCISE
    assert (slipped.text, slipped.confidence) == (right.text, right.confidence)
    assert engine.search("begale exrecise").rewritten_question == "beagle exercise"
    engine.close()
    off = open_tenant(PROFILE.replace("SECTIONS", "retrieval: {expansion: {spelling: false}}"))
    assert off.answer("How much exrecise does a begale need?").rewritten_question is None


def test_a_tenant_that_is_ready_has_read_the_dictionary(kennel: Converse) -> None:
    engine = kennel()
    spelling._dictionary.cache_clear()
    engine.check_ready()
    assert spelling._dictionary.cache_info().currsize == 1
    engine.search("begale exrecise")
    assert spelling._dictionary.cache_info().misses == 1
