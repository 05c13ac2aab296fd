"""Feedback and prompt variants through the engine, with a stand-in for Ollama."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import AnswerNotFound, FeedbackNotFound, InvalidRequest
from pipelines.types import Answer, CitationMark, DocumentInput, Message
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

PROFILE = """
tenant: kennel
title: the kennel
store: {engine: memory}
metadata: {fields: {species: {type: keyword}}}
conversations: {rewrite: rule}
llm: {provider: ollama, model: m, base_url: "URL", timeouts: {call_s: 20, token_s: 5}}
answer:
  variants:
    - {name: plain}
    - {name: terse, prompt: terse.md, weight: 1}
    - {name: retired, prompt: terse.md, weight: 0}
"""
TERSE = "# system\nBe terse.\n# user\n{{sources}}\n{{question}}\n"
BEAGLE = "Beagles need 60 minutes of exercise a day.\n\nBeagles live for 12 to 15 years."
QUESTION = "How much exercise does a beagle need?"
AGE = "How long do beagles live?"


def says(asked: Asked) -> Any:
    if "refuse" in asked.last:
        return Reply("", "crash")
    return "Beagles need 60 minutes of exercise a day [1]. They sing opera."


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeOllama]:
    with ollama_server(says) as server:
        yield server


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, fake: FakeOllama) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("kennel")
    (folder / "terse.md").write_text(TERSE)
    (folder / "kennel.yaml").write_text(PROFILE.replace("URL", fake.url))
    with open_engine(folder / "kennel.yaml", folder / "data") as opened:
        opened.ingest([DocumentInput(BEAGLE, "beagle.md", metadata={"species": "dog"})])
        yield opened


def asked_with(fake: FakeOllama) -> str:
    """The name of the variant whose prompt the model was last sent."""
    return "terse" if fake.asked[-1].messages[0]["content"] == "Be terse." else "plain"


def test_users_are_spread_over_the_variants_and_each_stays_with_its_own(engine: Engine, fake: FakeOllama) -> None:
    seen: dict[str, set[str | None]] = {}
    for user in ("ann", "bob", "cy", "dee", "eve", "flo"):
        for question in (QUESTION, AGE):
            answer = engine.answer(question, user=user)
            assert answer.variant == asked_with(fake)
            seen.setdefault(user, set()).add(answer.variant)
    assert all(len(variants) == 1 for variants in seen.values())
    assert set.union(*seen.values()) == {"plain", "terse"}


def test_a_conversation_keeps_its_variant_and_what_was_sent_before(engine: Engine, fake: FakeOllama) -> None:
    for user in ("ann", "bob", "cy"):
        first = engine.answer(QUESTION, user=user)
        before = list(fake.asked[-1].messages)
        for other in (None, "zoe"):
            second = engine.answer(AGE, conversation_id=first.conversation_id, user=other)
            assert second.variant == first.variant
        assert list(fake.asked[-2].messages)[: len(before)] == before


def test_without_a_conversation_that_is_kept_its_first_question_decides(engine: Engine) -> None:
    for question in (QUESTION, AGE, "Do beagles need exercise?"):
        first = engine.answer(question, history=())
        history = [Message("user", question), Message("assistant", first.text)]
        assert engine.answer(QUESTION, history=history).variant == first.variant
        assert engine.answer(question).variant == first.variant


def test_an_answer_that_the_model_did_not_write_counts_for_the_variant_that_it_was_asked_with(engine: Engine) -> None:
    before = {one.name: one for one in engine.experiments().variants}
    answer = engine.answer("Do beagles refuse exercise?", user="ann")
    after = {one.name: one for one in engine.experiments().variants}
    assert answer.degraded
    name = answer.variant or ""
    assert after[name].degraded == before[name].degraded + 1


def test_variants_are_reported_with_their_claims_and_thumbs(engine: Engine) -> None:
    answers = [engine.answer(QUESTION, user=f"judge {number}") for number in range(6)]
    before = {one.name: one for one in engine.experiments().variants}
    for answer in answers:
        engine.feedback(answer.answer_id, helpful=answer.variant == "terse", user="judge")
    experiment = engine.experiments()
    assert [one.name for one in experiment.variants] == ["plain", "terse", "retired"]
    after = {one.name: one for one in experiment.variants}
    for name, up in (("plain", 0), ("terse", 1)):
        mine = sum(answer.variant == name for answer in answers)
        assert after[name].helpful.of == before[name].helpful.of + mine
        assert after[name].helpful.count == before[name].helpful.count + mine * up
        assert after[name].claims == 2 * (after[name].answers - after[name].degraded)
        assert after[name].supported == after[name].unsupported == 0.5
        assert after[name].confidence is not None
        assert after[name].median_ms
    assert (after["retired"].answers, after["retired"].helpful.share) == (0, None)
    assert experiment.contrasts[0].baseline == "plain"
    assert experiment.left_out == 0


def test_empty_or_invalid_feedback_is_refused(engine: Engine) -> None:
    answer_id = engine.answer(QUESTION, user="ann").answer_id
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "feedback is empty: give helpful, comment or citations"),
        ({"comment": " \n"}, "feedback is empty"),
        ({"helpful": 1}, "helpful: must be true or false"),
        ({"comment": 5}, "comment: must be text"),
        ({"comment": "x" * 4001}, "comment: 4,001 characters are over the limit of 4,000"),
        ({"comment": "\ud800"}, "comment: contains an invalid character"),
        ({"citations": [{"number": 1}]}, "citations -> 0: must have number, correct and maybe comment"),
        ({"citations": [{"number": "1", "correct": True}]}, "citations -> 0 -> number: must be the number"),
        ({"citations": [{"number": 1, "correct": "no"}]}, "citations -> 0 -> correct: must be true or false"),
        ({"citations": [CitationMark(1, True), CitationMark(1, False)]}, "citation 1 is marked twice"),
        ({"citations": [CitationMark(9, True)]}, "the answer has no citation 9, it has 1 to 1"),
        ({"helpful": True, "user": ""}, "user: must be 1 to 400 printable characters"),
    ]
    for said, message in wrong:
        with pytest.raises(InvalidRequest, match=message):
            engine.feedback(answer_id, **said)
    with pytest.raises(AnswerNotFound, match='no answer "none" is stored'):
        engine.feedback("none", helpful=True)
    with pytest.raises(FeedbackNotFound):
        engine.withdraw_feedback(answer_id)
    with pytest.raises(InvalidRequest, match="limit"):
        engine.all_feedback(0)
    with pytest.raises(InvalidRequest, match="user"):
        engine.answer(QUESTION, user="a\nb")


def test_feedback_shows_the_question_and_its_citations(engine: Engine) -> None:
    before = engine.stats().feedback
    answer = engine.answer(QUESTION, filters={"species": "dog"}, user="ann", conversation_id="walk")
    follow_up = engine.answer("And how long do they live?", conversation_id="walk")
    said = engine.feedback(
        answer.answer_id,
        comment=" Not so. ",
        citations=[{"number": 1, "correct": False, "comment": "Old."}],
        user="bob",
    )
    assert (said.comment, said.citations[0].comment, said.citations[0].correct) == ("Not so.", "Old.", False)
    assert (said.asked_by, said.user, said.filters, said.follow_up) == ("ann", "bob", {"species": "dog"}, False)
    assert said.citations[0].span == answer.citations[0].span
    assert engine.feedback(follow_up.answer_id, helpful=False).follow_up
    assert [one.answer_id for one in engine.all_feedback(2).feedback] == [follow_up.answer_id, answer.answer_id]
    now = engine.stats().feedback
    assert now.answers == before.answers + 2
    assert now.not_helpful == before.not_helpful + 1
    assert now.citations_wrong == before.citations_wrong + 1


def test_answers_survive_a_restart_and_a_changed_prompt_starts_new_counts(tmp_path: Path, fake: FakeOllama) -> None:
    (tmp_path / "terse.md").write_text(TERSE)
    profile = tmp_path / "kennel.yaml"
    profile.write_text(PROFILE.replace("URL", fake.url).replace("store: {engine: memory}\n", ""))
    with open_engine(profile, tmp_path / "data") as engine:
        engine.ingest([DocumentInput(BEAGLE, "beagle.md")])
        answer = engine.answer(QUESTION, user="ann")
    (tmp_path / "terse.md").write_text(TERSE.replace("terse", "very terse"))
    with open_engine(profile, tmp_path / "data") as engine:
        assert engine.feedback(answer.answer_id, helpful=True).question == QUESTION
        report = engine.experiments()
        assert report.left_out + sum(one.answers for one in report.variants) == 1
        assert report.left_out == (answer.variant == "terse")


PLAIN = "tenant: plain\nstore: {engine: memory}\n"


def opened(open_tenant: OpenTenant, more: str = "") -> tuple[Engine, Answer]:
    engine = open_tenant(PLAIN + more)
    engine.ingest([DocumentInput(BEAGLE, "beagle.md"), DocumentInput("Pugs snore at night.", "pug.md")])
    return engine, engine.answer(QUESTION)


def test_a_purge_takes_the_comments_and_leaves_the_thumbs(open_tenant: OpenTenant) -> None:
    engine, answer = opened(open_tenant)
    engine.feedback(answer.answer_id, helpful=True, comment="60 minutes is right.", user="ann")
    engine.feedback(answer.answer_id, helpful=False, user="bob")
    pug = engine.answer("Do pugs snore?", top_k=1)
    engine.feedback(pug.answer_id, comment="They do.")
    assert engine.delete("beagle.md").comments_erased == 0
    assert [one.erased for one in engine.all_feedback().feedback] == [False, False, False]
    assert engine.delete("beagle.md", purge=True).comments_erased == 1
    given = {one.user: one for one in engine.all_feedback().feedback}
    assert (given["ann"].comment, given["ann"].helpful, given["ann"].erased) == (None, True, True)
    assert QUESTION not in {one.question for one in given.values()}
    assert not given["bob"].erased
    assert (given[None].question, given[None].comment) == ("Do pugs snore?", "They do.")


def test_without_a_language_model_answers_have_no_variant_and_can_be_judged(open_tenant: OpenTenant) -> None:
    engine, answer = opened(open_tenant)
    assert answer.variant is None
    assert engine.feedback(answer.answer_id, helpful=True).model == "extractive"
    assert engine.experiments().verdict == (
        "The profile has one prompt for everybody; answer -> variants names several.",
    )


def test_without_stored_answers_feedback_is_refused(open_tenant: OpenTenant) -> None:
    engine, answer = opened(open_tenant, "feedback: {keep_days: 0}\n")
    with pytest.raises(InvalidRequest, match="answer_id: the profile remembers no answers: feedback -> keep_days is 0"):
        engine.feedback(answer.answer_id, helpful=True)
    assert engine.stats().feedback.answers == 0
