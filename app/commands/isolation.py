"""What ``footnote doctor --isolation`` does; no command of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import typer

from app.commands.output import print_json, safe
from app.isolation import Attempt, Target, attack, planted
from app.owner import recorded
from app.remote.server import connected
from app.settings import data_folder
from pipelines.errors import Conflict
from pipelines.profile.loader import LoadedProfile


class NoServer(Conflict):
    """Raised when no running server holds the tenant to attack."""

    code = "no_server"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"no server holds {tenant}; isolation is examined on a running one: footnote serve {tenant}")


def examine_isolation(profiles: Sequence[LoadedProfile], data: Path | None, as_json: bool) -> None:
    """Attack the tenants on the servers that hold them, and print what leaked.

    Raises:
        NoServer: A tenant is not served.
        typer.Exit: Something leaked.
    """
    with _targets(profiles, data) as targets, planted(targets) as (canaries, intruders):
        attempts = list(attack(targets, canaries, intruders))
    leaks = [attempt for attempt in attempts if attempt.leak is not None]
    if as_json:
        print_json({"requests": len(attempts), "canaries": len(canaries), "leaks": [_plain(leak) for leak in leaks]})
    else:
        print(f"{len(canaries)} canaries, {len(intruders)} intruders, {len(attempts)} requests: {len(leaks)} leaks")
        for leak in leaks:
            print(safe(f"  {_line(leak)}"))
    if leaks:
        raise typer.Exit(1)


@contextmanager
def _targets(profiles: Sequence[LoadedProfile], data: Path | None) -> Iterator[list[Target]]:
    with ExitStack() as opened:
        yield [_target(loaded, data, opened) for loaded in profiles]


def _target(loaded: LoadedProfile, data: Path | None, opened: ExitStack) -> Target:
    owner = recorded(data_folder(data) / loaded.profile.tenant)
    if owner is None or not owner.is_running:
        raise NoServer(loaded.profile.tenant)
    server = opened.enter_context(connected(owner))
    if not server.is_owner():
        raise NoServer(loaded.profile.tenant)
    return Target(loaded.profile, server)


def _plain(attempt: Attempt) -> dict[str, object]:
    return {
        "intruder": attempt.intruder.description,
        "canary": attempt.canary.description,
        "method": attempt.request.method,
        "path": attempt.request.path,
        "status": attempt.status,
        "leak": attempt.leak,
    }


def _line(attempt: Attempt) -> str:
    asked = f"{attempt.request.method} {attempt.request.path} ({attempt.status})"
    return f"{attempt.intruder.description} received {attempt.leak} of {attempt.canary.description}: {asked}"
