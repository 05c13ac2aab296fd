"""A scrape waits for no database, and no request for its being counted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, cast

import httpx
import pytest
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from app.metrics import figures
from app.metrics.families import RequestFamilies
from app.metrics.figures import TenantFigures
from app.metrics.requests import MeasuredRequests
from app.tenants import Tenants
from pipelines.types import Figures
from tests.app.running import running


class Slow:
    """A tenant whose database gives a sign of life, or counts, when it is let."""

    tenant = "slow"

    def __init__(self) -> None:
        self.counted = 0
        self.alive = threading.Event()
        self.let = threading.Event()

    def check_catalogue(self) -> None:
        assert self.alive.wait(30)

    def figures(self) -> Figures:
        self.counted += 1
        assert self.let.wait(30)
        return Figures({"current": 1}, 2, 3, self.counted, {}, None)


@pytest.fixture
def slow() -> Iterator[Slow]:
    tenant = Slow()
    yield tenant
    tenant.alive.set(), tenant.let.set()


def _told(standing: TenantFigures) -> tuple[list[float], list[float]]:
    """Whether the database is up, and the snapshot."""
    reported = {metric.name: [sample.value for sample in metric.samples] for metric in standing.collect()}
    return reported["footnote_catalogue_up"], reported["footnote_snapshot"]


def test_a_hanging_database_is_reported_down_and_asked_once(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_PATIENCE_S", 0.05)
    with TenantFigures(Tenants([cast("Any", slow)])) as standing:
        for _ in range(3):
            assert _told(standing) == ([0.0], [])
        assert slow.counted == 1
        slow.alive.set(), slow.let.set()
        monkeypatch.setattr(figures, "_PATIENCE_S", 30.0)
        monkeypatch.setattr(figures, "_QUICK_S", 60.0)
        _told(standing)
        assert _told(standing)[0] == [1.0]


def test_a_database_that_counts_for_long_is_up_and_its_last_figures_stand(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "_QUICK_S", 60.0)
    slow.alive.set(), slow.let.set()
    with TenantFigures(Tenants([cast("Any", slow)])) as standing:
        assert _told(standing) == ([1.0], [1.0])
        slow.let.clear()
        monkeypatch.setattr(figures, "_PATIENCE_S", 0.05)
        for _ in range(3):
            assert _told(standing) == ([1.0], [1.0])
        assert slow.counted == 2


def test_counting_that_is_not_quick_is_not_done_at_each_scrape(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_QUICK_S", -1.0)
    monkeypatch.setattr(figures, "_SHARE", 1e9)
    slow.alive.set(), slow.let.set()
    with TenantFigures(Tenants([cast("Any", slow)])) as standing:
        assert [_told(standing) for _ in range(3)] == [([1.0], [1.0])] * 3
    assert slow.counted == 1


def _hello(request: object) -> PlainTextResponse:
    return PlainTextResponse("hello")


def _broken(request: object) -> PlainTextResponse:
    raise RuntimeError("a bug")


ROUTES = [Route("/hello", _hello), Route("/broken", _broken)]


def test_a_request_that_cannot_be_counted_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    families = RequestFamilies(CollectorRegistry())
    families.requests.labels = cast("Any", None)
    with running(MeasuredRequests(Starlette(routes=ROUTES), families, ())) as root:
        for _ in range(2):
            assert httpx.get(f"{root}/hello", trust_env=False).text == "hello"
    assert sum("could not be counted" in record.message for record in caplog.records) == 1


def test_a_bug_counts_as_a_server_error() -> None:
    registry = CollectorRegistry()
    with running(MeasuredRequests(Starlette(routes=ROUTES), RequestFamilies(registry), ())) as root:
        assert httpx.get(f"{root}/broken", trust_env=False).status_code == 500
    labels = {"tenant": "", "api": "other", "method": "GET", "route": "/broken", "status": "500"}
    assert registry.get_sample_value("footnote_http_requests_total", labels) == 1
    assert registry.get_sample_value("footnote_http_requests_in_progress") == 0
