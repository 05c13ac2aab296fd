"""Answers that are remembered, and what is said of them, on SQLite and on PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue
from pipelines.catalogue.answers import AnswerLog
from pipelines.catalogue.opinions import Opinions
from pipelines.catalogue.tables import AnswerRow, FeedbackRow
from pipelines.catalogue.trials import Trials
from pipelines.errors import AnswerNotFound, FeedbackNotFound, InvalidRequest, StoreUnavailable
from pipelines.types import Answer, Citation, CitationMark, Claim, Feedback, FeedbackTotals, Span
from tests.congruence.backends import BACKENDS
from tests.congruence.postgres import postgres_catalogue

DAYS = timedelta(days=90)
CITED = Citation(1, "beagle.md", 1, "chunk-1", "Beagle", "beagle.md", "Beagles need 60 minutes.", Span(0, 24))
ANSWER = Answer(
    answer_id="a-1",
    question="How much exercise?",
    text="Beagles need 60 minutes. [1]",
    abstained=False,
    reason=None,
    confidence=0.8,
    citations=(CITED, replace(CITED, number=2, span=Span(30, 50))),
    claims=(Claim("Beagles need 60 minutes.", (1,), "supported"), Claim("They howl.", (2,), "unsupported")),
    sources=(),
    model="m",
    llm_generated=True,
    degraded=False,
    snapshot=1,
    timings_ms={"search": 10.0, "llm": 90.0},
    conversation_id="c-1",
    variant="short",
)


@pytest.fixture(scope="module", params=BACKENDS)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('opinions') / 'catalogue.sqlite'}"
        return
    with postgres_catalogue() as found:
        yield found


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    """A tenant of the test's own."""
    found = Catalogue.open(url, f"tenant-{uuid.uuid4().hex[:12]}")
    found.claim("minilm", {})
    yield found
    found.close()


@pytest.fixture
def answers(catalogue: Catalogue) -> Iterator[AnswerLog]:
    log = AnswerLog(catalogue.engine, catalogue.tenant, DAYS, shared=False)
    yield log
    log.close()


@pytest.fixture
def opinions(answers: AnswerLog) -> Opinions:
    return Opinions(answers)


def give(opinions: Opinions, answer_id: str = "a-1", caller: str = "ann", **said: Any) -> Feedback:
    known: dict[str, Any] = {"helpful": None, "comment": None, "marks": (), "scope": None, **said}
    return opinions.give(known.pop("scope"), caller, answer_id, **known)


def count(catalogue: Catalogue, table: type[Any]) -> int:
    with catalogue.engine.connect() as connection:
        mine = sa.select(sa.func.count()).where(table.tenant == catalogue.tenant)
        return connection.execute(mine).scalar_one()


def test_an_answer_is_found_before_it_is_written_down(
    catalogue: Catalogue, answers: AnswerLog, opinions: Opinions
) -> None:
    answers.record("", "app", ANSWER, {"filters": {"species": "dog"}, "scope": None})
    assert count(catalogue, AnswerRow) == 0
    said = give(opinions, helpful=True, marks=(CitationMark(2, False),))
    assert (said.helpful, said.user, said.asked_by) == (True, "ann", "app")
    assert (said.question, said.filters, said.scope, said.variant) == (
        ANSWER.question,
        {"species": "dog"},
        None,
        "short",
    )
    assert [(one.number, one.correct) for one in said.citations] == [(1, None), (2, False)]
    assert (said.citations[0].document_id, said.citations[0].span) == ("beagle.md", Span(0, 24))


def test_remembered_answers_hold_no_document_text(catalogue: Catalogue, answers: AnswerLog) -> None:
    answers.record("", "", ANSWER)
    answers.flush()
    with catalogue.engine.connect() as connection:
        (row,) = connection.execute(sa.select(AnswerRow.__table__).where(AnswerRow.tenant == catalogue.tenant)).all()
    assert "60 minutes" not in repr(row)
    assert "howl" not in repr(row)


def test_with_a_shared_database_an_answer_is_written_before_it_is_returned(catalogue: Catalogue) -> None:
    answers = AnswerLog(catalogue.engine, catalogue.tenant, DAYS, shared=True)
    answers.record("", "", ANSWER)
    assert count(catalogue, AnswerRow) == 1
    elsewhere = Opinions(AnswerLog(catalogue.engine, catalogue.tenant, DAYS, shared=True))
    assert give(elsewhere, helpful=True).helpful
    answers.close()


def test_a_later_opinion_of_the_same_caller_takes_the_place_of_the_former(
    answers: AnswerLog, opinions: Opinions
) -> None:
    answers.record("", "", ANSWER)
    first = give(opinions, helpful=False, comment="Bad.", marks=(CitationMark(1, False),))
    again = give(opinions, helpful=True)
    assert (again.helpful, again.comment, again.citations[0].correct) == (True, None, None)
    assert again.created_at == first.created_at < again.updated_at
    give(opinions, caller="bob", helpful=False)
    assert opinions.totals(None) == FeedbackTotals(answers=1, helpful=1, not_helpful=1, citations_wrong=0)
    opinions.withdraw(None, "bob", "a-1")
    assert opinions.totals(None) == FeedbackTotals(answers=1, helpful=1)
    with pytest.raises(FeedbackNotFound, match="a-1"):
        opinions.withdraw(None, "bob", "a-1")


def test_answers_of_other_scopes_and_tenants_are_not_found(catalogue: Catalogue, answers: AnswerLog) -> None:
    opinions = Opinions(answers)
    answers.record('{"suite": "fed"}', "", ANSWER)
    for scope in ('{"suite": "corp"}', ""):
        with pytest.raises(AnswerNotFound):
            give(opinions, scope=scope, helpful=True)
        with pytest.raises(AnswerNotFound):
            opinions.withdraw(scope, "ann", "a-1")
        assert opinions.totals(scope) == FeedbackTotals()
    assert give(opinions, scope='{"suite": "fed"}', helpful=True).scope == {"suite": "fed"}
    assert give(opinions, caller="bob", helpful=True).user == "bob"
    other = AnswerLog(catalogue.engine, "globex", DAYS, shared=False)
    with pytest.raises(AnswerNotFound):
        give(Opinions(other), helpful=True)
    assert Opinions(other).list(None, 10).feedback == ()
    assert Trials(other).list(None) == []


def test_a_citation_that_the_answer_does_not_have_cannot_be_marked(answers: AnswerLog, opinions: Opinions) -> None:
    answers.record("", "", ANSWER)
    with pytest.raises(InvalidRequest, match="citations -> 1 -> number: the answer has no citation 3, it has 1 to 2"):
        give(opinions, marks=(CitationMark(1, True), CitationMark(3, True)))
    answers.record("", "", replace(ANSWER, answer_id="a-2", citations=()))
    with pytest.raises(InvalidRequest, match="it cites nothing"):
        give(opinions, "a-2", marks=(CitationMark(1, True),))
    assert opinions.list(None, 10).feedback == ()


def test_opinions_are_listed_page_by_page_the_newest_first(answers: AnswerLog, opinions: Opinions) -> None:
    for number in range(5):
        answers.record("", "", replace(ANSWER, answer_id=f"a-{number}"))
        give(opinions, f"a-{number}", f"user {number}", helpful=number % 2 == 0)
    seen: list[str] = []
    page = opinions.list(None, 2)
    while True:
        seen += [one.answer_id for one in page.feedback]
        if page.next_cursor is None:
            break
        page = opinions.list(None, 2, page.next_cursor)
    assert seen == ["a-4", "a-3", "a-2", "a-1", "a-0"]
    assert [one.answer_id for one in opinions.list(None, 9, helpful=False).feedback] == ["a-3", "a-1"]
    with pytest.raises(InvalidRequest, match="cursor"):
        opinions.list(None, 2, "nonsense")


def test_comments_go_with_what_the_answer_or_its_conversation_was_made_of(
    answers: AnswerLog, opinions: Opinions
) -> None:
    # No document is kept here: what names a version is lost at once, as after a purge.
    answers.record("", "", replace(ANSWER, answer_id="first"))
    answers.record("", "", replace(ANSWER, answer_id="second", citations=()))
    answers.record("", "", replace(ANSWER, answer_id="other", citations=(), conversation_id="c-2"))
    assert give(opinions, "second", comment="It said 60 minutes.").erased
    assert not give(opinions, "other", comment="It said nothing.").erased
    said = give(opinions, "first", helpful=False, comment="60!", marks=(CitationMark(1, False, "60 minutes?"),))
    assert (said.erased, said.comment, said.helpful) == (True, None, False)
    assert (said.citations[0].correct, said.citations[0].comment) == (False, None)
    again = give(opinions, "first", helpful=True)
    assert not again.erased


@pytest.mark.parametrize("odd", ["a\0", "a\ud800"], ids=["NUL", "half a character"])
def test_an_id_that_no_database_takes_is_that_of_no_answer(opinions: Opinions, odd: str) -> None:
    with pytest.raises(AnswerNotFound) as refused:
        give(opinions, odd, helpful=True)
    assert refused.value.message.encode()
    with pytest.raises(AnswerNotFound):
        opinions.withdraw(None, "ann", odd)
    with pytest.raises(InvalidRequest):
        opinions.list(None, 5, f"2026-01-01T00:00:00+00:00 {odd} ann")


def test_expired_answers_take_their_feedback_with_them(catalogue: Catalogue, answers: AnswerLog) -> None:
    answers.record("", "", ANSWER)
    give(Opinions(answers), helpful=True)
    brief = AnswerLog(catalogue.engine, catalogue.tenant, timedelta(microseconds=1), shared=False)
    assert Opinions(brief).list(None, 10).feedback == ()
    assert Opinions(brief).totals(None) == FeedbackTotals()
    assert (count(catalogue, AnswerRow), count(catalogue, FeedbackRow)) == (1, 1)
    brief.expire()
    assert (count(catalogue, AnswerRow), count(catalogue, FeedbackRow)) == (0, 0)


def test_where_nothing_is_to_be_kept_nothing_is(catalogue: Catalogue) -> None:
    answers = AnswerLog(catalogue.engine, catalogue.tenant, timedelta(), shared=False)
    answers.record("", "", ANSWER)
    answers.close()
    assert not answers.kept
    assert count(catalogue, AnswerRow) == 0


def rename(catalogue: Catalogue, table: str, name: str) -> None:
    with catalogue.engine.begin() as connection:
        connection.execute(sa.text(f"ALTER TABLE {table} RENAME TO {name}"))


def test_an_unavailable_database_loses_no_answer_and_fails_none(catalogue: Catalogue) -> None:
    answers = AnswerLog(catalogue.engine, catalogue.tenant, DAYS, shared=True)
    rename(catalogue, AnswerRow.__tablename__, "gone")
    answers.record("", "", ANSWER)
    with pytest.raises(StoreUnavailable):
        answers.flush()
    rename(catalogue, "gone", AnswerRow.__tablename__)
    answers.record("", "", replace(ANSWER, answer_id="a-2"))
    assert count(catalogue, AnswerRow) == 2
    answers.close()


def test_odd_questions_and_filters_are_remembered_as_far_as_they_can_be(answers: AnswerLog, opinions: Opinions) -> None:
    answers.record("", "", replace(ANSWER, question="nul\0nul"), {"filters": {"since": timedelta(days=1)}})
    answers.record("", "", replace(ANSWER, answer_id="a-2"), {"filters": {"name": ["x" * 100] * 1000}})
    said = give(opinions, helpful=True)
    assert (said.question, said.filters) == ("nul nul", {"since": "1 day, 0:00:00"})
    assert give(opinions, "a-2", helpful=True).filters is None


def test_trials_are_grouped_by_variant_and_prompt(answers: AnswerLog, opinions: Opinions) -> None:
    for number, took in enumerate((100.0, 300.0, 900.0, 500.0)):
        one = replace(ANSWER, answer_id=f"a-{number}", timings_ms={"llm": took}, confidence=0.2 * number)
        answers.record("", "", one, prompt="old" if number == 3 else "new")
    answers.record("", "", replace(ANSWER, answer_id="b", variant="long", abstained=True, claims=()), prompt="new")
    answers.record("fed", "", replace(ANSWER, answer_id="f", degraded=True, llm_generated=False), prompt="new")
    answers.record("", "", replace(ANSWER, answer_id="no model", variant=None))
    give(opinions, "a-0", helpful=True)
    give(opinions, "a-0", "bob", helpful=False)
    give(opinions, "a-1", comment="Well.")
    found = {(one.variant, one.prompt): one for one in Trials(answers).list("")}
    assert set(found) == {("short", "new"), ("short", "old"), ("long", "new")}
    new = found["short", "new"]
    assert (new.answers, new.abstained, new.degraded, new.median_ms) == (3, 0, 0, 300.0)
    assert (new.supported, new.partial, new.unsupported) == (3, 0, 3)
    assert (new.helpful, new.not_helpful, new.confidence) == (1, 1, pytest.approx(0.2))
    assert (found["long", "new"].abstained, found["long", "new"].supported) == (1, 0)
    everybodys = {(one.variant, one.prompt): one for one in Trials(answers).list(None)}["short", "new"]
    assert (everybodys.answers, everybodys.degraded, everybodys.median_ms) == (4, 1, 200.0)
    assert everybodys.supported == 3, "extracts in place of an answer say nothing of the prompt"
