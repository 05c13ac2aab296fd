"""``footnote move``."""

from __future__ import annotations

from typing import Annotated

import typer

import pipelines
from app.at_rest import private_files
from app.commands.options import Data, ProfileName
from app.commands.output import safe
from app.settings import data_folder
from pipelines.engine.connecting import databases_away
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def move(
    profile: ProfileName,
    *,
    to: Annotated[
        str,
        typer.Option("--to", metavar="PROFILE", help="Profile or base with the `store` and `catalogue` to move to."),
    ],
    replace: Annotated[bool, typer.Option("--replace", help="Replace all that the tenant holds there.")] = False,
    data: Data = None,
) -> None:
    """Move a tenant to servers, or back to its data folder, verified."""
    loaded, target = load_profile(profile), load_profile(to)
    away = [*databases_away(loaded), *databases_away(target)]
    for one in away:
        typer.echo(safe(f"footnote: {one.part} at {one.address}: {one.detail}"), err=True)
    if away:
        raise typer.Exit(1)
    with private_files():
        moved = pipelines.move(loaded, target, data_folder(data), replace_documents=replace)
    counts = f"{moved.texts} versions, {moved.chunks} chunks and {moved.rows} rows"
    print(safe(f"{loaded.profile.tenant} is moved: {counts}; {moved.probes} searches find the same there"))
    print(safe(f"set `store` and `catalogue` of the profile as in {to}; the old place was left as it is"))
