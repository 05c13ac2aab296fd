"""``footnote restore``."""

from __future__ import annotations

from typing import Annotated

import typer

import pipelines
from app.at_rest import private_files
from app.commands.backup import BackupFile
from app.commands.options import Data, ProfileName
from app.commands.output import safe
from app.settings import data_folder
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def restore(
    profile: ProfileName,
    file: BackupFile,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Replace all that the tenant holds.")] = False,
    data: Data = None,
) -> None:
    """Put a tenant back from its backup, verified."""
    loaded = load_profile(profile)
    with private_files():
        restored = pipelines.restore(loaded, file, data_folder(data), replace=replace)
    versions = f"{len(restored.texts)} versions and {len(restored.probes)} searches are as they were"
    print(safe(f"{loaded.profile.tenant} is restored to snapshot {restored.snapshot}: {versions}"))
