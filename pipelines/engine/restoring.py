"""Restores a tenant from its backup: unpacked beside the data folder, verified there, and then put in its place."""

from __future__ import annotations

import logging
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4
from zipfile import BadZipFile, ZipFile

from pydantic import ValidationError

from pipelines.catalogue import Catalogue
from pipelines.catalogue.copying import irreplaceable
from pipelines.catalogue.keys import KeyRecords
from pipelines.components.store.data_folder import held
from pipelines.components.store.edge.lock import LOCK
from pipelines.engine.opening import open_alone
from pipelines.engine.upkeep.backup import CATALOGUE, FORMAT, MANIFEST, Manifest, digest
from pipelines.errors import Conflict, FootnoteError, InvalidRequest, Problem
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.query.kinds import checked_flag
from pipelines.types.markup import count

_log = logging.getLogger(__name__)
_BLOCK = 1 << 20
_DAMAGED = (BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValidationError)
"""What reading a backup raises; RuntimeError where it is encrypted, or compressed in a way that is not known here."""
_MAX_LISTED = 10


class TenantNotEmpty(Conflict):
    """A restore would replace documents, or what else cannot be brought back."""

    code = "tenant_not_empty"

    def __init__(self, tenant: str, held: Mapping[str, int]) -> None:
        listed = ", ".join(count(number, noun) for noun, number in held.items())
        super().__init__(f"{tenant} holds {listed}; use --replace to replace all of it")


def restore(
    profile: str | Path | LoadedProfile, file: str | Path, data: str | Path, *, replace: bool = False
) -> Manifest:
    """Put a tenant's data back as they were when the backup ``file`` was made, and verify them before.

    Every file's SHA-256 is compared, every document's text, and the answers to ten searches. A backup of an earlier
    release is migrated. Keys that were revoked since stay revoked, if the present catalogue can be read.

    Args:
        profile: The tenant's profile, or what `pipelines.open_engine` takes for it.
        file: The backup.
        data: Folder of the data.
        replace: Replace what the tenant holds.

    Raises:
        InvalidRequest: ``file`` is not a backup of this tenant, or it is damaged.
        TenantNotEmpty: The tenant holds something, see `irreplaceable`, and ``replace`` is not set.
        DataFolderHeld: Another process works on the tenant's data.
        ProfileError: The profile cannot be used.
    """
    checked_flag("replace", replace)
    loaded = profile if isinstance(profile, LoadedProfile) else load_profile(profile)
    tenant, root = loaded.profile.tenant, Path(data)
    with new_data_folder(root, tenant, replace) as beside:
        manifest = _unpack(Path(file), beside / tenant, tenant)
        _verify(loaded, beside, manifest)
        _keep_revoked(root / tenant, beside / tenant, tenant)
    return manifest


@contextmanager
def new_data_folder(data: Path, tenant: str, replace: bool) -> Iterator[Path]:
    """A new data folder for a tenant; it replaces the present one if the block succeeds.

    Raises:
        TenantNotEmpty: The tenant holds something, see `irreplaceable`, and ``replace`` is not set.
        DataFolderHeld: Another process works on the tenant's data.
    """
    folder, beside = data / tenant, data / f".restore-{tenant}-{uuid4().hex}"
    with _unless_it_fails(folder), held(folder):
        _clear_away(data, tenant)
        if not replace and (folder / CATALOGUE).exists():  # what is replaced may be damaged, or of a newer release
            require_empty(Catalogue.in_folder(folder, tenant))
        try:
            yield beside
            _exchange(folder, beside)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def _unless_it_fails(folder: Path) -> Iterator[None]:
    """Leave no empty ``folder`` if the block fails and made it."""
    was_there = folder.exists()
    try:
        yield
    except BaseException:
        if not was_there and folder.exists() and [file.name for file in folder.iterdir()] == [LOCK]:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _clear_away(data: Path, tenant: str) -> None:
    """Remove what a killed restore unpacked, unless it was killed while it exchanged the folders."""
    for left in data.glob(f".restore-{tenant}-{'[0-9a-f]' * 32}"):  # another tenant's name may begin with this one's
        if not (left / "replaced").exists():
            shutil.rmtree(left)


def require_empty(catalogue: Catalogue) -> None:
    """Close a catalogue that holds nothing irreplaceable.

    Raises:
        TenantNotEmpty: It does.
    """
    try:
        held = irreplaceable(catalogue.engine, catalogue.tenant)
    finally:
        catalogue.close()
    if held:
        raise TenantNotEmpty(catalogue.tenant, held)


def _unpack(file: Path, folder: Path, tenant: str) -> Manifest:
    try:
        with ZipFile(file) as packed:
            manifest = Manifest.model_validate_json(packed.read(MANIFEST))
            if manifest.format != FORMAT:
                raise _unusable(file, f"it has format {manifest.format}; this release reads format {FORMAT}")
            if manifest.tenant != tenant:
                raise _unusable(file, f"it is a backup of {manifest.tenant}, not of {tenant}")
            for name, sha256 in manifest.files.items():
                _unpack_file(packed, name, folder)
                if digest(folder / name) != sha256:
                    raise _unusable(file, f"{name} is damaged")
    except OSError as error:  # of the backup, or of the disk that it is unpacked to
        raise _unusable(file, error.strerror or type(error).__name__) from error
    except _DAMAGED as error:
        raise _unusable(file, f"it is not a backup, or it is damaged ({type(error).__name__})") from error
    return manifest


def _unpack_file(packed: ZipFile, name: str, folder: Path) -> None:
    target = folder / name
    if not target.resolve().is_relative_to(folder.resolve()):
        raise KeyError(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(name) as source, target.open("wb") as made:
        while block := source.read(_BLOCK):
            if block.count(0) == len(block):
                made.seek(len(block), 1)  # the store's logs are mostly empty
            else:
                made.write(block)
        made.truncate()


def _verify(profile: LoadedProfile, data: Path, manifest: Manifest) -> None:
    with open_alone(profile, data) as engine:
        if wrong := engine.differences(manifest):
            raise InvalidRequest(
                Problem("", f"the restored copy differs: {'; '.join(wrong[:10])}; nothing was replaced")
            )


def _keep_revoked(present: Path, restored: Path, tenant: str) -> None:
    """Revoke the keys that were revoked since the backup was made."""
    if not (present / CATALOGUE).exists():
        return
    try:
        with (
            closing(Catalogue.in_folder(present, tenant)) as last,
            closing(Catalogue.in_folder(restored, tenant)) as new,
        ):
            KeyRecords(new.engine, tenant).revoke_as_in(KeyRecords(last.engine, tenant))
    except FootnoteError as error:
        _log.warning("%s: keys that were revoked since the backup are valid again: %s", tenant, error.message)


def _exchange(folder: Path, beside: Path) -> None:
    """Put the restored folder in place of the present one, which is removed with ``beside``."""
    replaced = beside / "replaced"
    folder.rename(replaced)
    try:
        (beside / folder.name).rename(folder)
    except OSError:
        replaced.rename(folder)
        raise


def _unusable(file: Path, reason: str) -> InvalidRequest:
    return InvalidRequest(Problem("file", f"{file} cannot be restored: {reason}"))
