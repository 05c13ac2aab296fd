"""A tenant's knowledge folder, and the files that requests name."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipelines.engine.maintenance import Maintenance
from pipelines.engine.usage import UsageStatistics
from pipelines.errors import InvalidRequest, Problem
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.sources import named_file
from pipelines.ingestion.sync import Syncer
from pipelines.ingestion.watch import watch
from pipelines.profile.loader import LoadedProfile
from pipelines.types import SyncResult


def file_named(
    loaded: LoadedProfile, path: str, also: Sequence[Path] = (), *, missing: bool = False
) -> tuple[Path, str]:
    """Return the file that a request names by its path, and the name that its document goes by.

    Args:
        loaded: The tenant's profile.
        path: Absolute, or relative to one of the folders that the profile names in ``knowledge -> roots``.
        also: More such folders, where the profile names none.
        missing: Whether the file may be missing.

    Raises:
        OutsideRoots: It is not in one of them.
        FileNotFound: There is no such file.
    """
    more = () if loaded.profile.knowledge.roots else tuple(folder.resolve() for folder in also)
    return named_file(path, (*loaded.roots, *more), loaded.knowledge_folder, missing=missing)


class Knowledge:
    """Brings a tenant in line with its knowledge folder.

    Args:
        loaded: Names the folder, or none.
        syncer: Ingests the folder; None where there is none.
        usage: Counts what is ingested.
        maintenance: Optimises the index.
    """

    def __init__(
        self, loaded: LoadedProfile, syncer: Syncer | None, usage: UsageStatistics, maintenance: Maintenance
    ) -> None:
        self._loaded = loaded
        self._syncer = syncer
        self._usage = usage
        self._maintenance = maintenance

    @property
    def folder(self) -> Path | None:
        """The folder, if the profile names one."""
        return self._loaded.knowledge_folder

    def sync(self, report: Report | None = None, *, allow_empty: bool = False) -> SyncResult:
        """See `TenantAdmin.sync`."""
        if self._syncer is None:
            raise InvalidRequest(Problem("knowledge -> path", "the profile names no knowledge folder"))
        began = time.perf_counter()
        synced = self._syncer(report, allow_empty=allow_empty)
        self._usage.record_ingestion(synced.results, began)
        self._maintenance.optimize_if_needed()
        return synced

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Synchronise whenever the folder changes, until the block ends, if the profile says ``watch``."""
        profile, folder = self._loaded.profile, self.folder
        if profile.knowledge.sync != "watch" or folder is None:
            yield
            return
        stop = threading.Event()
        watcher = threading.Thread(
            target=watch, args=(folder, self.sync, stop), name=f"footnote-watch-{profile.tenant}"
        )
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()
