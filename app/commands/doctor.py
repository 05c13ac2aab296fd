"""``footnote doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileNames
from app.commands.output import print_json, safe
from app.native.schemas.upkeep import DoctorResponse, FindingSchema
from pipelines.profile.loader import LoadedProfile, load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def doctor(
    profiles: ProfileNames,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Put right what can be.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say whether tenants' data is whole, and repair it.

    The exit code is 1 where something is wrong and was not repaired.
    """
    loaded = [load_profile(profile) for profile in profiles]
    found = {one.profile.tenant: _examined(one, repair, data) for one in loaded}
    healthy = all(response.healthy for response in found.values())
    if as_json:
        tenants = [{"tenant": tenant, **response.model_dump(mode="json")} for tenant, response in found.items()]
        print_json({"healthy": healthy, "tenants": tenants})
    else:
        for tenant, response in found.items():
            _print(tenant, response)
    if not healthy:
        raise typer.Exit(1)


def _examined(loaded: LoadedProfile, repair: bool, data: Path | None) -> DoctorResponse:
    with opened(loaded, data) as tenant:
        return tenant.doctor(repair)


def _print(tenant: str, found: DoctorResponse) -> None:
    verdict = "healthy" if found.healthy else "not healthy"
    print(f"{tenant}: {verdict}: {found.documents} documents, {found.versions} versions, {found.chunks} chunks")
    for finding in found.findings:
        print(safe(f"  {_line(finding)}"))


def _line(finding: FindingSchema) -> str:
    version = "" if finding.version is None else f" version {finding.version}"
    about = "" if finding.document_id is None else f"{finding.document_id}{version}: "
    return f"{finding.kind}: {about}{finding.detail}{', repaired' if finding.repaired else ''}"
