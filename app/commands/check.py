"""``footnote check``: reads profiles, and opens nothing; with ``--connect`` it asks the servers that they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

import pipelines
from app.commands.options import Data, ProfileNames
from app.commands.output import safe
from pipelines.components.models.fingerprints import adapter_mismatch
from pipelines.components.models.missing import missing_models, unread_tokens
from pipelines.errors import DeviceMissing, FootnoteError, Problem, ProfileError
from pipelines.profile.files import file_problems
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.schema import Profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def check(
    profiles: ProfileNames,
    *,
    connect: Annotated[
        bool, typer.Option("--connect", help="Ask every server that the profiles name, and say what runs their models.")
    ] = False,
    data: Data = None,
) -> None:
    """Say whether profiles can be used.

    Warns of models that are not on this machine yet, of chunks that are longer than what the embedding model reads, and
    of jobs that no worker could run.
    The exit code is 2 where a profile is wrong, and 1 where a server does not answer or a GPU is missing.
    """
    broken = [error for name in profiles if (error := _check(name)) is not None]
    for error in broken:
        typer.echo(f"footnote: {error.message}", err=True)
    if broken:
        raise typer.Exit(2)
    if connect:
        unready = [name for name in profiles if not _is_ready(load_profile(name))]
        if unready:
            raise typer.Exit(1)


def _is_ready(loaded: LoadedProfile) -> bool:
    """Print what runs the models of a profile and what its servers say; return whether all can be used."""
    runs = _models_run(loaded)
    return _all_answer(loaded) and runs


def _models_run(loaded: LoadedProfile) -> bool:
    try:
        for part, device in pipelines.devices(loaded).items():
            print(f"{loaded.profile.tenant}: {part}: on {device}")
    except DeviceMissing as error:
        print(safe(f"{loaded.profile.tenant}: models: FAILED: {error.message}"))
        return False
    return True


def _all_answer(loaded: LoadedProfile) -> bool:
    """Print what each server of a profile says; return whether all answer."""
    answered = []
    for one in pipelines.connections(loaded):
        state = "" if one.answers else "FAILED: "
        print(safe(f"{loaded.profile.tenant}: {one.part} {one.address}: {state}{one.detail}"))
        answered.append(one.answers)
    return all(answered)


def _check(name: str) -> FootnoteError | None:
    """Print what there is to say of a profile that can be used, or return why it cannot."""
    try:
        loaded = load_profile(name)
        wrong = tuple(_wrong_files(loaded))
        if wrong:
            raise ProfileError(name, wrong)
    except ProfileError as error:
        return error
    print(f"{name}: ok, tenant {loaded.profile.tenant}")
    for warning in _warnings(loaded.profile):
        typer.echo(safe(f"footnote: warning: {loaded.profile.tenant}: {warning}"), err=True)
    return None


def _warnings(profile: Profile) -> Iterator[str]:
    for part, missing in missing_models(profile):
        yield f"{part}: {missing.message}"
    if (unread := unread_tokens(profile)) is not None:
        yield f"chunking -> size: {unread}"
    if profile.jobs.run == "worker" and profile.store.engine == "edge":
        yield (
            "jobs -> run: a worker cannot open vectors on disk while a server does; "
            "set serve, or keep vectors on a Qdrant server"
        )


def _wrong_files(loaded: LoadedProfile) -> Iterator[Problem]:
    knowledge = loaded.knowledge_folder
    if knowledge is not None and not knowledge.is_dir():
        yield Problem("knowledge -> path", f"there is no folder {loaded.profile.knowledge.path} beside the profile")
    yield from file_problems(loaded)
    yield from adapter_mismatch(loaded.profile)
