"""Jobs that are carried out by processes of their own, which are killed."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.jobs import JobRecords
from pipelines.errors import JobsRunElsewhere
from pipelines.jobs import Jobs
from pipelines.jobs.database import FILE
from pipelines.jobs.runner import run_jobs
from pipelines.types import Job
from tests.pipelines.jobs.conftest import Carrier
from tests.pipelines.jobs.databases import opened_records
from tests.pipelines.jobs.tenants import Diary, documents, wait_until, work_of

ON_POSTGRES = pytest.mark.parametrize("url", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)


def ended(jobs: Jobs, job_id: str) -> Job:
    wait_until(lambda: jobs.job(job_id).finished_at is not None, f"{job_id} ends")
    return jobs.job(job_id)


def files_done(records: JobRecords, job_id: str) -> set[str]:
    return {file.path for file in records.job(job_id).files if file.state != "waiting"}


@pytest.mark.slow
def test_files_that_were_done_before_a_kill_are_not_done_again(
    carrier: Carrier, records: JobRecords, diary: Diary
) -> None:
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(60))
    done: set[str] = set()
    for more in (5, 25):
        process, begun = carrier(), len(diary.entries("START"))
        wait_until(lambda more=more: len(files_done(records, job.job_id)) >= more, f"{more} files are done")
        process.kill()
        process.wait()
        assert not done & set(diary.entries("START")[begun:])
        assert jobs.job(job.job_id).state == "running"
        done = files_done(records, job.job_id)
    begun = len(diary.entries("START"))
    carrier()
    end = ended(jobs, job.job_id)
    assert (end.state, end.attempt, end.progress.files_done, end.progress.files_failed) == ("done", 3, 60, 0)
    assert set(diary.entries("START")[begun:]) == {f"d{number}" for number in range(60)} - done


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_nothing_is_lost_with_the_file_of_dbos(
    carrier: Carrier, records: JobRecords, diary: Diary, tmp_path: Path
) -> None:
    jobs = Jobs(records)
    submitted = [jobs.submit("ingest", documents(20, start)) for start in (0, 20)]
    process = carrier()
    wait_until(lambda: len(files_done(records, submitted[0].job_id)) >= 5, "files are done")
    process.kill()
    process.wait()
    for path in tmp_path.glob(f"{FILE}*"):
        path.unlink()
    carrier()
    assert [ended(jobs, job.job_id).state for job in submitted] == ["done", "done"]
    assert set(diary.entries()) == {f"d{number}" for number in range(40)}


def test_a_stopped_process_is_silent_and_releases_the_job(carrier: Carrier, records: JobRecords, diary: Diary) -> None:
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(1000))
    process = carrier()
    wait_until(lambda: len(diary.entries()) > 2, "files are done")
    process.terminate()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert jobs.job(job.job_id).state == "running"
    assert files_done(records, job.job_id) == set(diary.entries())


@ON_POSTGRES
def test_two_processes_share_jobs_and_no_job_is_done_twice(carrier: Carrier, records: JobRecords, diary: Diary) -> None:
    jobs = Jobs(records)
    first, second = carrier(0.02), carrier(0.02)
    submitted = []
    while len({pid for pid, _, _ in diary.lines("END")}) < 2:
        job = jobs.submit("ingest", documents(5, 5 * len(submitted)))
        submitted.append(job.job_id)
        assert ended(jobs, job.job_id).state == "done"
    assert {int(pid) for pid, _, _ in diary.lines("END")} == {first.pid, second.pid}
    assert sorted(diary.entries("START")) == sorted(f"d{number}" for number in range(5 * len(submitted)))


@ON_POSTGRES
def test_the_job_of_a_process_that_is_killed_is_taken_over_by_another_that_waits(
    carrier: Carrier, records: JobRecords, diary: Diary
) -> None:
    jobs = Jobs(records)
    first = carrier(0.3)
    job = jobs.submit("ingest", documents(400))
    wait_until(lambda: len(diary.entries()) > 3, "files are done")
    second, before = carrier(0), len(diary.entries())
    wait_until(lambda: len(diary.entries()) > before + 10, "more files are done")
    assert {int(pid) for pid, _, _ in diary.lines("START")} == {first.pid}  # the living keep what they have
    first.kill()
    first.wait()
    done = files_done(records, job.job_id)
    end = ended(jobs, job.job_id)
    assert (end.state, end.attempt, end.progress.files_done) == ("done", 2, 400)
    by_second = {name for pid, _, name in diary.lines("START") if int(pid) == second.pid}
    assert by_second == {f"d{number}" for number in range(400)} - done


@ON_POSTGRES
def test_a_process_that_loses_its_connection_releases_the_job_and_continues(
    records: JobRecords, diary: Diary, tmp_path: Path
) -> None:
    jobs = Jobs(records)
    diary.pause_s = 0.05
    with run_jobs([work_of(records, diary)], tmp_path):
        job = jobs.submit("ingest", documents(100))
        wait_until(lambda: len(diary.entries()) > 3, "files are done")
        with records.engine.connect() as connection:
            query = sa.text(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 "
                "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
            assert connection.execute(query).all() == [(True,)]
        end = ended(jobs, job.job_id)
    assert (end.state, end.attempt, end.progress.files_done) == ("done", 2, 100)
    assert len(diary.entries()) < 110


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_on_sqlite_one_process_carries_jobs_out(
    url: str, carrier: Carrier, records: JobRecords, diary: Diary, tmp_path: Path
) -> None:
    carrier()
    with pytest.raises(JobsRunElsewhere, match="another process runs the jobs of acme already"):  # noqa: SIM117
        with run_jobs([work_of(records, diary)], tmp_path / "elsewhere"):
            pass
    with opened_records(url, "globex") as others, run_jobs([work_of(others, Diary(tmp_path / "g"))], tmp_path):
        jobs = Jobs(others)
        assert ended(jobs, jobs.submit("ingest", documents(1)).job_id).state == "done"
