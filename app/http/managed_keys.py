"""Reads keys that are made or revoked while the server runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.http.keyring import Keyring
from pipelines import Engine, TenantAdmin
from pipelines.engine.upkeep.keys import key_digests
from pipelines.errors import FootnoteError
from pipelines.profile.schema import Profile

_EVERY_S = 2.0
_log = logging.getLogger("footnote")


def reload_keys(keyring: Keyring, engine: TenantAdmin) -> None:
    """Read a tenant's keys, and note when they were last used.

    Raises:
        StoreUnavailable: The database does not answer; the keys stay as they were, and uses are noted the next time.
    """
    with keyring.reloading:  # or a slow reader would bring back a key that was revoked since it began to read
        keyring.load(engine.tenant, engine.keys.digests())
    with keyring.uses(engine.tenant) as used:
        if used:
            engine.keys.use(used)


def read_closed_keys(keyring: Keyring, profiles: Iterable[Profile], data: Path) -> None:
    """Read the keys of tenants that could not be opened, once: their holders, and nobody else, see why."""
    for profile in profiles:
        try:
            keyring.load(profile.tenant, key_digests(profile, data))
        except FootnoteError:  # the log has said why the tenant could not be opened
            keyring.leave_unread(profile.tenant)


@contextmanager
def managed_keys(keyring: Keyring, engines: Iterable[Engine], every_s: float = _EVERY_S) -> Iterator[None]:
    """Read the keys of every tenant now, and again and again until the block ends.

    Raises:
        StoreUnavailable: A database does not answer at the start.
    """
    served = tuple(engines)
    for engine in served:
        reload_keys(keyring, engine)
    stop = threading.Event()
    thread = threading.Thread(target=_go_on, args=(keyring, served, every_s, stop), name="footnote-keys", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        _reload_all(keyring, served, set())


def _go_on(keyring: Keyring, engines: tuple[Engine, ...], every_s: float, stop: threading.Event) -> None:
    failing: set[str] = set()
    while not stop.wait(every_s):
        _reload_all(keyring, engines, failing)


def _reload_all(keyring: Keyring, engines: tuple[Engine, ...], failing: set[str]) -> None:
    for engine in engines:
        try:
            reload_keys(keyring, engine)
            failing.discard(engine.tenant)
        except FootnoteError as error:
            if engine.tenant not in failing:
                _log.warning("%s: keys could not be reloaded: %s", engine.tenant, error.message)
            failing.add(engine.tenant)
