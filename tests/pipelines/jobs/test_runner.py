"""Jobs that are carried out in this process."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.database import postgres_engine
from pipelines.catalogue.jobs import JobRecords
from pipelines.errors import EmbeddingUnavailable, JobsRunElsewhere, PartTimeout, ProfileError
from pipelines.jobs import Jobs, Report
from pipelines.jobs.database import FILE
from pipelines.jobs.runner import run_jobs
from pipelines.types import DocumentInput, FileProgress, Job, JobState, Progress
from pipelines.types.jobs import FileState
from tests.pipelines.jobs.databases import opened_records
from tests.pipelines.jobs.tenants import Diary, documents, wait_until, work_of


def ended(jobs: Jobs, job_id: str) -> Job:
    wait_until(lambda: jobs.job(job_id).finished_at is not None, f"{job_id} ends")
    return jobs.job(job_id)


def state(jobs: Jobs, job_id: str) -> JobState:
    return jobs.job(job_id).state


def test_a_job_is_carried_out_with_all_its_files(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    with run_jobs([work_of(records, diary)], tmp_path):
        job = jobs.submit("ingest", [*documents(150), DocumentInput(content="bad", source="last")])
        assert (job.state, job.progress.files_total) == ("queued", 151)
        done = ended(jobs, job.job_id)
    assert (done.state, done.reason, done.attempt) == ("done", None, 1)
    assert diary.entries() == [*(f"d{number}" for number in range(150)), "last"]
    assert [(file.path, file.state) for file in done.files[:150]] == [(f"d{n}", "ready") for n in range(150)]
    assert (done.files[150].state, done.files[150].reason) == ("failed", "it is bad")
    progress = done.progress
    assert (progress.files_done, progress.files_failed, progress.chunks, progress.bytes) == (151, 1, 300, 1510)
    assert progress.files_per_second is not None
    assert progress.estimated_completion is None


def test_a_job_without_a_worker_is_run_by_the_next_one(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(3))
    for path in tmp_path.glob(f"{FILE}*"):
        path.unlink()
    with run_jobs([work_of(records, diary)], tmp_path):
        assert ended(jobs, job.job_id).state == "done"


def test_jobs_are_carried_out_again_and_again_in_one_process(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    for round in range(3):
        with run_jobs([work_of(records, diary)], tmp_path):
            assert ended(jobs, jobs.submit("ingest", documents(1, round)).job_id).state == "done"
    assert diary.entries() == ["d0", "d1", "d2"]
    assert not [thread.name for thread in threading.enumerate() if "dbos" in thread.name or "queue" in thread.name]


def test_urgent_jobs_come_first_and_equals_in_their_order(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    priorities = [0, 0, 5, -3, 0]
    submitted = [jobs.submit("ingest", documents(1, n), priority=p) for n, p in enumerate(priorities)]
    with run_jobs([work_of(records, diary)], tmp_path):
        for job in submitted:
            ended(jobs, job.job_id)
    assert diary.entries() == ["d3", "d0", "d1", "d4", "d2"]


def test_as_many_jobs_run_at_once_as_the_profile_says(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    together = threading.Barrier(2, timeout=60)
    diary.before = lambda document: (together.wait(), None)[1]
    jobs = Jobs(records)
    submitted = [jobs.submit("ingest", documents(1, number)) for number in range(2)]
    with run_jobs([work_of(records, diary, concurrency=2)], tmp_path):
        assert {ended(jobs, job.job_id).state for job in submitted} == {"done"}


def test_a_sync_lists_its_files_as_it_finds_them(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    with run_jobs([work_of(records, diary)], tmp_path):
        done = ended(jobs, jobs.submit("sync").job_id)
        others = [ended(jobs, jobs.submit(kind).job_id) for kind in ("purge", "optimize", "reembed")]
    assert [(file.path, file.state) for file in done.files] == [("a", "ready"), ("b", "removed"), ("c", "unchanged")]
    assert (done.progress.files_total, done.progress.files_done) == (3, 3)
    assert {job.state for job in others} == {"done"}


def test_a_job_that_waits_is_cancelled_at_once(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(1))
    assert jobs.cancel(job.job_id).state == "cancelled"
    assert jobs.cancel(job.job_id).state == "cancelled"
    with run_jobs([work_of(records, diary)], tmp_path):
        ended(jobs, jobs.submit("ingest", documents(1, 1)).job_id)
    assert diary.entries() == ["d1"]


def test_a_job_that_runs_is_cancelled_at_its_next_report(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    diary.pause_s = 0.1
    with run_jobs([work_of(records, diary)], tmp_path):
        job = jobs.submit("ingest", documents(1000))
        wait_until(lambda: jobs.job(job.job_id).progress.files_done > 0, "a file is done")
        assert jobs.cancel(job.job_id).state == "running"
        cancelled = ended(jobs, job.job_id)
    assert cancelled.state == "cancelled"
    ready = [file.path for file in cancelled.files if file.state == "ready"]
    assert ready == diary.entries()
    assert 0 < len(ready) < 1000


def test_a_temporary_outage_is_retried(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    errors = [EmbeddingUnavailable("embedding", "http://10.0.0.1 is away"), PartTimeout("embedding", 60)]
    seen: list[JobState] = []

    def before(document: DocumentInput) -> None:
        if document.source == "d1" and errors:
            seen.append(jobs.job(job.job_id).state)
            raise errors.pop()

    diary.before = before
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(3))
    with run_jobs([work_of(records, diary, attempts=3)], tmp_path):
        done = ended(jobs, job.job_id)
    assert (done.state, done.attempt, done.progress.files_failed) == ("done", 3, 0)
    assert diary.entries() == ["d0", "d1", "d2"]
    assert seen == ["running", "running"]


def test_a_lasting_outage_fails_the_job_without_revealing_the_address(
    records: JobRecords, diary: Diary, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def before(document: DocumentInput) -> None:
        raise EmbeddingUnavailable("embedding", "http://10.0.0.1 is away")

    diary.before = before
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(1))
    with caplog.at_level(logging.WARNING), run_jobs([work_of(records, diary, attempts=2)], tmp_path):
        failed = ended(jobs, job.job_id)
    assert (failed.state, failed.attempt, failed.files[0].state) == ("failed", 2, "waiting")
    assert failed.reason is not None
    assert "embedding_unavailable (tried 2 times)" in failed.reason
    assert "10.0.0.1" not in failed.reason
    assert "10.0.0.1" in caplog.text


def finding(*found: dict[str, FileState]) -> Callable[[Report], None]:
    """A synchronisation that finds these files, each time others, and fails then; what it found last it finds again."""
    left = list(found)

    def sync(report: Report) -> None:
        files = left.pop(0) if len(left) > 1 else left[0]
        report(Progress(len(files), len(files), 0, tuple(FileProgress(*file) for file in files.items())))
        raise EmbeddingUnavailable("embedding", "is away")

    return sync


@pytest.mark.parametrize(
    ("found", "attempts"),
    [
        ([{"a": "unchanged"}], 2),
        ([{"a": "failed"}], 2),
        ([{"a": "ready"}], 2),
        ([{"a": "failed"}, {"a": "busy"}, {"a": "failed"}], 2),
        ([{"a": "ready"}, {"a": "unchanged", "b": "ready"}, {"a": "removed"}, {"c": "unchanged"}], 5),
    ],
)
def test_files_that_each_try_finds_again_are_no_progress(
    records: JobRecords, diary: Diary, tmp_path: Path, found: list[dict[str, FileState]], attempts: int
) -> None:
    jobs = Jobs(records)
    work = replace(work_of(records, diary, attempts=2), sync=finding(*found))
    with run_jobs([work], tmp_path):
        failed = ended(jobs, jobs.submit("sync").job_id)
    assert (failed.state, failed.attempt) == ("failed", attempts)
    assert "(tried 2 times)" in (failed.reason or "")


def test_a_job_that_waits_to_be_tried_again_can_be_cancelled(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    tries: list[str | None] = []

    def before(document: DocumentInput) -> None:
        tries.append(document.source)
        raise EmbeddingUnavailable("embedding", "is away")

    diary.before = before
    jobs = Jobs(records)
    job = jobs.submit("ingest", documents(1))
    with run_jobs([work_of(records, diary, attempts=100)], tmp_path):
        wait_until(lambda: len(tries) == 3, "it was tried three times")
        jobs.cancel(job.job_id)
        assert ended(jobs, job.job_id).state == "cancelled"


def test_an_error_that_is_a_bug_fails_the_job_and_no_other(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    def before(document: DocumentInput) -> None:
        if document.source == "d0":
            raise ValueError("/secret/path")

    diary.before = before
    jobs = Jobs(records)
    with run_jobs([work_of(records, diary)], tmp_path):
        failed = ended(jobs, jobs.submit("ingest", documents(1)).job_id)
        assert ended(jobs, jobs.submit("ingest", documents(1, 1)).job_id).state == "done"
    assert (failed.state, failed.attempt) == ("failed", 1)
    assert failed.reason is not None
    assert "unexpected error, ValueError" in failed.reason
    assert "secret" not in failed.reason


def test_a_stopped_job_resumes_where_it_was(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    diary.pause_s = 0.05
    with run_jobs([work_of(records, diary)], tmp_path):
        job = jobs.submit("ingest", documents(200))
        wait_until(lambda: len(diary.entries()) > 3, "files are done")
    assert state(jobs, job.job_id) == "running"
    assert len(diary.entries()) < 200
    diary.pause_s = 0
    with run_jobs([work_of(records, diary)], tmp_path):
        done = ended(jobs, job.job_id)
    assert (done.state, done.attempt) == ("done", 2)
    assert diary.entries() == [f"d{number}" for number in range(200)]


def test_a_job_cancelled_without_a_worker_ends(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    jobs = Jobs(records)
    diary.pause_s = 0.05
    with run_jobs([work_of(records, diary)], tmp_path):
        job = jobs.submit("ingest", documents(200))
        wait_until(lambda: len(diary.entries()) > 0, "a file is done")
    jobs.cancel(job.job_id)
    with run_jobs([work_of(records, diary)], tmp_path):
        assert ended(jobs, job.job_id).state == "cancelled"
    assert len(diary.entries()) < 200


def test_jobs_of_several_tenants_are_carried_out_side_by_side(
    url: str, records: JobRecords, diary: Diary, tmp_path: Path
) -> None:
    with opened_records(url, "globex") as others:
        works = [work_of(records, diary), work_of(others, Diary(tmp_path / "globex.txt"))]
        with run_jobs(works, tmp_path):
            first, second = (Jobs(each).submit("ingest", documents(1)) for each in (records, others))
            assert ended(Jobs(records), first.job_id).state == "done"
            assert ended(Jobs(others), second.job_id).state == "done"


def test_jobs_do_not_wait_for_a_tenant_whose_database_does_not_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = tmp_path / "globex.sqlite"
    with (
        opened_records(f"sqlite:///{tmp_path / 'acme.sqlite'}") as records,
        opened_records(f"sqlite:///{away}", "globex") as others,
        caplog.at_level(logging.WARNING),
        run_jobs([work_of(others, Diary(tmp_path / "b")), work_of(records, Diary(tmp_path / "a"))], tmp_path),
        sqlite3.connect(away) as database,
    ):
        database.execute("ALTER TABLE jobs RENAME TO gone")
        database.commit()
        jobs = Jobs(records)
        assert [ended(jobs, jobs.submit("ingest", documents(1, n)).job_id).state for n in range(2)] == ["done"] * 2
        database.execute("ALTER TABLE gone RENAME TO jobs")
        database.commit()
        assert ended(Jobs(others), Jobs(others).submit("ingest", documents(1)).job_id).state == "done"
    told = [record.getMessage() for record in caplog.records if "jobs wait" in record.getMessage()]
    assert len(told) == 1
    assert told[0].startswith("globex: its jobs wait until its database answers: ")


def test_a_process_carries_jobs_out_once(records: JobRecords, diary: Diary, tmp_path: Path) -> None:
    work = work_of(records, diary)
    with run_jobs([work], tmp_path):
        with pytest.raises(JobsRunElsewhere, match="acme"), run_jobs([work], tmp_path):
            pass
        jobs = Jobs(records)
        assert ended(jobs, jobs.submit("ingest", documents(1)).job_id).state == "done"


def test_without_tenants_no_runner_starts(tmp_path: Path) -> None:
    with run_jobs([], tmp_path):
        assert not list(tmp_path.iterdir())


def test_tenants_with_databases_of_their_own_cannot_share_a_process(diary: Diary, tmp_path: Path) -> None:
    postgres = postgres_engine(
        sa.make_url("postgresql+psycopg://ann:opensesame@db.example:5433/harbour?application_name=x")
    )
    with (
        opened_records(f"sqlite:///{tmp_path / 'one.sqlite'}", "kite") as one,
        opened_records(f"sqlite:///{tmp_path / 'other.sqlite'}", "drum") as other,
    ):
        works = [work_of(records, diary) for records in (one, JobRecords(postgres, "ferry"), other)]
        with pytest.raises(ProfileError) as refused, run_jobs(works, tmp_path):
            pass
    (problem,) = refused.value.problems
    assert (
        '"kite", "drum" in jobs.sqlite of the data folder; "ferry" in postgresql://ann@db.example:5433/harbour.'
        in problem.message
    )
