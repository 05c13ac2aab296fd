"""The route of the metrics, and who may read them."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha256
from itertools import chain
from typing import Protocol

from fastapi import Request, Response
from prometheus_client import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.samples import Sample

from app.http.keyring import Keyring
from app.http.rates import RateLimits
from app.http.security import presented_key
from app.metrics.figures import TenantFigures


def metrics_route(registry: Collector, token: str | None) -> Callable[[Request], Response]:
    """The handler of `GET /metrics`.

    The ``token`` shows everything. An admin's key shows its tenants; an admin of all served tenants sees everything,
    too. Tenants without keys are shown to everybody, unless there is a token.

    Args:
        registry: What the process counts.
        token: The token that Prometheus sends; None: no token.
    """

    def metrics(request: Request) -> Response:
        keyring: Keyring = request.state.keyring
        standing: TenantFigures = request.state.standing
        presented = presented_key(request)
        tenants = None
        if token is None or not _same(presented, token):
            rates: RateLimits = request.state.rates
            with rates.failures(request):
                administered = keyring.administered(presented, open_too=token is None)
            tenants = None if administered == keyring.tenants else administered
        body, media_type = exposed(View((registry, standing), tenants), request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type, "cache-control": "no-store"})

    return metrics


def _same(presented: bytes, token: str) -> bool:
    return hmac.compare_digest(sha256(presented).digest(), sha256(token.encode()).digest())


_OPEN_METRICS = "application/openmetrics-text"


class Collector(Protocol):
    """A source of metrics."""

    def collect(self) -> Iterable[Metric]:
        """Return the current metrics."""


class View:
    """The metrics of ``collectors`` about ``tenants``; None: all, including those without a tenant."""

    def __init__(self, collectors: Iterable[Collector], tenants: Collection[str] | None) -> None:
        self._collectors = tuple(collectors)
        self._tenants = tenants

    def collect(self) -> Iterator[Metric]:
        """The metrics that have a series to show."""
        for metric in chain.from_iterable(one.collect() for one in self._collectors):
            samples = [sample for sample in metric.samples if self._shows(sample)]
            if samples:
                shown = Metric(metric.name, metric.documentation, metric.type)
                shown.samples = samples
                yield shown

    def _shows(self, sample: Sample) -> bool:
        """Return whether a series is shown. Creation times are hidden; they would double the series."""
        if sample.name.endswith("_created"):
            return False
        return self._tenants is None or sample.labels.get("tenant") in self._tenants


def exposed(view: View, accept: str) -> tuple[bytes, str]:
    """Return the text of a view and its media type: OpenMetrics where the caller accepts that, else Prometheus's
    own.
    """
    # The library parses versions and escapings in the header and fails on invalid ones.
    encode, media_type = choose_encoder(_OPEN_METRICS if _OPEN_METRICS in accept else "")
    return encode(view), media_type
