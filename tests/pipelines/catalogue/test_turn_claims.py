"""A turn in progress holds its conversation for as long as its process lives, and not much longer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import time_machine
from sqlalchemy.orm import Session

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.tables import ConversationRow
from pipelines.catalogue.turn_claims import LAPSE, TurnClaims
from pipelines.errors import ConversationBusy
from tests.pipelines.catalogue.test_conversations import ANSWER
from tests.pipelines.jobs.databases import ENGINES, database_url

START = datetime(2026, 3, 1, tzinfo=UTC)
NEARLY = LAPSE - timedelta(seconds=1)
LONGEST = timedelta(minutes=10)


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    with database_url(request.param, tmp_path) as url:
        opened = Catalogue(open_database(url), "acme", owned=False)
        opened.claim("model", {})
        yield opened.engine
        opened.close()


def in_a_process(database: sa.Engine, longest: timedelta = LONGEST) -> tuple[ConversationRecords, TurnClaims]:
    claims = TurnClaims(database, "acme", longest)
    limits = ConversationLimits(timedelta(hours=1), 5, LAPSE)
    return ConversationRecords(database, "acme", limits, claims=claims), claims


def is_busy(records: ConversationRecords, conversation: str = "walk") -> bool:
    try:
        records.end(records.begin(conversation))
    except ConversationBusy:
        return True
    return False


def test_a_turn_that_is_renewed_holds_its_conversation_until_it_ends(database: sa.Engine) -> None:
    (first, claims), (second, _) = in_a_process(database), in_a_process(database)
    with time_machine.travel(START) as clock:
        underway = first.begin("walk")
        for _ in range(4):
            clock.shift(NEARLY)
            claims.renew()
            assert is_busy(second)
        first.end(underway)
        assert not is_busy(second)
    claims.close()


def test_the_turn_of_a_killed_process_lapses(database: sa.Engine) -> None:
    (killed, claims), (other, _) = in_a_process(database), in_a_process(database)
    claims.close()  # so nothing renews its claims any more
    with time_machine.travel(START) as clock:
        killed.begin("walk")
        clock.shift(NEARLY)
        assert is_busy(other)
        clock.shift(LAPSE)
        assert not is_busy(other)


def test_a_turn_that_never_ends_is_given_up(database: sa.Engine) -> None:
    (first, claims), (second, _) = in_a_process(database, longest=timedelta()), in_a_process(database)
    with time_machine.travel(START) as clock:
        first.begin("walk")
        clock.shift(LAPSE)
        claims.renew()
        assert not is_busy(second)
    assert not claims._begun
    claims.close()


def test_a_turn_that_waits_to_be_kept_still_holds_its_conversation(
    database: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, claims), (second, _) = in_a_process(database), in_a_process(database)
    with time_machine.travel(START) as clock:
        underway = first.begin("walk")

        def wait_for_a_purge(*_: object) -> None:
            for _ in range(2):
                clock.shift(NEARLY)
                claims.renew()
            assert is_busy(second)

        monkeypatch.setattr("pipelines.catalogue.conversations.hold_off_purges", wait_for_a_purge)
        first.finish(underway, ANSWER, frozenset(), inherits=False)
        assert len(first.begin("walk").turns) == 1
    claims.close()


def test_a_conversation_that_is_locked_keeps_no_other_from_being_renewed(database: sa.Engine) -> None:
    (first, claims), (second, _) = in_a_process(database), in_a_process(database)
    with time_machine.travel(START, tick=False) as clock, ThreadPoolExecutor() as pool:
        first.begin("walk")
        first.begin("swim")
        clock.shift(NEARLY)
        with Session(database) as session, session.begin():
            row = sa.select(ConversationRow).where(ConversationRow.conversation_id == "walk").with_for_update()
            session.execute(row)
            waiting = wait([pool.submit(claims.renew)], 10).not_done
            session.rollback()
        assert not waiting
        clock.shift(NEARLY)
        assert is_busy(second, "swim")
    claims.close()


def test_claims_are_renewed_in_the_background_until_they_are_closed(
    database: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed, threads = threading.Event(), threading.active_count()
    monkeypatch.setattr("pipelines.catalogue.turn_claims._EVERY_S", 0.01)
    monkeypatch.setattr(TurnClaims, "renew", lambda _: renewed.set())
    first, claims = in_a_process(database)
    first.begin("walk")
    assert renewed.wait(30)
    claims.close()
    assert threading.active_count() == threads
