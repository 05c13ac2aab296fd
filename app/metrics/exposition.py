"""What one caller may see of the metrics, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Protocol

from prometheus_client import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.samples import Sample

_OPEN_METRICS = "application/openmetrics-text"


class Collector(Protocol):
    """Whatever gives metrics."""

    def collect(self) -> Iterable[Metric]:
        """Its metrics as they are now."""


class View:
    """The metrics of ``collectors`` about ``tenants``; None: all there are, those of no tenant too."""

    def __init__(self, collectors: Iterable[Collector], tenants: Collection[str] | None) -> None:
        self._collectors = tuple(collectors)
        self._tenants = tenants

    def collect(self) -> Iterator[Metric]:
        """The metrics, without those that have no series to show."""
        for metric in chain.from_iterable(one.collect() for one in self._collectors):
            samples = [sample for sample in metric.samples if self._shows(sample)]
            if samples:
                shown = Metric(metric.name, metric.documentation, metric.type)
                shown.samples = samples
                yield shown

    def _shows(self, sample: Sample) -> bool:
        """Whether a series is shown; when a series began is not: it would be one more for each there is."""
        if sample.name.endswith("_created"):
            return False
        return self._tenants is None or sample.labels.get("tenant") in self._tenants


def exposed(view: View, accept: str) -> tuple[bytes, str]:
    """The text of a view and its media type: OpenMetrics where the caller accepts that, else Prometheus's own."""
    # The library reads versions and escapings out of the header, and falls over those that are none.
    encode, media_type = choose_encoder(_OPEN_METRICS if _OPEN_METRICS in accept else "")
    return encode(view), media_type
