"""Jobs that a command waits for, and who carries them out."""

from __future__ import annotations

import time

import typer

from app.commands.output import safe
from app.commands.progress import Report, progress_bar
from app.native.client import TenantClient
from app.native.schemas.jobs import FileSchema, JobSchema
from pipelines.errors import Conflict
from pipelines.profile.loader import LoadedProfile
from pipelines.types import JobKind, JobState

_SECONDS_BETWEEN_LOOKS = 0.2
_OVER: tuple[JobState, ...] = ("done", "failed", "cancelled")


class NoJobRunner(Conflict):
    """Raised when waiting for a job and no worker is running."""

    code = "nobody_carries_out"

    def __init__(self, tenant: str) -> None:
        super().__init__(
            f"no server holds tenant {tenant}, so that a job would wait for ever; start one with footnote serve, or "
            "leave out --wait"
        )


def require_job_runner(tenant: TenantClient, loaded: LoadedProfile) -> None:
    """Refuse to wait for a job that only this process could run, and does not.

    Raises:
        NoJobRunner: No server holds the tenant, and its profile does not leave jobs to workers.
    """
    if not tenant.is_served and loaded.profile.jobs.run == "serve":
        raise NoJobRunner(loaded.profile.tenant)


def print_job_runner(tenant: TenantClient, loaded: LoadedProfile) -> None:
    """Say on standard error what a job waits for, where it is not the server that took it."""
    name = loaded.profile.tenant
    if loaded.profile.jobs.run == "worker":
        typer.echo(f"footnote: jobs of tenant {name} are run by a worker: footnote worker PROFILE", err=True)
    elif not tenant.is_served:
        typer.echo(f"footnote: the job waits until a server holds tenant {name}: footnote serve PROFILE", err=True)


def wait_for(tenant: TenantClient, job_id: str, report: Report) -> JobSchema:
    """Return the job when it is over, however it ended."""
    while True:
        began = time.monotonic()
        job = tenant.job(job_id)
        report(f"{job.kind}, {job.state}", job.progress.files_done, job.progress.files_total)
        if job.state in _OVER:
            return job
        # Looking at a job of many files takes a while: it must not keep the server from the job.
        time.sleep(max(_SECONDS_BETWEEN_LOOKS, 9 * (time.monotonic() - began)))


def require_done(job: JobSchema) -> None:
    """Exit with 1 if a job did not end well, and say why."""
    if job.state != "done":
        typer.echo(safe(f"footnote: job {job.job_id} {job.state}{f': {job.reason}' if job.reason else ''}"), err=True)
        raise typer.Exit(1)


def run_job(tenant: TenantClient, loaded: LoadedProfile, kind: JobKind) -> list[FileSchema]:
    """Do a job's work and return the files that failed: in this process, or as a job of the server that holds it."""
    with progress_bar() as report:
        failed = tenant.run_job(kind, report)
        if failed is not None:
            return failed
        print_job_runner(tenant, loaded)
        job = wait_for(tenant, tenant.start(kind), report)
    require_done(job)
    return [file for file in job.files if file.state == "failed"]
