from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines.catalogue.job_attempts import Attempt
from pipelines.catalogue.jobs import JobRecords, NewJob
from pipelines.catalogue.tables import JobFileRow
from pipelines.errors import InvalidDocument, InvalidRequest, JobEnded, JobNotFound, KeyReused
from pipelines.types import DocumentInput, FileProgress, Job
from tests.pipelines.jobs.databases import opened_records

FULL = DocumentInput(
    content="Cats – \ud800 sleep.",
    document_id="cats/a",
    title="",
    source="cats/a.md",
    media_type="text/markdown",
    metadata={"year": 2024, "topics": ["x"], "note": "\0 \udcff"},
    origin="knowledge",
    replaces="cats/b",
    scope={"suite": "fed"},
)


@pytest.fixture
def records(url: str) -> Iterator[JobRecords]:
    with opened_records(url) as opened:
        yield opened


def ingest(*documents: DocumentInput, key: str | None = None, accepted: int = 1000, priority: int = 0) -> NewJob:
    return NewJob("ingest", documents or (DocumentInput("x", "x"),), priority, key, accepted)


def begun(records: JobRecords, job: Job, before: int = 0) -> Attempt:
    attempt = records.attempts.begin(job.job_id, before)
    assert attempt is not None
    return attempt


def contents(records: JobRecords) -> list[bytes | None]:
    with records.engine.connect() as connection:
        query = sa.select(JobFileRow.content, JobFileRow.offered).order_by(JobFileRow.job_id, JobFileRow.number)
        rows = connection.execute(query).all()
    assert all((row.content is None) == (row.offered is None) for row in rows)
    return [row.content for row in rows]


def test_a_document_comes_back_as_it_was_offered(records: JobRecords) -> None:
    attempt = begun(records, records.create(ingest(FULL, replace(FULL, content=b"\x00\xff"))))
    first, second = records.attempts.pending(attempt, -1, 10, 10**6)
    assert first.document == replace(FULL, accepted=1000)
    assert second.document == replace(FULL, content=b"\x00\xff", accepted=1001)
    assert (first.number, first.path) == (0, "cats/a.md")


def test_a_file_is_read_when_it_is_offered_where_another_machine_may_bring_it_in(
    records: JobRecords, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes(b"before")
    attempt = begun(records, records.create(ingest(DocumentInput(tmp_path / "a.txt"), DocumentInput(tmp_path / "no"))))
    first, second = records.attempts.pending(attempt, -1, 10, 10**6)
    if records.engine.dialect.name == "sqlite":
        assert first.document.content == tmp_path / "a.txt"
    else:
        assert (first.document.content, first.document.source) == (b"before", "a.txt")
    assert second.document.content == tmp_path / "no"
    assert (first.path, second.path) == ("a.txt", "no")


@pytest.mark.parametrize("metadata", [{"when": object()}, {"size": float("nan")}, {"loop": None}])
def test_metadata_that_cannot_be_kept_is_refused(records: JobRecords, metadata: dict[str, object]) -> None:
    if "loop" in metadata:
        metadata["loop"] = metadata
    with pytest.raises(InvalidDocument, match="documents -> 1 -> metadata: cannot be kept"):
        records.create(ingest(DocumentInput("x"), DocumentInput("y", metadata=metadata)))
    assert records.jobs(10, None).jobs == ()


def test_files_without_a_name_are_numbered_and_names_that_no_database_takes_are_spelled_out(
    records: JobRecords,
) -> None:
    job = records.create(ingest(DocumentInput("x"), DocumentInput("y", source="\udcff\0.txt")))
    assert [file.path for file in records.job(job.job_id).files] == ["document 1", "\\udcff.txt"]


def test_one_key_and_one_request_are_one_job(records: JobRecords) -> None:
    job = records.create(ingest(FULL, key="k"))
    assert records.create(ingest(FULL, key="k", accepted=2000)) == job
    assert records.create(ingest(FULL)).job_id != job.job_id
    for other in (
        ingest(replace(FULL, content="y"), key="k"),
        ingest(FULL, FULL, key="k"),
        ingest(FULL, priority=1, key="k"),
    ):
        with pytest.raises(KeyReused, match=job.job_id):
            records.create(other)
    assert len(records.jobs(10, None).jobs) == 2


def test_a_key_is_a_tenants_own(url: str, records: JobRecords) -> None:
    with opened_records(url, "globex") as others:
        assert records.create(ingest(key="k")).job_id != others.create(ingest(key="k")).job_id


def test_concurrent_requests_with_one_key_get_the_same_job(url: str, records: JobRecords) -> None:
    racers = 8
    start = threading.Barrier(racers)
    found: list[str] = []

    def race() -> None:
        with opened_records(url) as own:
            start.wait()
            found.append(own.create(ingest(*[FULL] * 20, key="k")).job_id)

    threads = [threading.Thread(target=race) for _ in range(racers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == racers
    assert len(set(found)) == 1
    assert records.jobs(10, None).jobs[0].progress.files_total == 20


def test_batches_keep_to_a_number_and_to_a_size(records: JobRecords) -> None:
    texts = ["a" * size for size in (1, 1, 1, 5, 3, 3)]
    attempt = begun(records, records.create(ingest(*map(DocumentInput, texts))))
    batches, last = [], -1
    while batch := records.attempts.pending(attempt, last, 3, 4):
        last = batch[-1].number
        batches.append([file.number for file in batch])
    assert batches == [[0, 1, 2], [3], [4], [5]]


def test_a_finished_file_is_not_pending_and_takes_no_space(records: JobRecords) -> None:
    job = records.create(ingest(*map(DocumentInput, "abc")))
    attempt = begun(records, job)
    done = [(1, FileProgress("b", "ready", None, 4, 10)), (2, FileProgress("c", "failed", "\0 \udcff bad"))]
    assert records.attempts.record(attempt, done) == "mine"
    assert contents(records) == [b"a", None, None]
    assert [file.number for file in records.attempts.pending(attempt, -1, 10, 10)] == [0]
    found = records.job(job.job_id)
    assert found.files[1:] == (FileProgress("b", "ready", None, 4, 10), FileProgress("c", "failed", " \\udcff bad"))
    progress = found.progress
    assert (progress.files_total, progress.files_done, progress.files_failed) == (3, 2, 1)
    assert (progress.chunks, progress.bytes) == (4, 10)


def test_an_end_is_estimated_once_there_is_a_rate(records: JobRecords) -> None:
    job = records.create(ingest(*map(DocumentInput, "abcd")))
    assert (job.progress.files_per_second, job.progress.estimated_completion) == (None, None)
    attempt = begun(records, job)
    assert records.job(job.job_id).progress.estimated_completion is None
    records.attempts.record(attempt, [(0, FileProgress("a", "ready"))])
    running = records.job(job.job_id)
    assert running.progress.files_per_second is not None
    assert running.progress.estimated_completion is not None
    assert running.started_at is not None
    assert running.progress.estimated_completion > running.started_at
    begun(records, job, 1)
    again = records.job(job.job_id)
    assert (again.attempt, again.started_at) == (2, running.started_at)
    assert again.progress.estimated_completion is None  # this attempt has done nothing yet


def test_an_attempt_that_was_overtaken_writes_nothing(records: JobRecords) -> None:
    job = records.create(ingest())
    first = begun(records, job)
    second = begun(records, job, 1)
    assert records.attempts.begin(job.job_id, 1) is None
    assert records.attempts.record(first, [(0, FileProgress("x", "ready"))], 7) == "overtaken"
    assert records.attempts.standing(first) == "overtaken"
    records.attempts.finish(first, "failed", "late")
    assert records.attempts.standing(second) == "mine"
    found = records.job(job.job_id)
    assert (found.state, found.reason, found.progress.files_total, found.files[0].state) == (
        "running",
        None,
        1,
        "waiting",
    )
    records.attempts.finish(second, "done")
    assert records.job(job.job_id).state == "done"
    assert records.attempts.begin(job.job_id, 2) is None


def test_one_of_many_that_race_begins_the_attempt(records: JobRecords) -> None:
    job = records.create(ingest())
    start = threading.Barrier(4)
    found: list[Attempt | None] = []

    def race() -> None:
        start.wait()
        found.append(records.attempts.begin(job.job_id, 0))

    threads = [threading.Thread(target=race) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [attempt.number for attempt in found if attempt is not None] == [1]


def test_cancelling_ends_what_waits_and_asks_what_runs(records: JobRecords) -> None:
    waiting, running = records.create(ingest(FULL)), records.create(ingest(FULL))
    attempt = begun(records, running)
    cancelled = records.cancel(waiting.job_id)
    assert cancelled.state == "cancelled"
    assert cancelled.finished_at is not None
    assert records.cancel(running.job_id).state == "running"
    assert records.attempts.record(attempt, []) == "cancelled"
    assert [job.job_id for job in records.jobs(10, None, "running").jobs] == [running.job_id]
    records.attempts.finish(attempt, "cancelled")
    assert records.cancel(running.job_id).state == "cancelled"
    assert contents(records) == [None, None]


def test_a_job_cancelled_while_idle_ends_when_it_is_picked_up(records: JobRecords) -> None:
    job = records.create(ingest())
    begun(records, job)
    records.cancel(job.job_id)
    assert [waiting.job_id for waiting in records.unfinished(10)] == [job.job_id]
    assert records.attempts.begin(job.job_id, 1) is None
    assert records.job(job.job_id).state == "cancelled"
    assert records.unfinished(10) == []


def test_a_finished_job_cannot_be_cancelled(records: JobRecords) -> None:
    job = records.create(ingest())
    records.attempts.finish(begun(records, job), "done")
    with pytest.raises(JobEnded, match="is done already"):
        records.cancel(job.job_id)


@pytest.mark.parametrize("job_id", ["none", "\udcff", "\0", "x" * 1000])
def test_a_job_that_does_not_exist_is_not_found(records: JobRecords, job_id: str) -> None:
    for look in (records.job, records.cancel):
        with pytest.raises(JobNotFound):
            look(job_id)
    with pytest.raises(InvalidRequest, match="cursor"):
        records.jobs(10, job_id)


def test_another_tenants_job_is_not_found(url: str, records: JobRecords) -> None:
    job = records.create(ingest())
    with opened_records(url, "globex") as others:
        for look in (others.job, others.cancel):
            with pytest.raises(JobNotFound):
                look(job.job_id)
        assert others.jobs(10, None).jobs == ()
        assert others.attempts.begin(job.job_id, 0) is None


def test_pages_go_from_new_to_old_and_can_be_of_one_state(records: JobRecords) -> None:
    made = [records.create(ingest()).job_id for _ in range(5)]
    records.cancel(made[1])
    seen: list[str] = []
    cursor = None
    while True:
        page = records.jobs(2, cursor)
        seen += [job.job_id for job in page.jobs]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == made[::-1]
    assert [job.job_id for job in records.jobs(10, None, "cancelled").jobs] == [made[1]]
    assert len(records.jobs(10, None, "queued").jobs) == 4


def test_turns_go_by_what_was_begun_then_priority_then_age(records: JobRecords) -> None:
    made = [records.create(ingest(priority=priority)).job_id for priority in (0, 5, -2, 0)]
    begun(records, records.job(made[1]))
    assert [job.job_id for job in records.unfinished(10)] == [made[1], made[2], made[0], made[3]]
    assert [(job.attempt, job.priority) for job in records.unfinished(1)] == [(1, 5)]


def test_jobs_of_a_scope_are_visible_to_it_and_to_unscoped_keys(records: JobRecords) -> None:
    fed, corp = records.within('{"suite": "fed"}'), records.within('{"suite": "corp"}')
    mine, theirs, all_of_it = fed.create(ingest(key="k")), corp.create(ingest(key="k")), records.create(ingest(key="k"))
    assert len({mine.job_id, theirs.job_id, all_of_it.job_id}) == 3
    assert fed.create(ingest(key="k")).job_id == mine.job_id
    assert [job.job_id for job in fed.jobs(9, None).jobs] == [mine.job_id]
    assert {job.job_id for job in records.jobs(9, None).jobs} == {mine.job_id, theirs.job_id, all_of_it.job_id}
    begun(records, mine)
    assert fed.job(mine.job_id).state == "running"  # what an attempt notes keeps the scope
    for job_id in (theirs.job_id, all_of_it.job_id):
        with pytest.raises(JobNotFound):
            fed.job(job_id)
        with pytest.raises(JobNotFound):
            fed.cancel(job_id)
        with pytest.raises(InvalidRequest, match="cursor"):
            fed.jobs(9, job_id)
    assert corp.job(theirs.job_id).state == "queued"
    with pytest.raises(KeyReused, match='the idempotency key "k"'):
        fed.create(ingest(key="k", priority=5))
