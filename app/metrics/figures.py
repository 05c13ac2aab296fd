"""The state of tenants at a scrape: documents, chunks, jobs, and whether their databases answer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from app.tenants import Tenants
from pipelines import Engine
from pipelines.errors import FootnoteError
from pipelines.types import Figures

_PATIENCE_S = 3.0
"""Seconds that a scrape waits for the tenants' databases; Prometheus waits ten for the whole scrape."""
_QUICK_S = 0.25
_SHARE = 40
"""Slow counts take at most a fortieth of the time: counting a million documents takes seconds."""
_log = logging.getLogger(__name__)


class TenantFigures:
    """Asks each tenant in its own threads. A database that hangs delays no scrape and is asked only once."""

    def __init__(self, tenants: Tenants) -> None:
        engines = list(tenants)
        self._left_out = tuple(tenants.left_out)
        self._pool = ThreadPoolExecutor(max(2 * len(engines), 1), thread_name_prefix="footnote-metrics")
        self._tenants = [_Tenant(engine, self._pool) for engine in engines]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def collect(self) -> Iterator[Metric]:
        """The figures as metrics.

        A tenant whose database does not answer has only `footnote_tenant_open` and `footnote_catalogue_up`, one whose
        data could not be opened only the former.
        """
        families = _Families()
        wait([asked for tenant in self._tenants for asked in tenant.ask()], _PATIENCE_S)
        for name in self._left_out:
            families.add_left_out(name)
        for tenant in self._tenants:
            families.add(tenant.name, up=tenant.up, figures=tenant.figures)
        yield from families.all()


class _Tenant:
    """The state of one tenant: whether its database answers, and its last figures."""

    def __init__(self, engine: Engine, pool: ThreadPoolExecutor) -> None:
        self.name = engine.tenant
        self._engine = engine
        self._pool = pool
        self._lock = threading.Lock()  # scrapes may overlap
        self._sign: Future[bool] | None = None
        self._count: Future[bool] | None = None
        self._counted: Figures | None = None
        self._again_at = 0.0

    def ask(self) -> list[Future[bool]]:
        """Start a ping and a count unless they are running; return the futures to wait for."""
        with self._lock:
            if self._sign is None or self._sign.done():
                self._sign = self._pool.submit(self._answered, self._engine.check_catalogue)
            if self._count is None or (self._count.done() and time.monotonic() >= self._again_at):
                self._count = self._pool.submit(self._answered, self._counts)
            return [self._sign, self._count]

    @property
    def up(self) -> bool:
        """Whether the database answered the ping or the count."""
        return _is_well(self._sign) and (_is_well(self._count) or (self._count is not None and not self._count.done()))

    @property
    def figures(self) -> Figures | None:
        """The last figures, while the database answers."""
        return self._counted if self.up else None

    def _counts(self) -> None:
        began = time.monotonic()
        self._counted = self._engine.figures()
        took = time.monotonic() - began
        self._again_at = began + took * _SHARE if took > _QUICK_S else began

    def _answered(self, ask: Callable[[], None]) -> bool:
        try:
            ask()
        except FootnoteError as error:
            _log.warning("%s: no figures for the metrics: %s", self.name, error.message)
            return False
        return True


def _is_well(asked: Future[bool] | None) -> bool:
    return asked is not None and asked.done() and asked.result()


class _Families:
    """The gauges of one scrape."""

    def __init__(self) -> None:
        self._open = GaugeMetricFamily(
            "footnote_tenant_open", "Whether the data could be opened when the server started.", labels=["tenant"]
        )
        self._up = GaugeMetricFamily("footnote_catalogue_up", "Whether the database answers.", labels=["tenant"])
        self._documents = GaugeMetricFamily(
            "footnote_documents", "Documents: current, stale or failed.", labels=["tenant", "state"]
        )
        self._chunks = GaugeMetricFamily("footnote_chunks", "Chunks of readable documents.", labels=["tenant"])
        self._versions = GaugeMetricFamily("footnote_versions", "Versions that are kept.", labels=["tenant"])
        self._snapshot = GaugeMetricFamily("footnote_snapshot", "The last committed snapshot.", labels=["tenant"])
        self._jobs = GaugeMetricFamily("footnote_jobs", "Jobs, by their states.", labels=["tenant", "state"])
        self._calls = GaugeMetricFamily(
            "footnote_llm_calls", "Calls of the language model: running or waiting.", labels=["tenant", "state"]
        )

    def add_left_out(self, tenant: str) -> None:
        self._open.add_metric([tenant], False)

    def add(self, tenant: str, *, up: bool, figures: Figures | None) -> None:
        self._open.add_metric([tenant], True)
        self._up.add_metric([tenant], up)
        if figures is None:
            return
        for state, count in figures.documents.items():
            self._documents.add_metric([tenant, state], count)
        self._chunks.add_metric([tenant], figures.chunks)
        self._versions.add_metric([tenant], figures.versions)
        self._snapshot.add_metric([tenant], figures.snapshot)
        for state, count in figures.jobs.items():
            self._jobs.add_metric([tenant, state], count)
        for state, count in zip(("running", "waiting"), figures.llm_calls or (), strict=False):
            self._calls.add_metric([tenant, state], count)

    def all(self) -> tuple[Metric, ...]:
        return (
            self._open,
            self._up,
            self._documents,
            self._chunks,
            self._versions,
            self._snapshot,
            self._jobs,
            self._calls,
        )
