"""One tenant that is open, as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from typing_extensions import override

from pipelines.catalogue.audit import AuditLog
from pipelines.components.embedding import Embedder
from pipelines.components.llm.llama import FootnoteLLM
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.engine.assembly import Parts, build_syncer
from pipelines.engine.backup import Backup, Manifest
from pipelines.engine.document_access import PATIENCE_S
from pipelines.engine.keys import Keys
from pipelines.engine.knowledge import Knowledge
from pipelines.engine.maintenance import Maintenance
from pipelines.engine.reader import Reader
from pipelines.engine.reading import reading_parts
from pipelines.engine.scoped import ScopedEngine
from pipelines.engine.settings import WritableSettings
from pipelines.engine.statistics import figures
from pipelines.engine.storage import LimitedStorage
from pipelines.engine.tenant import TenantAdmin
from pipelines.engine.view import view_of
from pipelines.engine.writer import Writer
from pipelines.ingestion.offers import Offer
from pipelines.ingestion.pipeline import Report
from pipelines.jobs import JobRecords, Jobs, Work
from pipelines.types import Deletion, Examination, Figures, IngestResult, Purge, SyncResult


class Engine(Reader, TenantAdmin):
    """A tenant that is open. Every method may be called from several threads; close it when done.

    Made by `pipelines.open_engine`.
    """

    def __init__(self, parts: Parts, opened: ExitStack) -> None:
        view = view_of(parts.catalogue, parts.indexes, parts.writing.cleaner.hidden_at)
        super().__init__(reading_parts(parts, view))
        records, writing, usage = parts.records, parts.writing, self._reading.usage
        self._parts = parts
        self._opened = opened
        self.keep_open: Callable[[], bool] = lambda: False
        self._settings = WritableSettings(parts)
        self._jobs = JobRecords(parts.catalogue.engine, self.tenant)
        self._maintenance = Maintenance(view, writing, records.answers)
        self._storage = LimitedStorage(
            view,
            parts.folder,
            settings=records.settings,
            usage=usage,
            deleter=writing.deleter,
            maintenance=self._maintenance,
        )
        self._backup = Backup(view, parts.folder, (records.answers, records.usage))
        self._writer = Writer(writing, usage, self._storage, self._maintenance)
        self._knowledge = Knowledge(parts.loaded, build_syncer(parts.loaded, parts), usage, self._maintenance)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the data folder and the connections back, once everyone who opened the tenant here has closed it."""
        if not self.keep_open():
            self._opened.close()

    @override
    def whole(self, what: str) -> TenantAdmin:
        return self

    @override
    def within(self, scope: Mapping[str, Any]) -> ScopedEngine:
        return ScopedEngine(self._parts, self._jobs, self.ingest, scope)

    @property
    @override
    def scope(self) -> Mapping[str, Any]:
        return {}

    @property
    @override
    def settings(self) -> WritableSettings:
        return self._settings

    @property
    @override
    def storage(self) -> LimitedStorage:
        return self._storage

    @property
    def vector_store(self) -> ChunkStore:
        """The chunks as a LlamaIndex vector store: of all versions and scopes, which `retriever` tells apart."""
        return self._parts.indexes.current.store

    @property
    def embedding(self) -> Embedder:
        """The embedding model as LlamaIndex's."""
        return self._parts.indexes.embedder

    @property
    def llm(self) -> FootnoteLLM | None:
        """The language model as LlamaIndex's; None if the profile names none."""
        return None if self._parts.llm is None else FootnoteLLM(self._parts.llm)

    @override
    def ingest(
        self, documents: Offer | Iterable[Offer], progress: Report | None = None, at_once: int = 1
    ) -> list[IngestResult]:
        return self._writer.ingest(documents, progress, at_once)

    @override
    def delete(self, document_id: str, purge: bool = False, patience_s: float | None = PATIENCE_S) -> Deletion:
        return self._writer.delete(document_id, purge, patience_s)

    @property
    @override
    def knowledge_folder(self) -> Path | None:
        return self._knowledge.folder

    @override
    def sync(self, report: Report | None = None, *, allow_empty: bool = False) -> SyncResult:
        return self._knowledge.sync(report, allow_empty=allow_empty)

    @override
    def watching(self) -> AbstractContextManager[None]:
        return self._knowledge.watching()

    @property
    @override
    def jobs(self) -> Jobs:
        return Jobs(self._jobs, most=self.profile.limits.quotas.jobs)

    @property
    @override
    def keys(self) -> Keys:
        return Keys(self._parts.records.keys, self.profile)

    @property
    @override
    def audit(self) -> AuditLog:
        return self._parts.records.audit

    @property
    @override
    def work(self) -> Work:
        return Work(
            settings=self.profile.jobs,
            records=self._jobs,
            ingest=self.ingest,
            complete=self._maintenance.complete,
            sync=self.sync,
            reembed=self.reembed,
            purge=self.purge,
            optimize=self.optimize,
            rebuild=self.rebuild,
            compact=self.compact,
        )

    @override
    def purge(self, report: Report | None = None) -> Purge:
        return self._maintenance.purge(report)

    @override
    def reembed(self, report: Report | None = None) -> list[IngestResult]:
        return self._maintenance.reembed(report)

    @override
    def doctor(self, repair: bool = False) -> Examination:
        return self._maintenance.doctor(repair)

    @override
    def rebuild(self, report: Report | None = None) -> Examination:
        return self._maintenance.rebuild(report)

    @override
    def compact(self, report: Report | None = None) -> Purge:
        return self._storage.compact(report)

    @override
    def optimize(self) -> None:
        self._maintenance.optimize()

    @override
    def backup(self, file: Path) -> Manifest:
        return self._backup.write(file)

    def differences(self, manifest: Manifest) -> list[str]:
        """Return what the tenant holds otherwise than a backup says; empty where it is the same."""
        return self._backup.differences(manifest)

    @override
    def figures(self) -> Figures:
        return figures(self._reading.view, self._jobs, self._parts.llm)
