"""Counts of use, on either engine that a catalogue may be on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.catalogue import Catalogue
from pipelines.catalogue.settings import Settings
from pipelines.catalogue.usage import UsageLog
from pipelines.errors import StoreUnavailable
from tests.pipelines.catalogue.test_catalogue import NEW, put


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
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


def test_the_use_of_a_purged_document_is_forgotten_written_or_not(catalogue: Catalogue, log: UsageLog) -> None:
    catalogue.claim("minilm", {})
    put(catalogue, replace(NEW, document_id="a"))
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    log.flush()
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    with catalogue.committing(lambda _: None) as commit:
        commit.purge("a", 2)
    assert set(log.uses_of(None)) == {"b"}


def test_use_that_is_written_during_a_purge_does_not_make_it_fail(catalogue: Catalogue, log: UsageLog) -> None:
    catalogue.claim("minilm", {})
    put(catalogue, replace(NEW, document_id="a"))
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    log.flush()
    log.searched(None, "one", ["a", "b"], 0.5, 1.0)
    with ThreadPoolExecutor(1) as pool:
        with catalogue.committing(lambda _: None) as commit:
            writing = pool.submit(log.flush)
            wait([writing], timeout=0.3)
            commit.purge("a", 2)
        writing.result()
    assert {name: use.count for name, use in log.uses_of(None).items()} == {"b": 2}


def test_the_oldest_queries_are_forgotten_beyond_the_most(log: UsageLog) -> None:
    for number in range(1001):
        log.searched(None, f"question {number}", [], 0.0, 1.0)
    log.flush()
    assert len(log.usage(None, 5000).queries) <= 1000


def test_unanswered_questions_count_by_reason_until_answered(catalogue: Catalogue, log: UsageLog) -> None:
    for question in ("Why  so?", "why so?"):
        log.answered(None, question, "no_hits")
    log.flush()
    log.answered(None, "Why so?", "no_hits")
    log.answered(None, "Why so?", "low_confidence")
    log.answered(None, "When?", "filtered_out")
    reported = log.usage(None, 10).unanswered
    assert [(one.reason, one.count) for one in reported[:1]] == [("no_hits", 3)]
    assert {(one.question.casefold(), one.reason) for one in reported[1:]} == {
        ("why so?", "low_confidence"),
        ("when?", "filtered_out"),
    }
    assert all(one.last.tzinfo is not None for one in reported)
    assert len(log.usage(None, 1).unanswered) == 1
    log.answered(None, "why so?", None)
    assert [one.question for one in log.usage(None, 10).unanswered] == ["When?"]
    log.answered(None, "When?", None)
    log.answered(None, "When?", "no_hits")
    assert [(one.reason, one.count) for one in log.usage(None, 10).unanswered] == [("no_hits", 1)]
    assert UsageLog(catalogue.engine, "globex").usage(None, 10).unanswered == ()


def test_a_question_that_is_answered_while_a_write_fails_stays_answered(catalogue: Catalogue) -> None:
    class Interrupted(UsageLog):
        def _write(self, taken: Any) -> None:
            if self.is_interrupted:
                self.is_interrupted = False
                self.answered(None, "Why so?", None)
                raise StoreUnavailable("the database", "it is away")
            super()._write(taken)

        is_interrupted = True

    with closing(Interrupted(catalogue.engine, "acme")) as log:
        log.answered(None, "Why so?", "no_hits")
        log.answered(None, "When?", "no_hits")
        with pytest.raises(StoreUnavailable):
            log.flush()
        assert [one.question for one in log.usage(None, 10).unanswered] == ["When?"]


def test_a_scope_sees_its_unanswered_questions_whatever_others_got(log: UsageLog) -> None:
    log.answered("fed", "secret of fed", "no_hits")
    log.answered("corp", "secret of fed", None)
    log.answered(None, "secret of all", "no_hits")
    assert [one.question for one in log.usage("fed", 10).unanswered] == ["secret of fed"]
    assert log.usage("corp", 10).unanswered == ()
    assert len(log.usage(None, 10).unanswered) == 2


def test_a_cached_answer_counts_as_a_question_and_not_as_a_search(log: UsageLog) -> None:
    log.searched(None, "one", ["a"], 0.5, None)
    used = log.usage(None, 10)
    assert (used.queries[0].count, used.documents[0].count, used.searches.count) == (1, 1, 0)


def test_questions_without_a_word_are_not_listed(log: UsageLog) -> None:
    for question in ("🦊🦊🦊", "?!", "…", "🦊🦊🦊", "fox den", "Лиса?", "4711"):
        log.searched(None, question, ["a"], 0.5, 1.0)
    assert {use.query for use in log.usage(None, 3).queries} == {"fox den", "Лиса?", "4711"}


def test_other_tenants_are_apart(catalogue: Catalogue, log: UsageLog) -> None:
    log.searched(None, "mine", ["a"], 0.5, 1.0)
    log.flush()
    assert UsageLog(catalogue.engine, "globex").usage(None, 10).searches.count == 0


def test_unstorable_questions_are_counted_without_their_text(log: UsageLog) -> None:
    log.searched(None, "a \0 and half of a \ud800", ["a"], 0.5, 1.0)
    log.searched(None, "after", ["a"], 0.5, 1.0)
    used = log.usage(None, 10)
    assert (used.searches.count, used.documents[0].count) == (2, 2)
    assert "after" in {use.query for use in used.queries}


def test_records_that_cannot_be_written_at_the_end_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Catalogue.in_folder(tmp_path, "kennel")) as own:
        log = UsageLog(own.engine, "kennel")
        log.searched(None, "Do beagles howl?", ["d"], 0.9, 1.0)
        with own.engine.begin() as connection:
            connection.execute(sa.text("DROP TABLE query_uses"))  # as good as a disk that is full
        log.close()
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert record.getMessage().startswith("kennel: ")
    assert "could not be stored" in record.getMessage()


def test_processes_that_count_at_once_add_up(catalogue: Catalogue) -> None:
    names = [f"document {number}" for number in range(40)]

    def count(order: list[str]) -> None:
        log = UsageLog(catalogue.engine, "acme")
        for _ in range(5):
            log.searched(None, "the same question", order, 0.5, 1.0)
            log.flush()
        log.close()

    counting = [threading.Thread(target=count, args=(names[::step],)) for step in (1, -1, 1, -1)]
    for thread in counting:
        thread.start()
    for thread in counting:
        thread.join()
    used = UsageLog(catalogue.engine, "acme").usage(None, 100)
    assert {use.count for use in used.documents} == {20}
    assert (len(used.documents), used.queries[0].count, used.searches.count) == (40, 20, 20)


def test_settings_are_replaced_and_outlive_the_process(catalogue: Catalogue) -> None:
    settings = Settings(catalogue.engine, "acme")
    assert settings.get("profile") == {}
    settings.put("profile", {"chunking": {"size": 80}})
    settings.put("profile", {"chunking": {"size": 90}})
    assert Settings(catalogue.engine, "acme").get("profile") == {"chunking": {"size": 90}}
    assert Settings(catalogue.engine, "globex").get("profile") == {}
