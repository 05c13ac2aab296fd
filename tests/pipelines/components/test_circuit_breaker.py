from __future__ import annotations

import pytest

from pipelines.components import circuit_breaker
from pipelines.components.circuit_breaker import CircuitBreaker


def test_it_opens_after_three_failures_in_a_row(caplog: pytest.LogCaptureFixture) -> None:
    breaker = CircuitBreaker("the model")
    breaker.record_failure()
    breaker.record_failure()
    assert not breaker.is_open
    breaker.record_failure()
    assert breaker.is_open
    assert "the model failed 3 times in a row" in caplog.text


def test_a_success_in_between_starts_the_count_again() -> None:
    breaker = CircuitBreaker("the model")
    for _ in range(5):
        breaker.record_failure()
        breaker.record_failure()
        breaker.record_success()
    assert not breaker.is_open


def test_it_closes_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit_breaker, "_OPEN_SECONDS", 0.0)
    breaker = CircuitBreaker("the model")
    for _ in range(3):
        breaker.record_failure()
    assert not breaker.is_open
