"""What happens if the machine's clock is set back or forward while a tenant is open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from pipelines import Engine, open_engine
from pipelines.ingestion import tickets
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BACK, FORWARD = NOW - timedelta(days=400), NOW + timedelta(days=4000)
QUESTION = "How much exercise does a beagle need?"


@pytest.fixture
def clock() -> Iterator[time_machine.Coordinates]:
    with time_machine.travel(NOW) as coordinates:
        yield coordinates


def bring(engine: Engine, minutes: int) -> None:
    engine.ingest([DocumentInput(f"A beagle needs {minutes} minutes of exercise a day.", document_id="beagle")])


@pytest.mark.parametrize("moved", [BACK, FORWARD], ids=["back", "forward"])
def test_versions_follow_the_order_of_commits_whatever_the_clock_says(
    open_tenant: OpenTenant, clock: time_machine.Coordinates, moved: datetime
) -> None:
    engine = open_tenant("tenant: kennel")
    bring(engine, 30)
    clock.move_to(moved)
    bring(engine, 60)
    assert "60 minutes" in engine.answer(QUESTION).text
    assert "30 minutes" in engine.answer(QUESTION, as_of=1).text
    assert [version.version for version in engine.versions("beagle")] == [2, 1]
    assert engine.doctor().findings == ()


def test_a_conversation_goes_on_in_its_order_after_the_clock_was_set_back(
    open_tenant: OpenTenant, clock: time_machine.Coordinates
) -> None:
    engine = open_tenant("tenant: kennel")
    bring(engine, 60)
    first = engine.answer(QUESTION, conversation_id="walk")
    clock.move_to(BACK)
    engine.answer("And how long is that in hours?", conversation_id="walk")
    turns = engine.conversations.conversation("walk").turns
    assert [turn.question for turn in turns] == [QUESTION, "And how long is that in hours?"]
    assert turns[0].answer_id == first.answer_id


def test_a_conversation_is_over_once_the_clock_is_past_its_time(
    open_tenant: OpenTenant, clock: time_machine.Coordinates
) -> None:
    engine = open_tenant("tenant: kennel")
    bring(engine, 60)
    engine.answer(QUESTION, conversation_id="walk")
    clock.move_to(FORWARD)
    assert engine.conversations.list().conversations == ()


@pytest.mark.parametrize(("retention", "left"), [("{}", 2), ("{days: 30}", 1)])
def test_a_clock_far_ahead_lets_a_purge_take_only_what_retention_names(
    open_tenant: OpenTenant, clock: time_machine.Coordinates, retention: str, left: int
) -> None:
    engine = open_tenant(f"tenant: kennel\nretention: {retention}")
    bring(engine, 30)
    bring(engine, 60)
    clock.move_to(FORWARD)
    engine.purge()
    assert len(engine.versions("beagle")) == left


@pytest.fixture
def restarted(tmp_path: Path, clock: time_machine.Coordinates, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A tenant with a document that is opened again, as a new process would, after the clock was set back."""
    with open_engine({"tenant": "kennel"}, tmp_path) as engine:
        bring(engine, 30)
        engine.ingest([DocumentInput("Pugs snore.", document_id="pug")])
        engine.delete("pug", purge=True, patience_s=None)
    clock.move_to(BACK)
    monkeypatch.setattr(tickets, "_last", 0)
    monkeypatch.setattr(tickets, "_ahead", 0)
    with open_engine({"tenant": "kennel"}, tmp_path) as engine:
        yield engine


def test_a_document_of_before_the_clock_was_set_back_is_replaced_and_deleted(restarted: Engine) -> None:
    bring(restarted, 60)
    assert "60 minutes" in restarted.content("beagle")
    restarted.delete("beagle")
    bring(restarted, 90)
    assert "90 minutes" in restarted.content("beagle")


def test_a_document_that_was_purged_before_the_clock_was_set_back_comes_again(restarted: Engine) -> None:
    restarted.ingest([DocumentInput("Pugs sleep.", document_id="pug")])
    assert restarted.content("pug") == "Pugs sleep."
