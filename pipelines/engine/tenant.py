"""What can be done with an open tenant: by every caller, and by those who may work on the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from pipelines.catalogue.audit import AuditLog
from pipelines.engine.access import AnswerAccess, UseAccess
from pipelines.engine.asking.conversations import Conversations
from pipelines.engine.asking.vision import Vision
from pipelines.engine.document_access import DocumentAccess
from pipelines.engine.upkeep.backup import Manifest
from pipelines.engine.upkeep.keys import Keys
from pipelines.engine.upkeep.settings import TenantSettings, WritableSettings
from pipelines.engine.upkeep.storage import LimitedStorage, Storage
from pipelines.ingestion.pipeline import Report
from pipelines.jobs import Jobs, Work
from pipelines.profile.schema import Profile
from pipelines.types import (
    Examination,
    Figures,
    IngestResult,
    Purge,
    Readiness,
    SyncResult,
)


class TenantReader(AnswerAccess, DocumentAccess, UseAccess, Protocol):
    """A tenant as any caller may use it, with or without a scope. Every method may be called from several threads.

    Within a scope, what cannot be seen from its place does not exist, in no method and at no point of the history.
    Documents of the place itself are written; see `pipelines.engine.scoped.ScopedEngine`.
    """

    @property
    def profile(self) -> Profile:
        """The tenant's profile."""

    @property
    def tenant(self) -> str:
        """The tenant's name."""

    @property
    def scope(self) -> Mapping[str, Any]:
        """The place in the hierarchy that the caller is bound to; empty: the whole tenant."""

    @property
    def dimensions(self) -> int:
        """The length of the embedding model's vectors."""

    @property
    def conversations(self) -> Conversations:
        """What was asked and answered, turn by turn: list, read, delete."""

    @property
    def jobs(self) -> Jobs:
        """The durable jobs: submit, look, list, cancel. Within a scope, jobs ingest documents and nothing else."""

    @property
    def storage(self) -> Storage:
        """Memory and disk."""

    @property
    def settings(self) -> TenantSettings:
        """Values that were set while the tenant was open."""

    @property
    def vision(self) -> Vision:
        """Questions about images."""

    def whole(self, what: str) -> TenantAdmin:
        """Return the whole tenant, to do ``what`` affects all of it.

        Raises:
            NeedsWholeTenant: The caller is bound to a scope.
        """

    def check_ready(self) -> None:
        """Check every part.

        Raises:
            Unavailable: A part does not answer; the message says which.
        """

    def check_catalogue(self) -> None:
        """Check the catalogue's database.

        Raises:
            StoreUnavailable: It does not answer.
        """

    def readiness(self) -> Readiness:
        """Return which parts answer; the log says why others do not."""


class TenantAdmin(TenantReader, Protocol):
    """The whole tenant, with what affects all of it."""

    @property
    def storage(self) -> LimitedStorage:
        """Memory and disk, and the limit of the tenant's room."""

    @property
    def settings(self) -> WritableSettings:
        """Values and changes of the profile that outlive the process."""

    @property
    def knowledge_folder(self) -> Path | None:
        """The tenant's folder of documents, if the profile names one."""

    @property
    def keys(self) -> Keys:
        """The keys that are made at work, beside those of the profile: create, list, revoke, rotate."""

    @property
    def audit(self) -> AuditLog:
        """Who did what to the tenant: add, list."""

    @property
    def work(self) -> Work:
        """What runs the tenant's jobs; see `pipelines.jobs.runner.run_jobs`."""

    def within(self, scope: Mapping[str, Any]) -> TenantReader:
        """Return the tenant within a place of its hierarchy.

        Raises:
            InvalidScope: ``scope`` names no place, or could mean several.
        """

    def sync(
        self,
        report: Report | None = None,
        *,
        allow_empty: bool = False,
        reread: bool = False,
        source: str | None = None,
    ) -> SyncResult:
        """Ingest new, changed and renamed files of the knowledge folder and of the profile's sources, and delete the
        documents of removed ones.

        Files that former readers read are read again. Documents that came another way are left alone; see
        `pipelines.ingestion.sync`. The sources are read also where the folder cannot be; its error follows.

        Args:
            report: Receives the progress.
            allow_empty: Delete all documents if the folder or a source holds no file any more.
            reread: Read files again also where an earlier release did not note which readers it had.
            source: The name of the only source to read.

        Raises:
            InvalidRequest: The profile names no folder and no sources, or none of the name ``source``.
            KnowledgeFolderUnreadable: It is not there, or cannot be read.
            KnowledgeFolderEmpty: It holds no file, although documents came from it.
        """

    def watching(self) -> AbstractContextManager[None]:
        """Synchronise whenever the knowledge folder changes, until the block ends, if the profile says ``watch``."""

    def purge(self, report: Report | None = None) -> Purge:
        """Remove the versions that the profile's retention no longer keeps, and answers that are forgotten."""

    def reembed(self, report: Report | None = None) -> list[IngestResult]:
        """Reprocess documents that no longer match the profile, while readers go on; return what became of each.

        Another embedding model is a new store of vectors, built beside the old one. Another way of cutting makes new
        versions of the documents.
        """

    def doctor(self, repair: bool = False) -> Examination:
        """Compare the catalogue with the vector store, while the tenant is at work.

        Args:
            repair: Repair what is wrong: the catalogue is right, and chunks are made again from stored texts.
        """

    def rebuild(self, report: Report | None = None) -> Examination:
        """Repair the index, reprocess stale documents, and optimise."""

    def compact(self, report: Report | None = None) -> Purge:
        """Purge what retention no longer keeps, and give its room back to the disk.

        If `storage.most_bytes` is still exceeded, the documents that were not used for longest are removed.
        """

    def optimize(self) -> None:
        """Merge the index's segments, and build a graph where a scan would be slow."""

    def backup(self, file: str | Path) -> Manifest:
        """Write everything that the tenant holds to ``file``, readable for its owner only; return what it holds.

        Searches go on; ingestion waits while files are copied. `pipelines.engine.restoring.restore` reads it.

        Raises:
            InvalidRequest: The tenant is kept on servers, which have tools of their own.
            StoreUnavailable: The files cannot be copied, or ``file`` cannot be written.
        """

    def figures(self) -> Figures:
        """Return how the tenant stands at the moment; unlike `stats`, nothing is measured for it."""
