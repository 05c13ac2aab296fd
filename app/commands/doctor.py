"""``footnote doctor``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from app.at_rest import exposed_paths
from app.commands.access import opened
from app.commands.isolation import examine_isolation
from app.commands.options import AsJson, Data, ProfileNames
from app.commands.output import print_json, safe
from app.native.schemas.upkeep import DoctorResponse, FindingSchema
from app.settings import data_folder
from pipelines.errors import FootnoteError
from pipelines.profile.loader import LoadedProfile, load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def doctor(
    profiles: ProfileNames,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Repair what can be repaired.")] = False,
    isolation: Annotated[
        bool, typer.Option("--isolation", help="Attack tenants on their running servers, and report leaks.")
    ] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say whether tenants' data is whole, and repair it.

    The exit code is 1 where something is wrong and was not repaired, or a tenant cannot be opened; the others are
    examined all the same.
    """
    loaded = [load_profile(profile) for profile in profiles]
    if isolation:
        examine_isolation(loaded, data, as_json)
        return
    found, failures = _examined_all(loaded, repair, data)
    healthy = not failures and all(response.healthy for response in found.values())
    warnings = {tenant: list(_warnings(data_folder(data) / tenant)) for tenant in found}
    if as_json:
        tenants = [
            {"tenant": tenant, **response.model_dump(mode="json"), "warnings": warnings[tenant]}
            for tenant, response in found.items()
        ]
        tenants += [{"tenant": tenant, "healthy": False, "error": error.message} for tenant, error in failures.items()]
        print_json({"healthy": healthy, "tenants": tenants})
    else:
        for tenant, response in found.items():
            _print(tenant, response)
            for warning in warnings[tenant]:
                print(safe(f"  warning: {warning}"))
    for tenant, error in failures.items():
        about = f"{tenant}: " if len(loaded) > 1 else ""
        typer.echo(safe(f"footnote: {about}{error.message}"), err=True)
    if not healthy:
        raise typer.Exit(1)


def _warnings(folder: Path) -> Iterator[str]:
    exposed = exposed_paths(folder)
    if exposed:
        yield (
            f"other users of this machine may read {folder} and {len(exposed) - 1} of the files and folders in it; "
            f"close it: chmod -R go= {shlex.quote(str(folder))}"
        )


def _examined_all(
    loaded: list[LoadedProfile], repair: bool, data: Path | None
) -> tuple[dict[str, DoctorResponse], dict[str, FootnoteError]]:
    """Examine each tenant; return the reports, and the errors of those that could not be examined."""
    found: dict[str, DoctorResponse] = {}
    failures: dict[str, FootnoteError] = {}
    for one in loaded:
        try:
            found[one.profile.tenant] = _examined(one, repair, data)
        except FootnoteError as error:
            failures[one.profile.tenant] = error
    return found, failures


def _examined(loaded: LoadedProfile, repair: bool, data: Path | None) -> DoctorResponse:
    with opened(loaded, data, repairing=repair) as tenant:
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
