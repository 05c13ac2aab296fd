"""A tenant's knowledge folder, and the files that requests name."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.upkeep.maintenance import Maintenance
from pipelines.engine.upkeep.stages import Stages
from pipelines.engine.upkeep.syncers import Syncers
from pipelines.errors import (
    InvalidRequest,
    KnowledgeFolderEmpty,
    KnowledgeFolderUnreadable,
    NothingToSync,
    Problem,
    UnreadableDocument,
)
from pipelines.ingestion.pipeline import Report
from pipelines.ingestion.sources import named_file
from pipelines.ingestion.watch import watch
from pipelines.profile.loader import LoadedProfile
from pipelines.query.kinds import checked_flag
from pipelines.types import IngestResult, SyncResult

if TYPE_CHECKING:
    from pipelines.components.sources.mirror import Fault, Mirror


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
    """Brings a tenant in line with its knowledge folder and its sources.

    Args:
        loaded: Names them, or none.
        mirror: The copies of the sources; None where there are none.
        syncers: Ingest the folder and the copies.
        usage: Counts what is ingested.
        maintenance: Optimises the index.
        never: Folders that hold no documents; see `data_folders`.
    """

    def __init__(
        self,
        loaded: LoadedProfile,
        mirror: Mirror | None,
        syncers: Syncers,
        usage: UsageStatistics,
        maintenance: Maintenance,
        *,
        never: tuple[Path, ...],
    ) -> None:
        self._never = never
        self._loaded = loaded
        self._mirror = mirror
        self._of_folder = syncers.of_folder
        self._of_sources = syncers.of_sources
        self._copying = threading.Lock()
        self._usage = usage
        self._maintenance = maintenance

    @property
    def folder(self) -> Path | None:
        """The folder, if the profile names one."""
        return self._loaded.knowledge_folder

    @property
    def can_sync(self) -> bool:
        """Whether the profile names a folder or sources."""
        return self._of_folder is not None or self._of_sources is not None

    def sync(
        self,
        report: Report | None = None,
        *,
        allow_empty: bool = False,
        reread: bool = False,
        source: str | None = None,
    ) -> SyncResult:
        """See `TenantAdmin.sync`."""
        if not self.can_sync:
            raise NothingToSync
        if source is not None and self._mirror is None:
            raise InvalidRequest(Problem("source", f'there is no source "{source}"; the profile names none'))
        checked_flag("allow_empty", allow_empty)
        checked_flag("reread", reread)
        began = time.perf_counter()
        stages = Stages(report)
        asked = {"allow_empty": allow_empty, "reread": reread}
        from_sources = self._sync_sources(stages, source, **asked)
        try:
            from_folder = [] if self._of_folder is None or source is not None else [self._sync_folder(stages, **asked)]
        except (KnowledgeFolderEmpty, KnowledgeFolderUnreadable):
            self._finished(from_sources, began)  # the sources do not depend on the folder
            raise
        return self._finished(chain(from_folder, from_sources), began)

    def _finished(self, synced: Iterable[SyncResult], began: float) -> SyncResult:
        """Join what was synchronised since ``began``, and count it."""
        joined = _joined(tuple(synced))
        self._usage.record_ingestion(joined.results, began)
        self._maintenance.optimize_if_needed()
        return joined

    def _sync_folder(self, stages: Stages, *, allow_empty: bool = False, reread: bool = False) -> SyncResult:
        if self._mirror is not None:
            self._require_distinct(self._mirror)
        assert self._of_folder is not None
        return self._of_folder(stages.next(), allow_empty=allow_empty, reread=reread)

    def _sync_sources(
        self, stages: Stages, source: str | None, *, allow_empty: bool, reread: bool
    ) -> Iterator[SyncResult]:
        """Bring the copies of sources in line, and the tenant in line with the copies; others wait for that."""
        if self._mirror is None or self._of_sources is None:
            return
        self._require_distinct(self._mirror)
        with self._copying:
            faults = self._mirror.update(source, allow_empty=allow_empty, tick=stages.tick)
            failed = tuple(map(_failed, faults))
            stages.failed(failed)
            yield SyncResult(failed, ())
            yield self._of_sources(stages.next(), allow_empty=allow_empty, reread=reread)

    def _require_distinct(self, mirror: Mirror) -> None:
        for name in sorted(mirror.names):
            if self.folder is not None and _holds(self.folder, name):
                text = (
                    f'the source "{name}" has the name of a folder in {self._loaded.profile.knowledge.path}; rename one'
                )
                raise InvalidRequest(Problem("knowledge -> sources", text))

    def _follow_folder(self) -> None:
        """Synchronise with the folder alone."""
        began = time.perf_counter()
        self._finished([self._sync_folder(Stages(None))], began)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Synchronise whenever the folder changes, until the block ends, if the profile says ``watch``."""
        profile, folder = self._loaded.profile, self.folder
        if profile.knowledge.sync != "watch" or folder is None:
            yield
            return
        stop = threading.Event()
        watcher = threading.Thread(
            target=partial(watch, folder, self._follow_folder, stop, never=self._never),
            name=f"footnote-watch-{profile.tenant}",
        )
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


def _holds(folder: Path, name: str) -> bool:
    try:
        return (folder / name).exists()
    except OSError:  # nothing is there to read; synchronising with the folder says why
        return False


def _failed(fault: Fault) -> IngestResult:
    name = f"{fault.source}/{fault.key}"
    return IngestResult(name, "failed", reason=fault.reason, source=name, code=UnreadableDocument.code)


def _joined(synced: Sequence[SyncResult]) -> SyncResult:
    return SyncResult(
        results=tuple(result for one in synced for result in one.results),
        removed=tuple(deletion for one in synced for deletion in one.removed),
        renamed=tuple(rename for one in synced for rename in one.renamed),
        busy=tuple(path for one in synced for path in one.busy),
        reread=tuple(path for one in synced for path in one.reread),
    )
