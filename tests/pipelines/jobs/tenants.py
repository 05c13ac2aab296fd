"""A tenant whose work is to write the names of its documents into a file; `python -m` carries its jobs out."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.catalogue.jobs import JobRecords
from pipelines.jobs import Report, Work
from pipelines.jobs.runner import run_jobs
from pipelines.profile.sections.limits import JobsSection
from pipelines.types import DocumentInput, FileProgress, IngestResult, Progress
from tests.pipelines.jobs.databases import opened_records

ROOT = Path(__file__).resolve().parents[3]
Before = Callable[[DocumentInput], None]


@dataclass
class Diary:
    """Its lines are ``PID START|END NAME``: a document that was begun, and one that is in."""

    file: Path
    pause_s: float = 0.0
    before: Before = field(default=lambda document: None)

    def ingest(self, documents: Sequence[DocumentInput], report: Report, at_once: int = 1) -> list[IngestResult]:
        """Brings documents in, one by one; those whose text is ``bad`` fail."""
        results = []
        for done, document in enumerate(documents, 1):
            self.before(document)
            name = str(document.source)
            self._note("START", name)
            time.sleep(self.pause_s)
            self._note("END", name)
            bad = document.content == "bad"
            file = FileProgress(name, "failed" if bad else "ready", "it is bad" if bad else None, 2 * (not bad), 10)
            result = IngestResult(name, "failed" if bad else "ready", reason=file.reason, chunks_created=file.chunks)
            results.append(result)
            report(Progress(done, len(documents), 2 * done, (file,)))
        return results

    def sync(self, report: Report) -> None:
        """Finds three files, the last of which is as it was."""
        for done, (name, state) in enumerate([("a", "ready"), ("b", "removed"), ("c", "unchanged")], 1):
            self.before(DocumentInput(content="", source=name))
            self._note("END", name)
            report(Progress(done, 3, done, (FileProgress(name, state),)))  # type: ignore[arg-type]

    def _note(self, what: str, name: str) -> None:
        with self.file.open("a") as file:
            file.write(f"{os.getpid()} {what} {name}\n")

    def entries(self, what: str = "END") -> list[str]:
        """The names of the documents that were begun, or are in."""
        return [name for _, _, name in self.lines(what)]

    def lines(self, what: str) -> list[tuple[str, str, str]]:
        """Process, kind and name of the lines of one kind."""
        if not self.file.exists():
            return []
        read = [tuple(line.split()) for line in self.file.read_text().splitlines()]
        return [(line[0], line[1], line[2]) for line in read if line[1] == what]


def work_of(records: JobRecords, diary: Diary, *, concurrency: int = 1, attempts: int = 5) -> Work:
    """The work of a tenant that keeps a diary."""
    return Work(
        settings=JobsSection(concurrency=concurrency, attempts=attempts),
        records=records,
        ingest=diary.ingest,
        complete=lambda tell: 0,
        sync=diary.sync,
        reembed=diary.sync,
        purge=lambda report: None,
        optimize=lambda: None,
        rebuild=lambda report: None,
        compact=lambda report: None,
    )


def documents(count: int, start: int = 0) -> list[DocumentInput]:
    """Documents named by their numbers."""
    return [DocumentInput(content=f"text {number}", source=f"d{number}") for number in range(start, start + count)]


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 120) -> None:
    """Returns when ``condition`` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.05)


def main(url: str, data: str, diary: str, pause_s: str) -> None:
    """Carries out the jobs of the tenant ``acme`` until it is told to stop."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened_records(url) as records:
        work = work_of(records, Diary(Path(diary), float(pause_s)))
        with run_jobs([work], Path(data)):
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            stop.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
