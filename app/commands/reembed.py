"""``footnote reembed``."""

from __future__ import annotations

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import print_json, safe
from app.commands.waiting import run_job
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def reembed(profile: ProfileName, *, as_json: AsJson = False, data: Data = None) -> None:
    """Reprocess documents that no longer match the profile.

    A server has read the profile when it started: restart it after a change, before this. The exit code is 1 if
    documents failed or still do not match.
    """
    loaded = load_profile(profile)
    with opened(loaded, data) as tenant:
        failed = run_job(tenant, loaded, "reembed")
        held = tenant.stats()
    if as_json:
        named = [{"path": file.path, "reason": file.reason} for file in failed]
        counts = held.model_dump(include={"documents", "stale", "chunks", "snapshot", "embedding"})
        print_json({**counts, "failed": named})
    else:
        for file in failed:
            print(safe(f"failed: {file.path}: {file.reason}"))
        print(f"{held.documents} documents, {held.stale} stale")
    if held.stale and not failed:
        runs = f"a server or worker of tenant {loaded.profile.tenant} that read an earlier profile"
        typer.echo(safe(f"footnote: the job was run by {runs}: restart it, then repeat this"), err=True)
    if failed or held.stale:
        raise typer.Exit(1)
