"""``footnote purge``."""

from __future__ import annotations

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import print_json
from app.commands.waiting import run_job
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def purge(profile: ProfileName, *, as_json: AsJson = False, data: Data = None) -> None:
    """Erase the versions that the profile's retention no longer keeps."""
    loaded = load_profile(profile)
    with opened(loaded, data) as tenant:
        run_job(tenant, loaded, "purge")
        held = tenant.stats()
    if as_json:
        print_json(held.model_dump(include={"documents", "versions", "chunks", "snapshot", "horizon"}))
    else:
        left = f"{held.versions} versions of {held.documents} documents"
        print(f"{left} are left; --as-of reads from snapshot {held.horizon} to {held.snapshot}")
