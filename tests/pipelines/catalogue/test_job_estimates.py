"""When a job will be done, reckoned with a clock that may have been set while it ran."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from pipelines.catalogue.jobs import JobRecords, NewJob
from pipelines.types import DocumentInput, FileProgress
from tests.pipelines.jobs.databases import opened_records

FILES = 10_000
FACTORY_CLOCK = datetime(1970, 1, 1, 0, 5, tzinfo=UTC)
SET_RIGHT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def records(url: str) -> Iterator[JobRecords]:
    with opened_records(url) as opened:
        yield opened


@pytest.mark.parametrize("set_to", [SET_RIGHT, FACTORY_CLOCK - timedelta(minutes=4), FACTORY_CLOCK])
def test_a_job_is_listed_without_an_estimate_that_no_calendar_has(records: JobRecords, set_to: datetime) -> None:
    with time_machine.travel(FACTORY_CLOCK, tick=False) as clock:
        documents = [DocumentInput("x", "x") for _ in range(2)]
        job_id = records.create(NewJob("ingest", documents, 0, None, 1)).job_id
        attempt = records.attempts.begin(job_id, 0)
        assert attempt is not None
        clock.move_to(set_to)
        records.attempts.record(attempt, [(0, FileProgress("x", "ready"))], total=FILES)
        assert records.job(job_id).progress.estimated_completion is None
        assert [job.job_id for job in records.jobs(10, None).jobs] == [job_id]


def test_a_job_at_work_is_estimated(records: JobRecords) -> None:
    with time_machine.travel(SET_RIGHT, tick=False) as clock:
        job_id = records.create(NewJob("ingest", [DocumentInput("x", "x")], 0, None, 1)).job_id
        attempt = records.attempts.begin(job_id, 0)
        assert attempt is not None
        clock.shift(timedelta(seconds=10))
        records.attempts.record(attempt, [(0, FileProgress("x", "ready"))], total=4)
        assert records.job(job_id).progress.estimated_completion == SET_RIGHT + timedelta(seconds=40)
