"""Backs a tenant up into one file while it is at work, and proves a copy by that file."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile

from pydantic import BaseModel

from pipelines.catalogue.integrity import require_whole
from pipelines.catalogue.migrate import HEAD
from pipelines.catalogue.write_behind import WriteBehind
from pipelines.engine.parts.view import TenantView
from pipelines.engine.upkeep.probing import Probe, Probing, Text
from pipelines.errors import InvalidRequest, Problem

FORMAT = 1
MANIFEST = "manifest.json"
CATALOGUE = "catalogue.sqlite"
_STAGING = "vectors.backup-"
"""Begins as the folders of stores do: what a killed process leaves is removed with stores that are not in use."""


class Manifest(BaseModel):
    """What a backup holds: files by their SHA-256, texts by document and version, and searches with their answers."""

    format: int
    footnote: str
    schema_revision: str
    tenant: str
    snapshot: int
    created_at: datetime
    files: dict[str, str]
    texts: list[Text]
    probes: list[Probe]


class Backup:
    """Writes backups of one tenant.

    Args:
        view: The whole tenant.
        folder: Its data folder.
        logs: What is written to the catalogue a little later.
    """

    def __init__(self, view: TenantView, folder: Path, logs: tuple[WriteBehind, ...]) -> None:
        self._view = view
        self._probing = Probing(view)
        self._folder = folder
        self._logs = logs

    def write(self, file: Path) -> Manifest:
        """Write everything that the tenant holds to ``file``; searches go on, ingestion waits for the copying.

        Raises:
            InvalidRequest: The tenant is not kept in its data folder alone.
            StoreUnavailable: The store or the database cannot be copied, or the database's file is damaged.
        """
        self._require_embedded()
        require_whole(self._view.catalogue.engine)
        with self._staged() as staging:
            manifest = self._copy(staging)
            draft = file.with_name(f"{file.name}.part")
            try:
                _pack(staging, manifest, draft)
                draft.replace(file)
            finally:
                draft.unlink(missing_ok=True)
        return manifest

    def differences(self, manifest: Manifest) -> list[str]:
        """Return what the tenant holds otherwise than a backup says; empty where it is the same."""
        texts = {(name, number): sha256 for name, number, sha256 in self._probing.texts()}
        expected = {(name, number): sha256 for name, number, sha256 in manifest.texts}
        wrong = [key for key in texts.keys() | expected.keys() if texts.get(key) != expected.get(key)]
        lost = [probe.text for probe in manifest.probes if self._probing.legs(manifest.snapshot, probe) != probe.legs]
        return [
            *(f"the text of {name}, version {number}" for name, number in sorted(wrong)),
            *(f'what is found for "{text}"' for text in lost),
        ]

    def _require_embedded(self) -> None:
        profile = self._view.profile
        if profile.store.engine != "edge" or profile.catalogue.url is not None:
            message = (
                "only a tenant on Qdrant Edge and SQLite is backed up into one file; "
                "use the tools of your PostgreSQL and Qdrant servers"
            )
            raise InvalidRequest(Problem("store", message))

    @contextmanager
    def _staged(self) -> Iterator[Path]:
        staging = self._folder / f"{_STAGING}{uuid4().hex}"
        with self._view.indexes.unscrubbed():
            staging.mkdir(mode=0o700)
            try:
                yield staging
            finally:
                shutil.rmtree(staging, ignore_errors=True)

    def _copy(self, staging: Path) -> Manifest:
        """Copy catalogue and store at one snapshot: no commit is made in between."""
        view = self._view
        for log in self._logs:
            log.flush()
        with view.catalogue.paused() as snapshot:
            view.catalogue.copy_to(staging / CATALOGUE)  # first: a cleanup done since is done twice
            view.indexes.copy_to(staging)
            texts = self._probing.texts()
            probes = self._probing.probes(snapshot, texts)
        return Manifest(
            format=FORMAT,
            footnote=version("footnote-rag"),
            schema_revision=HEAD,
            tenant=view.profile.tenant,
            snapshot=snapshot,
            created_at=datetime.now(UTC),
            files={name: digest(path) for name, path in _files(staging)},
            texts=texts,
            probes=probes,
        )


def digest(file: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _files(folder: Path) -> list[tuple[str, Path]]:
    return sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())


def _pack(staging: Path, manifest: Manifest, file: Path) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as target, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr(MANIFEST, manifest.model_dump_json())
        for name, path in _files(staging):
            packed.write(path, name)
