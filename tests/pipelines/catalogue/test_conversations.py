from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import time_machine

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords, NewVersion
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow, TenantRow, TurnRow, TurnSourceRow
from pipelines.catalogue.turns import ERASED, ERASED_QUESTION
from pipelines.errors import ConversationBusy, ConversationNotFound, InvalidRequest, QuotaSpent
from pipelines.types import Answer, Citation, Span
from pipelines.types.callers import OPERATOR
from tests.pipelines.jobs.databases import ENGINES, database_url

KEEPING = ConversationLimits(timedelta(hours=1), 5, timedelta(minutes=1))
CITATION = Citation(1, "beagle", 1, "c1", "Beagle", "beagle.md", "Beagles howl.", Span(0, 13), 2, "ii", ("Beagle",))
ANSWER = Answer(
    "a1", "What howls?", "Beagles howl. [1]", abstained=False, reason=None, confidence=0.5, citations=(CITATION,),
    claims=(), sources=(), model="m", llm_generated=True, degraded=False, snapshot=1, timings_ms={},
    exchange=("sources and question", "Beagles howl. [1]"),
)  # fmt: skip
MADE = frozenset({("beagle", 1)})


@pytest.fixture(params=ENGINES)
def catalogue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogue]:
    with database_url(request.param, tmp_path) as url:
        opened = Catalogue(open_database(url), "acme", owned=request.param == "sqlite")
        opened.claim("model", {})
        yield opened
        opened.close()


@pytest.fixture
def records(catalogue: Catalogue) -> ConversationRecords:
    return ConversationRecords(catalogue.engine, "acme", KEEPING)


def said(records: ConversationRecords, name: str | None = None, question: str = "What howls?") -> str:
    underway = records.begin(name)
    records.finish(underway, replace(ANSWER, question=question), frozenset(), inherits=False)
    return underway.conversation_id


def committed(catalogue: Catalogue, *names: str) -> None:
    with catalogue.committing(lambda _: None) as commit:
        commit.look_up(names)
        for name in names:
            commit.put(NewVersion(name, name, name, "", "given", "0" * 64, "", 1, "Beagles howl.", (), (), {}, 1, 13))


def purged(catalogue: Catalogue, name: str) -> None:
    with catalogue.committing(lambda _: None) as commit:
        commit.purge(name, 2)


def count(records: ConversationRecords, row: type) -> int:
    with records.engine.connect() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(row)) or 0


def aged(records: ConversationRecords, **values: object) -> None:
    with records.engine.begin() as connection:
        connection.execute(sa.update(ConversationRow).values(values))


def test_a_turn_is_read_back_as_it_was_written(records: ConversationRecords) -> None:
    name = said(records)
    conversation = records.conversation(name)
    assert (conversation.title, conversation.length) == ("What howls?", 1)
    assert conversation.expires_at == conversation.updated_at + timedelta(hours=1)
    [turn] = conversation.turns
    assert (turn.number, turn.text, turn.citations) == (1, ANSWER.text, (CITATION,))
    assert (turn.model, turn.llm_generated, turn.confidence) == ("m", True, 0.5)
    assert turn.exchange == ANSWER.exchange


def test_an_unknown_id_starts_a_conversation(records: ConversationRecords) -> None:
    assert said(records, "mine/1") == "mine/1"
    assert records.begin("mine/1").turns[0].question == "What howls?"


def test_a_turn_that_ends_without_an_answer_leaves_nothing(records: ConversationRecords) -> None:
    underway = records.begin("mine")
    records.end(underway)
    assert count(records, ConversationRow) == 0
    said(records, "mine")
    records.end(records.begin("mine"))
    assert len(records.turns("mine")) == 1
    assert said(records, "mine") == "mine"


def test_a_turn_that_is_under_way_is_not_seen(records: ConversationRecords) -> None:
    records.begin("mine")
    assert records.conversations(10, None).conversations == ()
    assert records.turns("mine") == ()
    with pytest.raises(ConversationNotFound):
        records.conversation("mine")


def test_two_turns_of_one_conversation_do_not_run_at_once(records: ConversationRecords) -> None:
    said(records, "mine")
    underway = records.begin("mine")
    with pytest.raises(ConversationBusy, match="mine"):
        records.begin("mine")
    records.finish(underway, ANSWER, frozenset(), inherits=False)
    assert len(records.begin("mine").turns) == 2


def test_of_many_concurrent_starts_one_continues(records: ConversationRecords) -> None:
    begun, refused = [], []
    ready = threading.Barrier(8)

    def begin() -> None:
        ready.wait()
        try:
            begun.append(records.begin("mine"))
        except ConversationBusy:
            refused.append("mine")

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(begun), len(refused)) == (1, 7)


def test_concurrent_starts_stay_within_the_quota(catalogue: Catalogue) -> None:
    records = ConversationRecords(catalogue.engine, "acme", replace(KEEPING, most=2))
    ready, refused = threading.Barrier(8), []

    def begin(name: str) -> None:
        ready.wait()
        try:
            records.begin(name)
        except QuotaSpent:
            refused.append(name)

    threads = [threading.Thread(target=begin, args=(f"c{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (count(records, ConversationRow), len(refused)) == (2, 6)


def test_a_turn_of_a_dead_process_expires(records: ConversationRecords) -> None:
    dead = records.begin("mine")
    aged(records, claimed_at=now() - timedelta(minutes=2))
    alive = records.begin("mine")
    records.finish(dead, replace(ANSWER, question="too late"), frozenset(), inherits=False)
    records.finish(alive, ANSWER, frozenset(), inherits=False)
    assert [turn.question for turn in records.turns("mine")] == ["What howls?"]


def test_a_process_that_is_alone_frees_what_another_left(records: ConversationRecords) -> None:
    said(records, "kept")
    records.begin("kept")
    records.begin("new")
    records.free()
    assert count(records, ConversationRow) == 1
    assert len(records.begin("kept").turns) == 1


def test_conversations_go_when_their_time_is_over(records: ConversationRecords) -> None:
    name = said(records)
    aged(records, updated_at=now() - timedelta(hours=2))
    assert records.conversations(10, None).conversations == ()
    with pytest.raises(ConversationNotFound):
        records.conversation(name)
    assert records.begin(name).turns == ()
    assert count(records, TurnRow) == 0


def test_the_oldest_turns_go_and_the_others_keep_their_numbers(records: ConversationRecords) -> None:
    for number in range(1, 8):
        said(records, "mine", f"question {number}")
    conversation = records.conversation("mine")
    assert [turn.number for turn in conversation.turns] == [3, 4, 5, 6, 7]
    assert (conversation.title, conversation.length) == ("question 3", 5)


def test_another_scope_and_another_tenant_have_conversations_of_their_own(records: ConversationRecords) -> None:
    said(records, "mine")
    fed, corp = records.of(OPERATOR, '{"suite": "fed"}'), records.of(OPERATOR, '{"suite": "corp"}')
    said(fed, "mine", "of fed")
    foreign = ConversationRecords(records.engine, "other", KEEPING)
    for other in (corp, foreign):
        assert other.turns("mine") == ()
        assert other.conversations(10, None).conversations == ()
        for look in (other.conversation, other.delete):
            with pytest.raises(ConversationNotFound):
                look("mine")
    assert [turn.question for turn in fed.turns("mine")] == ["of fed"]
    fed.delete("mine")
    assert [turn.question for turn in records.turns("mine")] == ["What howls?"]


def test_conversations_are_listed_page_by_page_the_newest_first(records: ConversationRecords) -> None:
    names = [said(records) for _ in range(5)]
    seen: list[str] = []
    cursor = None
    while True:
        page = records.conversations(2, cursor)
        seen += [one.conversation_id for one in page.conversations]
        if page.conversations and cursor is None:
            records.delete(page.conversations[-1].conversation_id)  # a page may begin behind what is gone
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == names[::-1]
    for cursor in ("x", "2026-01-01", " "):
        with pytest.raises(InvalidRequest):
            records.conversations(2, cursor)


def test_a_conversation_that_was_deleted_under_a_turn_stays_deleted(records: ConversationRecords) -> None:
    said(records, "mine")
    underway = records.begin("mine")
    assert records.delete("mine") == 1
    records.finish(underway, ANSWER, MADE, inherits=False)
    assert (count(records, ConversationRow), count(records, TurnRow), count(records, TurnSourceRow)) == (0, 0, 0)


def test_a_purge_erases_what_was_made_of_the_document_in_every_scope(
    catalogue: Catalogue, records: ConversationRecords
) -> None:
    committed(catalogue, "beagle", "cat")
    fed = records.of(OPERATOR, "fed")
    for one in (records, fed):
        records_underway = one.begin("mine")
        one.finish(replace(records_underway, summary="Beagles.", summarised=1), ANSWER, MADE, inherits=False)
    records.finish(records.begin("mine"), replace(ANSWER, answer_id="a2"), frozenset({("cat", 1)}), inherits=False)
    records.erase("beagle")
    assert records.turns("mine")[0].text == ANSWER.text, "nothing was purged yet"
    purged(catalogue, "beagle")
    erased, kept = records.turns("mine")
    assert (erased.text, erased.citations, erased.exchange, erased.erased) == (ERASED, (), None, True)
    assert (erased.question, kept.text, kept.erased) == (ERASED_QUESTION, ANSWER.text, False)
    assert fed.turns("mine")[0].erased
    assert (records.begin("mine").summary, fed.begin("mine").summary) == (None, None)
    assert count(records, TurnSourceRow) == 1


def test_turns_made_of_earlier_ones_are_erased_with_them(catalogue: Catalogue, records: ConversationRecords) -> None:
    committed(catalogue, "beagle", "cat")
    records.finish(records.begin("mine"), ANSWER, MADE, inherits=False)
    records.finish(records.begin("mine"), ANSWER, frozenset({("cat", 1)}), inherits=True)
    purged(catalogue, "beagle")
    records.erase("beagle")
    assert [turn.erased for turn in records.turns("mine")] == [True, True]


def test_a_turn_that_ends_after_the_purge_of_its_document_says_nothing_of_it(
    catalogue: Catalogue, records: ConversationRecords
) -> None:
    committed(catalogue, "beagle", "cat")
    underway = records.begin("mine")
    purged(catalogue, "beagle")
    records.erase("beagle")
    records.finish(underway, ANSWER, MADE, inherits=False)
    assert [turn.text for turn in records.turns("mine")] == [ERASED]


def test_a_turn_is_not_kept_if_its_history_is_purged_meanwhile(
    catalogue: Catalogue, records: ConversationRecords
) -> None:
    committed(catalogue, "beagle", "cat")
    records.finish(records.begin("mine"), ANSWER, MADE, inherits=False)
    underway = records.begin("mine")
    purged(catalogue, "beagle")
    records.erase("beagle")
    records.finish(replace(underway, summary="Beagles howl."), ANSWER, frozenset(), inherits=True)
    assert [turn.text for turn in records.turns("mine")] == [ERASED]
    assert records.begin("mine").summary is None


def test_a_purge_and_the_end_of_a_turn_wait_for_each_other(catalogue: Catalogue, records: ConversationRecords) -> None:
    if catalogue.engine.dialect.name == "sqlite":
        pytest.skip("one writer at a time, always")
    committed(catalogue, "beagle", "cat")
    underway = records.begin("mine")
    with catalogue.committing(lambda _: None) as commit:
        commit.purge("beagle", 2)
        ending = threading.Thread(target=records.finish, args=(underway, ANSWER, MADE), kwargs={"inherits": False})
        ending.start()
        ending.join(0.3)
        assert ending.is_alive()
    ending.join()
    assert [turn.text for turn in records.turns("mine")] == [ERASED]


def test_a_turn_that_ends_during_a_purge_does_not_make_it_fail(
    catalogue: Catalogue, records: ConversationRecords
) -> None:
    committed(catalogue, "beagle", "cat")
    records.finish(records.begin("mine"), ANSWER, MADE, inherits=False)
    underway = records.begin("mine")
    with ThreadPoolExecutor(1) as pool:
        with catalogue.committing(lambda _: None) as commit:
            ending = pool.submit(records.finish, underway, ANSWER, frozenset({("cat", 1)}), inherits=False)
            wait([ending], timeout=0.3)
            commit.purge("beagle", 2)
        ending.result()
    assert records.turns("mine")[0].text == ERASED


def test_a_conversation_that_is_deleted_during_a_purge_does_not_make_it_fail(
    catalogue: Catalogue, records: ConversationRecords
) -> None:
    committed(catalogue, "beagle")
    records.finish(records.begin("mine"), ANSWER, MADE, inherits=False)
    updates: list[str] = []
    deleting: list[Future[int]] = []

    def delete_between(_: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith(("UPDATE conversations", "UPDATE turns")):
            updates.append(statement)
            if len(updates) == 2:
                deleting.append(pool.submit(records.delete, "mine"))
                wait(deleting, timeout=0.3)

    with ThreadPoolExecutor(1) as pool:
        sa.event.listen(catalogue.engine, "before_cursor_execute", delete_between)
        purged(catalogue, "beagle")
        assert deleting[0].result() == 1


def test_the_tables_are_made_where_a_database_lacks_them(catalogue: Catalogue) -> None:
    inspected = sa.inspect(catalogue.engine)
    for table in (ConversationRow, TurnRow, TurnSourceRow, TenantRow):
        columns = {column["name"] for column in inspected.get_columns(table.__tablename__)}
        assert columns == set(table.__table__.columns.keys())


@pytest.mark.parametrize("hours", [-48, 48], ids=["back", "forward"])
def test_a_turn_that_a_dead_process_left_holds_no_conversation_after_the_clock_moved(
    records: ConversationRecords, hours: int
) -> None:
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC)) as clock:
        records.begin("mine")
        with pytest.raises(ConversationBusy):
            records.begin("mine")
        clock.shift(timedelta(hours=hours))
        assert records.begin("mine").conversation_id == "mine"


@pytest.mark.parametrize("odd", ["c\0", "c\ud800"], ids=["NUL", "half a character"])
def test_a_name_that_no_database_takes_is_that_of_no_conversation(records: ConversationRecords, odd: str) -> None:
    for asked in (records.conversation, records.delete):
        with pytest.raises(ConversationNotFound):
            asked(odd)
    assert records.turns(odd) == ()
    with pytest.raises(InvalidRequest):
        records.conversations(2, f"2026-01-01T00:00:00+00:00 {odd}")
