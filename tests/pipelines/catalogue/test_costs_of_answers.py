"""What an answer costs the database must not grow with documents and turns that it has nothing to do with."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords, NewVersion
from pipelines.catalogue.pools import open_database
from pipelines.types import Answer
from tests.pipelines.jobs.databases import database_url

MANY = 400
MADE = frozenset({("beagle", 1)})
ANSWER = Answer(
    "a1", "What howls?", "Beagles howl.", abstained=False, reason=None, confidence=0.5, citations=(), claims=(),
    sources=(), model="m", llm_generated=False, degraded=False, snapshot=1, timings_ms={},
)  # fmt: skip


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    with database_url("sqlite", tmp_path) as url:
        opened = Catalogue(open_database(url), "acme", owned=True)
        opened.claim("model", {})
        yield opened
        opened.close()


@pytest.fixture
def records(catalogue: Catalogue) -> ConversationRecords:
    return ConversationRecords(
        catalogue.engine, "acme", ConversationLimits(timedelta(hours=1), 5, timedelta(minutes=1))
    )


def committed(catalogue: Catalogue, *names: str) -> None:
    with catalogue.committing(lambda _: None) as commit:
        commit.look_up(names)
        for name in names:
            commit.put(NewVersion(name, name, name, "", "given", "0" * 64, "", 1, "Beagles howl.", (), (), {}, 1, 13))


def steps(catalogue: Catalogue, work: Callable[[], Any]) -> int:
    """Return how many steps SQLite's virtual machine takes for ``work``, in tens."""
    taken = 0

    def tick() -> int:
        nonlocal taken
        taken += 1
        return 0

    def watch(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(tick, 10)

    sa.event.listen(catalogue.engine, "checkout", watch)
    try:
        work()
    finally:
        sa.event.remove(catalogue.engine, "checkout", watch)
    return taken


def test_texts_are_read_without_a_look_at_other_documents(catalogue: Catalogue) -> None:
    committed(catalogue, "beagle", "cat")
    few = steps(catalogue, lambda: catalogue.stored_texts({("beagle", 1), ("cat", 1)}))
    committed(catalogue, *(f"dog-{number}" for number in range(MANY)))
    many = steps(catalogue, lambda: catalogue.stored_texts({("beagle", 1), ("cat", 1)}))
    assert many <= few + 10


def test_a_turn_ends_without_a_look_at_other_conversations(catalogue: Catalogue, records: ConversationRecords) -> None:
    committed(catalogue, "beagle")

    def answered(number: int) -> None:
        answer = replace(ANSWER, answer_id=f"a{number}")
        records.finish(records.begin(None), answer, MADE, inherits=False)

    answered(0)
    few = steps(catalogue, lambda: answered(1))
    for number in range(2, MANY):
        answered(number)
    assert steps(catalogue, lambda: answered(MANY)) <= few + 10
