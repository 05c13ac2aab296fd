"""Which data folder holds a tenant's vectors, where its catalogue is on a server that several folders can name."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipelines.catalogue.settings import Settings
from pipelines.errors import StoreDamaged
from pipelines.profile.schema import Profile

_SETTING = "vector_place"
_FILE = "vector-place"
_PRIVATE = 0o600


@contextmanager
def claimed_place(profile: Profile, folder: Path, settings: Settings, *, repairing: bool) -> Iterator[None]:
    """Make a data folder the place of the tenant's vectors, once the block has opened them there.

    The first folder that opens the tenant is the place, and later the one that is repaired. A folder that was moved
    stays the place, because its file moves with it.

    Raises:
        StoreDamaged: Another folder is the place, and this one is not being repaired.
    """
    if profile.store.engine != "edge" or profile.catalogue.url is None:
        yield
        return
    file, known = folder / _FILE, settings.get(_SETTING)
    name, place = _read(file), {"folder": str(folder.resolve()), "host": socket.gethostname()}
    # A folder that has lost its file, or everything, is the place still: what it lacks is said by what opens it.
    is_known = bool(known) and (known["id"] == name or (name is None and known | place == known))
    if known and not (is_known or repairing):
        raise _elsewhere(profile.tenant, known)
    yield
    if name is None or not is_known:
        name = uuid.uuid4().hex
        _write(file, name)
    here = {"id": name, **place}
    if known and known != here:
        settings.put(_SETTING, here)
    elif not known and (first := settings.put_first(_SETTING, here)) != here:
        raise _elsewhere(profile.tenant, first)


def _elsewhere(tenant: str, known: dict[str, Any]) -> StoreDamaged:
    place = f"{known['folder']} on {known['host']}"
    return StoreDamaged(tenant, f"its vectors are in another data folder, {place}; name that with --data", place)


def _read(file: Path) -> str | None:
    return file.read_text(encoding="ascii", errors="replace") if file.exists() else None


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE), "w", encoding="ascii") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())  # the server keeps its setting through a power cut, so the file must be kept too
