"""The parts that change a whole tenant and keep it."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.catalogue.jobs import JobRecords
from pipelines.catalogue.keys import KeyRecords
from pipelines.engine.assembly import Parts
from pipelines.engine.parts.view import TenantView
from pipelines.engine.reading import ReadingParts
from pipelines.engine.upkeep.backup import Backup
from pipelines.engine.upkeep.keys import Keys
from pipelines.engine.upkeep.knowledge import Knowledge
from pipelines.engine.upkeep.maintenance import Maintenance
from pipelines.engine.upkeep.settings import WritableSettings
from pipelines.engine.upkeep.storage import LimitedStorage
from pipelines.engine.upkeep.syncers import build_mirror, build_syncers, data_folders
from pipelines.engine.writer import Writer
from pipelines.jobs import Jobs, Work


@dataclass(frozen=True, slots=True)
class AdministrationParts:
    """The parts that change a whole tenant and keep it."""

    view: TenantView
    settings: WritableSettings
    job_records: JobRecords
    key_records: KeyRecords
    maintenance: Maintenance
    storage: LimitedStorage
    backup: Backup
    writer: Writer
    knowledge: Knowledge

    @property
    def jobs(self) -> Jobs:
        """See `TenantReader.jobs`."""
        most = self.view.profile.limits.quotas.jobs
        return Jobs(self.job_records, most=most, can_sync=self.knowledge.can_sync)

    @property
    def keys(self) -> Keys:
        """See `TenantAdmin.keys`."""
        return Keys(self.key_records, self.view.profile)

    @property
    def work(self) -> Work:
        """See `TenantAdmin.work`."""
        return Work(
            settings=self.view.profile.jobs,
            records=self.job_records,
            ingest=self.writer.ingest,
            complete=self.maintenance.complete,
            sync=self.knowledge.sync,
            reembed=self.maintenance.reembed,
            purge=self.maintenance.purge,
            optimize=self.maintenance.optimize,
            rebuild=self.maintenance.rebuild,
            compact=self.storage.compact,
        )


def administration_parts(parts: Parts, reading: ReadingParts) -> AdministrationParts:
    """Build the parts that change the whole tenant which ``reading`` reads."""
    records, writing, view, usage = parts.records, parts.writing, reading.view, reading.usage
    mirror = build_mirror(parts.loaded, parts.folder)
    maintenance = Maintenance(view, writing, records.answers)
    storage = LimitedStorage(
        view,
        parts.folder,
        settings=records.settings,
        files=records.files,
        usage=usage,
        deleter=writing.deleter,
        maintenance=maintenance,
    )
    return AdministrationParts(
        view=view,
        settings=WritableSettings(parts),
        job_records=JobRecords(parts.catalogue.engine, view.profile.tenant),
        key_records=records.keys,
        maintenance=maintenance,
        storage=storage,
        backup=Backup(view, parts.folder, (records.answers, records.usage)),
        writer=Writer(writing, usage, storage, maintenance),
        knowledge=Knowledge(
            parts.loaded,
            mirror,
            build_syncers(parts.loaded, parts, mirror),
            usage,
            maintenance,
            never=data_folders(parts.folder),
        ),
    )
