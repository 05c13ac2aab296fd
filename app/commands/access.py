"""How commands come to a tenant: through the server that holds its data folder, else by opening it themselves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import pipelines
from app.at_rest import private_files
from app.commands.output import safe
from app.commands.progress import progress_bar
from app.native.client import TenantClient
from app.native.tenant import LocalTenant
from app.owner import Owner, is_newer, recorded
from app.settings import data_folder
from pipelines.errors import Conflict, DataFolderHeld
from pipelines.profile.folders import folder_profile
from pipelines.profile.loader import LoadedProfile
from pipelines.types.holders import lock_holder, process_name
from pipelines.types.markup import count

if TYPE_CHECKING:
    from app.remote.tenant import RemoteTenant


class TenantBusy(Conflict):
    """Another process works on the tenant's data, and commands cannot work through it."""

    code = "tenant_busy"

    def __init__(self, folder: Path, holder: str, advice: str) -> None:
        super().__init__(f"{holder} holds the data folder {folder}; {advice}, or name another --data")


@contextmanager
def opened(profile: str | LoadedProfile, data: Path | None, *, repairing: bool = False) -> Iterator[TenantClient]:
    """The tenant of a profile, ready to be worked on; ``repairing`` opens one whose vector store is damaged, too.

    Nothing heavy is loaded where a server holds the tenant.

    Raises:
        ProfileError: The profile cannot be used.
        TenantBusy: Another process holds the tenant, and is no server that answers.
        FootnoteError: It cannot be opened.
    """
    loaded = profile if isinstance(profile, LoadedProfile) else folder_profile(profile)[0]
    folder = data_folder(data) / loaded.profile.tenant
    owner = recorded(folder)
    with ExitStack() as stack:
        tenant = _through(owner, loaded, stack) or _in_process(folder, owner, loaded, stack, repairing)
        if tenant.is_served and is_newer(loaded.path, folder):
            message = f"{loaded.path} was changed after the server started, which goes by the earlier one: restart it"
            typer.echo(safe(f"footnote: {message}"), err=True)
        yield tenant


@contextmanager
def opened_for_questions(profile: str, data: Path | None) -> Iterator[TenantClient]:
    """Open the tenant of a profile, or of a folder without one, whose documents are brought in first.

    Raises:
        As for `opened`.
    """
    loaded, in_memory = folder_profile(profile)
    with opened(loaded, data) as tenant:
        if in_memory:
            _follow(tenant, profile)
        yield tenant


def _follow(tenant: TenantClient, folder: str) -> None:
    """Synchronize a tenant with its folder; print what changed on standard error."""
    with progress_bar() as report:
        counts = tenant.sync(report).counts
    if not counts.ready and not counts.removed:
        return
    gone = f", {counts.removed} removed" if counts.removed else ""
    typer.echo(safe(f"footnote: read {count(counts.ready, 'document')} of {folder}{gone}"), err=True)
    if counts.failed:
        listing = f"footnote documents {shlex.quote(folder)} list --state failed"
        typer.echo(safe(f"footnote: could not read {count(counts.failed, 'file')}; see: {listing}"), err=True)


def warn_if_empty(tenant: TenantClient, profile: str) -> None:
    """Say on standard error that the tenant holds no documents yet, and how to ingest some."""
    if tenant.stats().documents:
        return
    loaded, in_memory = folder_profile(profile)
    knowledge = loaded.profile.knowledge
    if in_memory:
        message = f"the folder {profile} holds no documents that can be read; put some into it and ask again"
    elif knowledge.path or knowledge.sources:
        message = f"there are no documents yet; run: footnote sync {profile}"
    else:
        message = f"there are no documents yet; run: footnote ingest {profile} PATH..."
    typer.echo(safe(f"footnote: {message}"), err=True)


def _through(owner: Owner | None, loaded: LoadedProfile, stack: ExitStack) -> RemoteTenant | None:
    if owner is None or not owner.is_running:
        return None
    from app.remote.server import connected  # noqa: PLC0415 - most commands meet no server
    from app.remote.tenant import RemoteTenant  # noqa: PLC0415

    server = stack.enter_context(connected(owner))
    return RemoteTenant(server, loaded) if server.is_owner() else None


def _in_process(
    folder: Path, tried: Owner | None, loaded: LoadedProfile, stack: ExitStack, repairing: bool
) -> TenantClient:
    try:
        stack.enter_context(private_files())
        return LocalTenant(stack.enter_context(pipelines.open_engine(loaded, folder.parent, repairing=repairing)))
    except DataFolderHeld as error:
        owner = recorded(folder)
        ready_meanwhile = None if owner == tried else _through(owner, loaded, stack)
        if ready_meanwhile is None:
            raise _busy(folder, owner) or error from None
        return ready_meanwhile


def _busy(folder: Path, owner: Owner | None) -> TenantBusy | None:
    """Return what is known of the process that holds ``folder``; None where nothing is."""
    holder = lock_holder(folder)
    if owner is not None and owner.is_running and holder in (None, owner.pid):
        held = f"the server of process {owner.pid}"
        return TenantBusy(folder, held, f"it does not answer at {owner.address}: wait until it does, stop it")
    return None if holder is None else TenantBusy(folder, process_name(holder), "wait for it, stop it")
