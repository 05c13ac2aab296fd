"""A turn in progress holds its conversation for as long as its process lives, and not much longer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
import time_machine

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords
from pipelines.catalogue.pools import open_database
from pipelines.catalogue.turn_claims import LAPSE, TurnClaims
from pipelines.errors import ConversationBusy
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


def is_busy(records: ConversationRecords) -> bool:
    try:
        records.end(records.begin("walk"))
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
    claims.close()
