"""A damaged file of DBOS is made again: the catalogues hold the jobs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.catalogue.jobs import JobRecords
from pipelines.errors import StoreUnavailable
from pipelines.jobs import Jobs
from pipelines.jobs.database import FILE
from pipelines.jobs.runner import run_jobs
from tests.pipelines.jobs.tenants import Diary, documents, wait_until, work_of

pytestmark = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


def overwrite(file: Path) -> None:
    file.write_bytes(os.urandom(50_000))


def cut_off(file: Path) -> None:
    os.truncate(file, 9_000)


def run_a_job(records: JobRecords, diary: Diary, data: Path, first: int) -> None:
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(3, first))
    with run_jobs([work_of(records, diary)], data):
        wait_until(lambda: jobs.job(job.job_id).state == "done", "the job is done")


@pytest.mark.parametrize("harm", [overwrite, cut_off])
def test_jobs_run_although_the_queues_file_is_damaged(
    harm: Callable[[Path], None],
    records: JobRecords,
    diary: Diary,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run_a_job(records, diary, tmp_path, 0)
    harm(tmp_path / FILE)
    left = (tmp_path / FILE).read_bytes()
    run_a_job(records, diary, tmp_path, 3)
    assert sorted(diary.entries()) == [f"d{number}" for number in range(6)]
    assert (tmp_path / f"{FILE}.damaged").read_bytes() == left
    assert "jobs.sqlite is damaged; it is made again" in caplog.text


def test_a_queues_file_that_cannot_be_opened_is_named(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StoreUnavailable, match=r"the jobs' database is not available: unable to open.*jobs\.sqlite"):
        run_a_job(records, diary, tmp_path, 0)
