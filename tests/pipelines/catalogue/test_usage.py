"""Counts of use, on the catalogue's database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.catalogue import Catalogue
from pipelines.catalogue.settings import Settings
from pipelines.catalogue.usage import UsageLog


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue.in_folder(tmp_path, "acme")
    yield opened
    opened.close()


@pytest.fixture
def log(catalogue: Catalogue) -> Iterator[UsageLog]:
    opened = UsageLog(catalogue.engine, "acme")
    yield opened
    opened.close()


def test_counts_add_up_and_outlive_the_log(catalogue: Catalogue, log: UsageLog) -> None:
    log.searched(None, "How  so?", ["a", "a", "b"], 0.5, 10.0)
    log.searched(None, "how so?", ["a"], 0.7, 30.0)
    log.ingested(None, 4, 12, 2000.0)
    log.close()
    used = UsageLog(catalogue.engine, "acme").usage(None, 10)
    assert [(use.document_id, use.count) for use in used.documents] == [("a", 2), ("b", 1)]
    assert [(use.count, use.relevance) for use in used.queries] == [(2, pytest.approx(0.6))]
    assert (used.searches.count, used.searches.average_ms) == (2, 20.0)
    assert 30.0 <= used.searches.p99_ms <= 30.0 * 1.05
    assert (used.ingestion.per_second(used.ingestion.count), used.ingestion.average_ms) == (2.0, 500.0)


def test_a_scope_sees_its_own_use_and_the_tenant_sees_all(log: UsageLog) -> None:
    log.searched("fed", "secret of fed", ["a"], 0.5, 1.0)
    log.searched("corp", "secret of corp", ["a"], 0.5, 1.0)
    assert [use.query for use in log.usage("fed", 10).queries] == ["secret of fed"]
    assert log.usage("fed", 10).searches.count == 1
    assert log.uses_of(None)["a"].count == 2
    assert log.uses_of("other") == {}


def test_the_use_of_a_document_is_forgotten_written_or_not(log: UsageLog) -> None:
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    log.flush()
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    log.forget("a")
    assert set(log.uses_of(None)) == {"b"}


def test_the_oldest_queries_are_forgotten_beyond_the_most(log: UsageLog) -> None:
    for number in range(1001):
        log.searched(None, f"question {number}", [], 0.0, 1.0)
    log.flush()
    assert len(log.usage(None, 5000).queries) <= 1000


def test_other_tenants_are_apart(catalogue: Catalogue, log: UsageLog) -> None:
    log.searched(None, "mine", ["a"], 0.5, 1.0)
    log.flush()
    assert UsageLog(catalogue.engine, "globex").usage(None, 10).searches.count == 0


def test_settings_are_replaced_and_outlive_the_process(catalogue: Catalogue) -> None:
    settings = Settings(catalogue.engine, "acme")
    assert settings.get("profile") == {}
    settings.put("profile", {"chunking": {"size": 80}})
    settings.put("profile", {"chunking": {"size": 90}})
    assert Settings(catalogue.engine, "acme").get("profile") == {"chunking": {"size": 90}}
    assert Settings(catalogue.engine, "globex").get("profile") == {}
