"""The tenants that one process serves: an open engine for each, and the work that goes on behind the requests."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipelines import Engine, open_engine
from pipelines.engine.connecting import has_databases
from pipelines.errors import (
    CatalogueDamaged,
    CatalogueMissing,
    CatalogueNewer,
    EmbeddingChanged,
    FootnoteError,
    PartTimeout,
    Problem,
    ProfileError,
    StoreDamaged,
    StoreUnavailable,
    TenantNotFound,
    TenantNotOpened,
    Unavailable,
)
from pipelines.events import Observe
from pipelines.jobs.runner import run_jobs
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.types import Job, SyncResult
from pipelines.types.markup import count

_DAY = 86_400.0  # seconds
_SOON = 15.0
_DATA_ERRORS = (CatalogueDamaged, CatalogueMissing, CatalogueNewer, EmbeddingChanged, StoreDamaged)
_log = logging.getLogger("footnote")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tenant whose data could not be opened: its profile, and why, as callers may read it."""

    profile: Profile
    reason: str


class Tenants:
    """Open engines by the names of their tenants.

    Args:
        engines: The engines.
        loading: The jobs that load knowledge in the background, by tenant.
        left_out: The tenants that could not be opened.
    """

    def __init__(
        self,
        engines: Iterable[Engine],
        loading: Mapping[str, str] | None = None,
        left_out: Iterable[LeftOut] = (),
    ) -> None:
        self._engines = {engine.tenant: engine for engine in engines}
        self._loading = dict(loading or {})
        self._left_out = {one.profile.tenant: one for one in left_out}

    def __iter__(self) -> Iterator[Engine]:
        return iter(self._engines.values())

    @property
    def left_out(self) -> Mapping[str, LeftOut]:
        """The tenants that could not be opened, by name."""
        return self._left_out

    def engine(self, tenant: str) -> Engine:
        """Return the engine of a tenant.

        Raises:
            TenantNotOpened: Its data could not be opened.
            TenantNotFound: No tenant of this name is served here.
        """
        self.require_open(tenant)
        try:
            return self._engines[tenant]
        except KeyError:
            raise TenantNotFound(tenant) from None

    def require_open(self, tenant: str) -> None:
        """Refuse a tenant that is left out.

        Raises:
            TenantNotOpened: Its data could not be opened.
        """
        if tenant in self._left_out:
            raise TenantNotOpened(tenant, self._left_out[tenant].reason)

    def profile(self, tenant: str) -> Profile:
        """Return the profile of a tenant, also of one that is left out.

        Raises:
            TenantNotFound: No tenant of this name is served here.
        """
        return self._left_out[tenant].profile if tenant in self._left_out else self.engine(tenant).profile

    def is_loading(self, tenant: str) -> bool:
        """Return whether the tenant's knowledge is still being loaded for the first time since the start."""
        job_id = self._loading.get(tenant)
        if job_id is None:
            return False
        loading = self._engines[tenant].jobs.job(job_id).finished_at is None
        if not loading:
            self._loading.pop(tenant, None)
        return loading


def require_distinct(profiles: Sequence[LoadedProfile]) -> None:
    """Refuse profiles that would share one name, in paths and in the data folder.

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
def open_tenants(
    profiles: Sequence[LoadedProfile], data: Path, observers: Mapping[str, Observe] | None = None
) -> Iterator[Tenants]:
    """Open an engine for each profile, with what its profile wants done behind the requests; close them all.

    ``observers`` receive the events of each tenant, by its name.

    Jobs run, knowledge folders are synchronised and watched, and history is purged day by day. A tenant whose data
    cannot be opened is left out, unless there is no other.

    Raises:
        FootnoteError: One cannot be opened for another reason, or none can; those opened before it are closed again.
    """
    with ExitStack() as opened:
        engines, left_out = open_each(profiles, data, observers or {}, opened)
        yield Tenants(engines, _begin(engines, data, opened), left_out)


def open_each(
    profiles: Sequence[LoadedProfile], data: Path, observers: Mapping[str, Observe], opened: ExitStack
) -> tuple[list[Engine], list[LeftOut]]:
    """Open the tenants whose data can be opened; return their engines, and the others.

    Raises:
        FootnoteError: One cannot be opened for another reason, or none can.
    """
    engines: list[Engine] = []
    errors: list[FootnoteError] = []
    left_out: list[LeftOut] = []
    for loaded in profiles:
        profile = loaded.profile
        try:
            engines.append(_open(loaded, data, observers.get(profile.tenant), opened))
        except FootnoteError as error:
            if len(profiles) == 1 or not _is_of_data(error, profile):
                raise
            _log.error("%s: not served, its data could not be opened: %s", profile.tenant, error.message)
            errors.append(error)
            left_out.append(LeftOut(profile, _public_reason(error, data / profile.tenant)))
    if errors and not engines:
        raise errors[0]
    return engines, left_out


def _open(loaded: LoadedProfile, data: Path, observe: Observe | None, opened: ExitStack) -> Engine:
    with ExitStack() as alone:
        engine = alone.enter_context(open_engine(loaded, data, observe))
        engine.keys.digests()  # without them nobody could be let in
        opened.enter_context(alone.pop_all())
    return engine


def _is_of_data(error: FootnoteError, profile: Profile) -> bool:
    """Return whether an error lies in the tenant's own data: not in the profile, nor in a server that is away."""
    if isinstance(error, _DATA_ERRORS):
        return True
    return isinstance(error, StoreUnavailable) and not has_databases(profile)


def _public_reason(error: FootnoteError, folder: Path) -> str:
    """Return an error's message without the folders of the tenant's data: callers read it."""
    reason = error.message
    if isinstance(error, StoreDamaged) and error.place:
        reason = reason.replace(f", {error.place}", "")
    for path in (folder.resolve(), folder.absolute(), folder):
        reason = reason.replace(str(path), folder.name)
    return reason


def _begin(engines: Sequence[Engine], data: Path, opened: ExitStack) -> dict[str, str]:
    """Start the work behind the requests; return the jobs that load knowledge, by tenant."""
    works = [engine.work for engine in engines if engine.profile.jobs.run == "serve"]
    opened.enter_context(run_jobs(works, data))
    loading: dict[str, str] = {}
    waiting: list[Engine] = []
    for engine in engines:
        sync = engine.profile.knowledge.sync
        if sync == "background" and (job := _sync_job(engine)) is not None:
            loading[engine.tenant] = job.job_id
        elif sync != "off" and not sync_knowledge(engine) and sync != "watch":  # a watch tries again by itself
            waiting.append(engine)
        opened.enter_context(engine.watching())
    if waiting:
        opened.enter_context(catching_up(waiting, _SOON))
    for engine in engines:
        if engine.profile.knowledge.every_s is not None:
            opened.enter_context(syncing(engine, engine.profile.knowledge.every_s))
    forgetful = [engine for engine in engines if _has_retention(engine)]
    if forgetful:
        opened.enter_context(purging(forgetful))
    return loading


def _has_retention(engine: Engine) -> bool:
    retention = engine.profile.retention
    return retention.versions is not None or retention.days is not None


def sync_knowledge(engine: Engine) -> bool:
    """Bring the knowledge folder in; without it the tenant still answers from what it holds.

    False where that must be tried again, because a part that it takes is away or too slow.
    """
    try:
        _log_sync(engine.tenant, engine.sync())
    except FootnoteError as error:
        _log.error("%s: knowledge: %s", engine.tenant, error.message)
        return not isinstance(error, Unavailable | PartTimeout)
    return True


def _log_sync(tenant: str, synced: SyncResult) -> None:
    for result in synced.results:
        if result.state == "failed":
            reason = " ".join((result.reason or "").split())
            _log.warning("%s: knowledge: %r failed: %s", tenant, result.document_id, reason)
    states = Counter(result.state for result in synced.results)
    counts = ", ".join(f"{states[state]} {state}" for state in ("ready", "unchanged", "failed"))
    _log.info("%s: knowledge: %s, %d removed", tenant, counts, len(synced.removed))


@contextmanager
def catching_up(engines: Sequence[Engine], every: float) -> Iterator[None]:
    """Ask for a job that brings each tenant's knowledge in, when its parts answer; look ``every`` so many seconds."""

    def go_on(stopped: threading.Event) -> None:
        waiting = list(engines)
        while waiting and not stopped.wait(every):
            waiting = [engine for engine in waiting if not _caught_up(engine)]

    with _behind("catching up", go_on):
        yield


def _caught_up(engine: Engine) -> bool:
    if _sync_job(engine) is None:
        return False
    _log.info("%s: knowledge: the missing part is reachable again; a job retries the sync", engine.tenant)
    return True


def _sync_job(engine: Engine) -> Job | None:
    """Submit a job that loads the knowledge folder; None where a part is away."""
    try:
        engine.check_ready()
        return engine.jobs.submit("sync")
    except FootnoteError:
        return None


@contextmanager
def syncing(engine: Engine, every: float) -> Iterator[None]:
    """Ask the tenant for a job that brings its knowledge in, ``every`` so many seconds."""

    def go_on(stopped: threading.Event) -> None:
        last, failed = None, 0
        while not stopped.wait(every):
            last, failed = _sync_again(engine, last, failed)

    with _behind("syncing", go_on):
        yield


def _sync_again(engine: Engine, last: str | None, failed: int) -> tuple[str | None, int]:
    """Submit a sync job unless that of the last time still waits or runs.

    ``failed``: how many files failed before. Return the job that is the last now, and how many failed by then.
    """
    try:
        if last is not None:
            job = engine.jobs.job(last)
            if job.finished_at is None:
                return last, failed
            failed = _failed_files(engine.tenant, job, failed)
        return engine.jobs.submit("sync").job_id, failed
    except FootnoteError as error:
        _log.error("%s: knowledge: the sync is left out: %s", engine.tenant, error.message)
        return last, failed


def _failed_files(tenant: str, job: Job, before: int) -> int:
    """Return how many files of a sync failed; where that number has changed, the log says so."""
    failed = job.progress.files_failed if job.state == "done" else before
    if failed > 0 and failed != before:
        _log.warning("%s: knowledge: %s failed; job %s lists them", tenant, count(failed, "document"), job.job_id)
    elif failed != before:
        _log.info("%s: knowledge: all documents could be read again", tenant)
    return failed


@contextmanager
def purging(engines: Sequence[Engine], every: float = _DAY) -> Iterator[None]:
    """Ask each tenant for a job that purges what its retention no longer keeps: now, and ``every`` so many seconds."""

    def go_on(stopped: threading.Event) -> None:
        while not stopped.wait(every):
            _purge(engines)

    _purge(engines)
    with _behind("purging", go_on):
        yield


@contextmanager
def _behind(name: str, work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Run ``work`` in a background thread; on exit, signal it to stop and join."""
    stopped = threading.Event()
    thread = threading.Thread(target=work, args=(stopped,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _purge(engines: Iterable[Engine]) -> None:
    for engine in engines:
        try:
            engine.jobs.submit("purge")
        except FootnoteError as error:
            _log.error("%s: retention: %s", engine.tenant, error.message)
