"""Builds what brings a tenant in line with its knowledge folder and its sources."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.engine.assembly import Parts
from pipelines.ingestion.rereading import Rereading
from pipelines.ingestion.selection import Selection
from pipelines.ingestion.sync import Share, Syncer
from pipelines.profile.loader import LoadedProfile

if TYPE_CHECKING:
    from pipelines.components.sources.mirror import Mirror


@dataclass(frozen=True, slots=True)
class Syncers:
    """What brings a tenant in line with its knowledge folder, and with the copies of its sources, where it has them."""

    of_folder: Syncer | None
    of_sources: Syncer | None


def build_syncers(loaded: LoadedProfile, parts: Parts, mirror: Mirror | None) -> Syncers:
    """Build what the profile needs."""
    folder, names = loaded.knowledge_folder, mirror.names if mirror is not None else frozenset()

    def is_copied(path: str) -> bool:
        return folder is None or path.partition("/")[0] in names

    turn = threading.Lock()
    of_folder = of_sources = None
    if folder is not None:
        of_folder = _syncer(loaded, parts, folder, Share(owns=lambda path: not is_copied(path), turn=turn))
    if mirror is not None:
        share = Share(owns=is_copied, describe=mirror.metadata, keeps=mirror.keeps, turn=turn)
        of_sources = _syncer(loaded, parts, mirror.folder, share)
    return Syncers(of_folder, of_sources)


def data_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of all data and of a tenant's ``folder``: no documents, also where they lie among some."""
    return folder.parent, folder


def build_mirror(loaded: LoadedProfile, folder: Path) -> Mirror | None:
    """Return the copies of the tenant's sources, in ``folder``; None where it has none."""
    sources = loaded.profile.knowledge.sources
    if not sources:
        return None
    from pipelines.components.sources.mirror import Mirror  # noqa: PLC0415 - few tenants have sources

    return Mirror(folder / "sources", sources, loaded.folder, loaded.profile.limits.file_bytes)


def _syncer(loaded: LoadedProfile, parts: Parts, folder: Path, share: Share) -> Syncer:
    limits, scans = loaded.profile.limits, parts.ocr.settings if parts.ocr is not None else None
    reading = limits.reading.model_dump_json(exclude={"processes"})
    texts = parts.writing.pictures
    pictures = texts.settings if texts is not None else None
    reads = (scans,) if pictures is None else (scans, pictures)
    limited = (limits.content_chars, limits.file_bytes, reading)
    rules = (version("footnote-rag"), parts.catalogue.pipeline, *limited, *reads)
    return Syncer(
        folder,
        parts.catalogue,
        parts.records.files,
        parts.writing.ingestor,
        parts.writing.deleter,
        identities=parts.writing.identities,
        rules=" ".join(map(str, rules)),
        rereading=Rereading(parts.records.files, parts.catalogue, parts.records.settings, scans, pictures),
        most_bytes=limits.file_bytes,
        selection=Selection.of(loaded.profile.knowledge, data_folders(parts.folder)),
        share=share,
    )
