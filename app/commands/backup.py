"""``footnote backup``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import Data, ProfileName
from app.commands.output import safe
from app.commands.targets import require_file
from pipelines.errors import InvalidRequest, Problem

app = typer.Typer(add_completion=False, rich_markup_mode=None)
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="The backup, one file.")]


@app.command()
def backup(
    profile: ProfileName,
    file: BackupFile,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Replace FILE if it is there.")] = False,
    data: Data = None,
) -> None:
    """Write a tenant to one file, also while it is served."""
    require_file("FILE", file)
    if not replace and os.path.lexists(file):
        raise InvalidRequest(Problem("FILE", f"{file} is there already; name another file, or add --replace"))
    with opened(profile, data) as tenant:
        tenant.backup(file)
    print(safe(f"{file}: {file.stat().st_size} bytes"))
