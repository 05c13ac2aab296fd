"""One tenant that is open, as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Self

from typing_extensions import override

from pipelines.catalogue.audit import AuditLog
from pipelines.components.embedding import Embedder
from pipelines.components.llm.llama import FootnoteLLM
from pipelines.components.store.chunk_store import ChunkStore
from pipelines.engine.administration import administration_parts
from pipelines.engine.assembly import Parts
from pipelines.engine.document_access import PATIENCE_S
from pipelines.engine.parts.view import view_of
from pipelines.engine.reader import Reader
from pipelines.engine.reading import reading_parts
from pipelines.engine.scoped import ScopedEngine
from pipelines.engine.tenant import TenantAdmin
from pipelines.engine.upkeep.backup import Manifest
from pipelines.engine.upkeep.keys import Keys
from pipelines.engine.upkeep.settings import WritableSettings
from pipelines.engine.upkeep.statistics import figures
from pipelines.engine.upkeep.storage import LimitedStorage
from pipelines.ingestion.offers import Offer
from pipelines.ingestion.pipeline import Report
from pipelines.jobs import Jobs, Work
from pipelines.types import Deletion, Examination, Figures, IngestResult, Purge, SyncResult


class Engine(Reader, TenantAdmin):
    """A tenant that is open. Every method may be called from several threads; close it when done.

    Made by `pipelines.open_engine`.
    """

    def __init__(self, parts: Parts, opened: ExitStack) -> None:
        super().__init__(reading_parts(parts, view_of(parts.catalogue, parts.indexes, parts.writing.cleaner.hidden_at)))
        self._parts = parts
        self._administration = administration_parts(parts, self._reading)
        self._opened = opened
        self.keep_open: Callable[[], bool] = lambda: False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
        return ScopedEngine(self._parts, self._administration.job_records, self.ingest, scope)

    @property
    @override
    def scope(self) -> Mapping[str, Any]:
        return {}

    @property
    @override
    def settings(self) -> WritableSettings:
        return self._administration.settings

    @property
    @override
    def storage(self) -> LimitedStorage:
        return self._administration.storage

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
        return self._administration.writer.ingest(documents, progress, at_once)

    @override
    def delete(self, document_id: str, purge: bool = False, patience_s: float | None = PATIENCE_S) -> Deletion:
        return self._administration.writer.delete(document_id, purge, patience_s)

    @property
    @override
    def knowledge_folder(self) -> Path | None:
        return self._administration.knowledge.folder

    @override
    def sync(
        self,
        report: Report | None = None,
        *,
        allow_empty: bool = False,
        reread: bool = False,
        source: str | None = None,
    ) -> SyncResult:
        return self._administration.knowledge.sync(report, allow_empty=allow_empty, reread=reread, source=source)

    @override
    def watching(self) -> AbstractContextManager[None]:
        return self._administration.knowledge.watching()

    @property
    @override
    def jobs(self) -> Jobs:
        return self._administration.jobs

    @property
    @override
    def keys(self) -> Keys:
        return self._administration.keys

    @property
    @override
    def audit(self) -> AuditLog:
        return self._parts.records.audit

    @property
    @override
    def work(self) -> Work:
        return self._administration.work

    @override
    def purge(self, report: Report | None = None) -> Purge:
        return self._administration.maintenance.purge(report)

    @override
    def reembed(self, report: Report | None = None) -> list[IngestResult]:
        return self._administration.maintenance.reembed(report)

    @override
    def doctor(self, repair: bool = False) -> Examination:
        return self._administration.maintenance.doctor(repair)

    @override
    def rebuild(self, report: Report | None = None) -> Examination:
        return self._administration.maintenance.rebuild(report)

    @override
    def compact(self, report: Report | None = None) -> Purge:
        return self._administration.storage.compact(report)

    @override
    def optimize(self) -> None:
        self._administration.maintenance.optimize()

    @override
    def backup(self, file: str | Path) -> Manifest:
        return self._administration.backup.write(Path(file))

    def differences(self, manifest: Manifest) -> list[str]:
        """Return what the tenant holds otherwise than a backup says; empty where it is the same."""
        return self._administration.backup.differences(manifest)

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the stored unit vectors of chunks by their ids; an unknown id is left out."""
        return dict(self._reading.view.indexes.current.store.vectors(chunk_ids))

    @override
    def figures(self) -> Figures:
        return figures(self._reading.view, self._administration.job_records, self._parts.llm)
