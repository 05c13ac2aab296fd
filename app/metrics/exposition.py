"""The metrics that one caller may see, in Prometheus' formats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Protocol

from prometheus_client import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.samples import Sample

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
