"""What an attempt at a job records of files that it finds."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.job_files import PURGED
from pipelines.catalogue.jobs import JobRecords
from pipelines.catalogue.tables import JobFileRow
from pipelines.jobs import Jobs
from pipelines.jobs.ledger import FolderReport, Ledger
from pipelines.types import FileProgress, Progress
from pipelines.types.jobs import FileState


def report(records: JobRecords, job_id: str, before: int, files: dict[str, FileState]) -> None:
    """Make the attempt that follows number ``before``, which finds these files."""
    attempt = records.attempts.begin(job_id, before)
    assert attempt is not None
    ledger = Ledger(records.attempts, attempt, lambda: False)
    tell = FolderReport(ledger, records.attempts.files(attempt))
    for path, state in files.items():
        tell(Progress(1, 1, 1, (FileProgress(path, state),)))
    ledger.flush()


def purge(records: JobRecords, *paths: str) -> None:
    with Session(records.engine) as session, session.begin():
        session.execute(sa.update(JobFileRow).where(JobFileRow.path.in_(paths)).values(path=PURGED))


def recorded(records: JobRecords, job_id: str) -> list[tuple[str, str]]:
    return [(file.path, file.state) for file in records.job(job_id).files]


def test_a_later_attempt_adds_its_files_to_those_of_which_some_were_purged(records: JobRecords) -> None:
    job_id = Jobs(records).submit("sync").job_id
    report(records, job_id, 0, {"a.md": "ready", "b.md": "ready", "c.md": "ready"})
    purge(records, "a.md", "b.md")
    report(records, job_id, 1, {"d.md": "ready", "c.md": "unchanged", "e.md": "failed"})
    report(records, job_id, 2, {"e.md": "ready", "f.md": "removed"})
    assert recorded(records, job_id) == [
        (PURGED, "ready"),
        (PURGED, "ready"),
        ("c.md", "ready"),
        ("d.md", "ready"),
        ("e.md", "ready"),
        ("f.md", "removed"),
    ]
