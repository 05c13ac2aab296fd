"""Reads what a server exposes, by the library's own parser."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families


class Scrape:
    """The samples of one scrape."""

    def __init__(self, client: httpx.Client, key: str = "") -> None:
        answer = client.get("/metrics", headers={"authorization": f"Bearer {key}"} if key else {})
        assert answer.status_code == 200, answer.text
        self.text = answer.text
        self.families: list[Metric] = list(text_string_to_metric_families(answer.text))

    def __iter__(self) -> Iterator[tuple[str, dict[str, str], float]]:
        for family in self.families:
            for sample in family.samples:
                yield sample.name, sample.labels, sample.value

    def value(self, name: str, **labels: str) -> float:
        """The sum of the series of this name that have these labels; 0 where there is none."""
        return sum(value for found, has, value in self if found == name and labels.items() <= has.items())

    def labels(self) -> dict[str, set[str]]:
        """The labels of each name."""
        found: dict[str, set[str]] = {}
        for name, labels, _ in self:
            found.setdefault(name, set()).update(labels)
        return found

    def series(self) -> set[tuple[str, frozenset[tuple[str, str]]]]:
        """Every series: its name and its labels."""
        return {(name, frozenset(labels.items())) for name, labels, _ in self}
