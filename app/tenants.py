"""The tenants that one process serves: an open engine for each."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pipelines import Engine, open_engine
from pipelines.errors import Problem, ProfileError, TenantNotFound
from pipelines.profile.loader import LoadedProfile
from pipelines.types import SyncResult

_log = logging.getLogger("footnote")


class Tenants:
    """Open engines by the names of their tenants."""

    def __init__(self, engines: Iterable[Engine]) -> None:
        self._engines = {engine.tenant: engine for engine in engines}

    def __iter__(self) -> Iterator[Engine]:
        return iter(self._engines.values())

    def engine(self, tenant: str) -> Engine:
        """The engine of a tenant.

        Raises:
            TenantNotFound: No tenant of this name is served here.
        """
        try:
            return self._engines[tenant]
        except KeyError:
            raise TenantNotFound(tenant) from None


def require_distinct(profiles: Sequence[LoadedProfile]) -> None:
    """Refuses profiles that would share one name, in paths and in the data folder.

    Raises:
        ProfileError: Two profiles have the same tenant.
    """
    seen: dict[str, LoadedProfile] = {}
    for loaded in profiles:
        other = seen.setdefault(loaded.profile.tenant, loaded)
        if other is not loaded:
            message = f'"{loaded.profile.tenant}" is the tenant of another profile that is to be served too'
            raise ProfileError(loaded.profile.tenant, (Problem("tenant", message),))


@contextmanager
def open_tenants(profiles: Sequence[LoadedProfile], data: Path) -> Iterator[Tenants]:
    """Opens an engine for each profile, in line with its knowledge folder where it says so; closes them all.

    Raises:
        FootnoteError: One cannot be opened; those opened before it are closed again.
    """
    with ExitStack() as opened:
        engines = [opened.enter_context(open_engine(loaded, data)) for loaded in profiles]
        for engine in engines:
            _sync(engine)
        yield Tenants(engines)


def _sync(engine: Engine) -> None:
    if engine.profile.knowledge.sync == "startup":
        _tell(engine.tenant, engine.sync())


def _tell(tenant: str, synced: SyncResult) -> None:
    for result in synced.results:
        if result.state == "failed":
            reason = " ".join((result.reason or "").split())
            _log.warning("%s: knowledge: %r failed: %s", tenant, result.document_id, reason)
    states = Counter(result.state for result in synced.results)
    counts = ", ".join(f"{states[state]} {state}" for state in ("ready", "unchanged", "failed"))
    _log.info("%s: knowledge: %s, %d removed", tenant, counts, len(synced.removed))
