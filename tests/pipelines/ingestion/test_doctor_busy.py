"""Checks while a tenant is at work."""

from __future__ import annotations

import threading

import pytest

from pipelines import Engine
from tests.pipelines.ingestion.damaged import (
    chunk,
    few_at_once,
    findings_of,
    offer,
    store_of,
    stray,
    text,
)


@pytest.mark.parametrize("repair", [False, True])
def test_a_busy_tenant_gives_no_false_alarm(engine: Engine, repair: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    few_at_once(monkeypatch)
    over = threading.Event()
    rounds = 0

    def busy() -> None:
        nonlocal rounds
        while not over.is_set():
            rounds += 1
            for name in ("a", "b", "x", "y"):
                offer(engine, name, text(f"hound of round {rounds}", 6))
            engine.delete("x", purge=True)
            engine.delete("b")
            offer(engine, "z", text("late", 3), accepted=rounds)
            engine.delete("y", purge=True)

    working = threading.Thread(target=busy)
    working.start()
    try:
        examined = 0
        while examined < 10 or rounds < 3:
            assert engine.doctor(repair).findings == ()
            examined += 1
    finally:
        over.set()
        working.join()
    assert engine.doctor().findings == ()


def test_a_fault_is_found_while_the_tenant_is_busy(embedded: Engine) -> None:
    over = threading.Event()

    def busy() -> None:
        number = 0
        while not over.is_set():
            number += 1
            offer(embedded, "busy", f"This is number {number}.")

    working = threading.Thread(target=busy)
    working.start()
    try:
        store_of(embedded).remove(chunk("c", 1, 0))
        stray(embedded, document_id="nobody")
        expected = [("missing_chunks", "c", 1), ("orphan_chunks", "nobody", None)]
        assert findings_of(embedded.doctor()) == expected
        assert findings_of(embedded.doctor(repair=True)) == expected
        assert embedded.doctor().findings == ()
    finally:
        over.set()
        working.join()


def test_a_deletion_awaiting_cleanup_is_not_a_fault(embedded: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded._parts.writing.cleaner, "later", lambda cleanup: None)
    embedded.delete("c")
    assert embedded.doctor().findings == ()
