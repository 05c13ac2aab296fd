"""``footnote jobs``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, cast, get_args

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, print_json, safe, say, when
from app.commands.progress import progress_bar
from app.commands.waiting import print_job_runner, require_done, require_job_runner, wait_for
from app.native.client import TenantClient
from app.native.schemas.jobs import JobProgressSchema, JobSchema, JobsResponse, JobSummarySchema
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import JobKind, JobState

Action = Literal["list", "show", "cancel", "start"]
Startable = Literal["sync", "reembed", "optimize", "purge", "rebuild", "compact"]
_PAGE = 1000
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def jobs(
    profile: ProfileName,
    action: Annotated[Action, typer.Argument(help="What to do.")] = "list",
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID|KIND", show_default=False, help=f"The job; or what to start: {', '.join(get_args(Startable))}."
        ),
    ] = None,
    *,
    state: Annotated[JobState | None, typer.Option("--state", help="Only those in this state.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the job is done.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """List, show, cancel or start a tenant's jobs."""
    _check(action, which, state, wait)
    loaded = load_profile(profile)
    with opened(loaded, data) as tenant:
        if which is None:
            _list(tenant, state, as_json)
        elif action == "start":
            _start(tenant, loaded, which, wait, as_json)
        else:
            say(tenant.job(which) if action == "show" else tenant.cancel(which), as_json, print_job)


def print_job(job: JobSchema) -> None:
    """Print a job, and its files that were not ingested."""
    moments = {"created": job.created_at, "started": job.started_at, "finished": job.finished_at}
    shown = {
        "job": job.job_id,
        "kind": job.kind,
        "state": job.state,
        "reason": job.reason,
        "files": _files(job.progress),
        **{name: when(moment) for name, moment in moments.items() if moment is not None},
    }
    width = max(map(len, shown))
    for name, value in shown.items():
        if value is not None:
            print(safe(f"{name:<{width}}  {value}"))
    for file in job.files:
        if file.state in ("failed", "busy"):
            print(safe(f"{file.state}: {file.path}: {file.reason or 'it is being written'}"))


def _check(action: Action, which: str | None, state: JobState | None, wait: bool) -> None:
    if (which is None) != (action == "list"):
        raise typer.BadParameter("list takes none, show and cancel an id, start a kind", param_hint="ID|KIND")
    if which == "":
        raise typer.BadParameter("is empty; `footnote jobs PROFILE list` shows the ids", param_hint="ID|KIND")
    if action == "start" and which not in get_args(Startable):
        raise typer.BadParameter(f"must be one of {', '.join(get_args(Startable))}", param_hint="KIND")
    if state is not None and action != "list":
        raise typer.BadParameter(f"is for list, not for {action}", param_hint="--state")
    if wait and action != "start":
        raise typer.BadParameter(f"is for start, not for {action}", param_hint="--wait")


def _start(tenant: TenantClient, loaded: LoadedProfile, kind: str, wait: bool, as_json: bool) -> None:
    if wait:
        require_job_runner(tenant, loaded)
    job_id = tenant.start(cast("JobKind", kind))
    print_job_runner(tenant, loaded)
    if not wait:
        if as_json:
            print_json({"job_id": job_id})
        else:
            print(job_id)
        return
    with progress_bar() as report:
        job = wait_for(tenant, job_id, report)
    say(job, as_json, print_job)
    require_done(job)


def _list(tenant: TenantClient, state: JobState | None, as_json: bool) -> None:
    found = tuple(_pages(tenant, state))
    if as_json:
        print_json(JobsResponse(jobs=list(found), next_cursor=None))
    elif found:
        heads = ("ID", "KIND", "STATE", "FILES", "CREATED", "REASON")
        print(columns([heads, *(_row(job) for job in found)]))
    else:
        print("There are no jobs.")


def _pages(tenant: TenantClient, state: JobState | None) -> Iterator[JobSummarySchema]:
    page = tenant.jobs(_PAGE, None, state)
    yield from page.jobs
    while page.next_cursor is not None:
        page = tenant.jobs(_PAGE, page.next_cursor, state)
        yield from page.jobs


def _row(job: JobSummarySchema) -> tuple[str, ...]:
    return job.job_id, job.kind, job.state, _files(job.progress), when(job.created_at), job.reason or ""


def _files(progress: JobProgressSchema) -> str:
    total = "?" if progress.files_total is None else str(progress.files_total)
    return f"{progress.files_done}/{total}" + (f", {progress.files_failed} failed" if progress.files_failed else "")
