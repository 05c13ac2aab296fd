from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pipelines.catalogue.jobs import JobRecords
from pipelines.errors import InvalidRequest, QuotaSpent
from pipelines.jobs import Jobs
from pipelines.types import DocumentInput
from tests.pipelines.jobs.databases import opened_records

RACERS = 8
ONE = (DocumentInput("x"),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "ingets", "documents": ONE}, 'kind: there is no job "ingets", did you mean "ingest"?'),
        ({"kind": "ingest"}, "documents: is empty; give at least one document"),
        ({"kind": "sync", "documents": ONE}, "documents: a job of the kind sync takes none"),
        ({"kind": "sync", "priority": 1001}, "priority: 1001 is not between -1000 and 1000"),
        ({"kind": "sync", "idempotency_key": ""}, "idempotency_key: must be 1 to 200 printable characters"),
        ({"kind": "sync", "idempotency_key": "a\0"}, "idempotency_key: must be 1 to 200 printable characters"),
        ({"kind": "sync", "idempotency_key": "k" * 201}, "idempotency_key: must be 1 to 200 printable characters"),
    ],
)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_invalid_job_request_is_refused(records: JobRecords, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        Jobs(records).submit(**arguments)
    assert str(refused.value) == message


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_lists_are_asked_for_in_pages_and_by_states_that_exist(records: JobRecords) -> None:
    jobs = Jobs(records)
    with pytest.raises(InvalidRequest, match="limit: 0 is not between 1 and 1000"):
        jobs.list(limit=0)
    with pytest.raises(InvalidRequest, match='there is no state "runing", did you mean "running"'):
        jobs.list(state="runing")  # type: ignore[arg-type]
    assert jobs.submit("ingest", iter(ONE), priority=-1000).priority == -1000
    assert len(jobs.list(limit=1).jobs) == 1


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_of_two_offers_the_later_is_accepted_later(records: JobRecords) -> None:
    jobs = Jobs(records)
    first, second = (records.attempts.begin(jobs.submit("ingest", ONE).job_id, 0) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.accepted < second.accepted


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_request_that_is_repeated_by_its_key_takes_no_room(records: JobRecords) -> None:
    jobs = Jobs(records, most=1)
    first = jobs.submit("sync", idempotency_key="a")
    assert jobs.submit("sync", idempotency_key="a").job_id == first.job_id
    with pytest.raises(QuotaSpent, match="1\\); wait until one ends, cancel one, or raise limits -> quotas -> jobs"):
        jobs.submit("sync", idempotency_key="b")


def test_jobs_asked_for_at_the_same_moment_stay_within_the_quota(url: str, records: JobRecords) -> None:
    start = threading.Barrier(RACERS)

    def race(_: int) -> bool:
        with opened_records(url) as own:
            start.wait()
            try:
                Jobs(own, most=2).submit("ingest", ONE)
            except QuotaSpent:
                return False
            return True

    with ThreadPoolExecutor(RACERS) as racers:
        taken = list(racers.map(race, range(RACERS)))
    assert (taken.count(True), len(records.jobs(10, None).jobs)) == (2, 2)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_retention_goes_on_where_the_quota_of_jobs_is_spent(records: JobRecords) -> None:
    jobs = Jobs(records, most=1)
    jobs.submit("sync")
    assert jobs.submit("purge").kind == "purge"
