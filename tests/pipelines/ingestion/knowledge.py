"""A tenant with a knowledge folder, and what is done to both."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipelines.catalogue.files import FileRecords
from pipelines.engine import Engine
from pipelines.ingestion.quiet import Timing
from pipelines.ingestion.rereading import Rereading
from pipelines.ingestion.sync import Syncer
from pipelines.types import Progress, SyncResult

PROFILE = """
tenant: kennel
metadata:
  fields:
    species: {type: keyword, values: [dog, cat]}
chunking: {size: 64, overlap: 16}
"""
AT_ONCE = Timing(quiet=0.0, patience=0.0)
HOUR_NS = 3600 * 10**9


class Tenant:
    """A tenant with a knowledge folder."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self.files = FileRecords(engine._parts.catalogue.engine, engine.tenant)

    def sync(self, *, report: Any = None, allow_empty: bool = False, **changes: Any) -> SyncResult:
        return self.syncer(**changes)(report, allow_empty=allow_empty)

    def syncer(self, **changes: Any) -> Syncer:
        parts = self.engine._parts
        rereading = Rereading(self.files, parts.catalogue, parts.records.settings, None, None)
        writing = self.engine._parts.writing
        options = {"rules": "1", "rereading": rereading, "most_bytes": 20_000, "timing": AT_ONCE} | changes
        options.setdefault("identities", writing.identities)
        files = options.pop("files", self.files)
        return Syncer(self.folder, self.engine._parts.catalogue, files, writing.ingestor, writing.deleter, **options)

    def write(self, path: str, text: str, hours: float = 1.0) -> Path:
        """A file that was written so long ago."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        moment = time.time_ns() - int(hours * HOUR_NS)
        os.utime(file, ns=(moment, moment))
        return file

    def overwrite_unseen(self, path: str, text: str) -> None:
        """Another content of the same size, which only reading the file can tell."""
        file = self.folder / path
        before = file.stat()
        assert before.st_size == len(text.encode())
        file.write_text(text)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def texts(self) -> dict[str, str]:
        return {
            document.document_id: self.engine.content(document.document_id).strip()
            for document in self.engine.documents(limit=1000).documents
            if document.version
        }


def states(result: SyncResult) -> dict[str, str]:
    return {document.document_id: document.state for document in result.results}


def removed(result: SyncResult) -> list[str]:
    return [deletion.document_id for deletion in result.removed]


class Killed(Exception):
    """The process dies here."""


def killed_at(number: int) -> Callable[[Progress], None]:
    reports = iter(range(number))

    def report(_: Progress) -> None:
        if next(reports, None) is None:
            raise Killed

    return report
