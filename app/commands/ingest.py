"""``footnote ingest``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from app.commands.values import parse_metadata
from app.commands.waiting import print_job_runner
from app.native.client import TenantClient
from app.native.schemas.documents import FailedSchema, IngestedDocumentsResponse, IngestedSchema
from app.settings import data_folder
from pipelines.errors import FootnoteError, Unavailable
from pipelines.ingestion.sources import selected_documents
from pipelines.profile.loader import load_profile
from pipelines.profile.sections.documents import Knowledge
from pipelines.types import DocumentInput
from pipelines.types.markup import count

_DocumentsAt = Callable[[Path], list[DocumentInput]]
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of a document, and whether its file was named itself."""

    result: IngestedSchema | FailedSchema
    named: bool


@app.command()
def ingest(
    profile: ProfileName,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", exists=True, help="Files and folders.")],
    *,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", metavar="KEY=VALUE", help="Metadata of every document.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let files of folders count for the exit code.")] = False,
    wait: Annotated[
        bool,
        typer.Option("--wait/--no-wait", help="Wait until it is done, or print the ids of the jobs that do it."),
    ] = True,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Bring files and folders into a tenant.

    A ZIP archive or a mailbox counts as a folder. Of a folder, what the profile includes and excludes decides which
    files are taken. Files that cannot be read are listed; the others are in. The exit code is 1 if a file that was
    named itself failed, or with --strict any file. With --no-wait and a server, up to 100 files are a job.
    """
    loaded = load_profile(profile)
    fields = parse_metadata(metadata or (), loaded.profile.metadata.fields)
    if fields and not loaded.profile.metadata.fields:
        names = ", ".join(fields)
        typer.echo(safe(f"footnote: the profile declares no fields: {names} will be kept, not filtered by"), err=True)
    kept = data_folder(data)
    never = (kept, kept / loaded.profile.tenant)
    documents_at = partial(_documents_at, metadata=fields, knowledge=loaded.profile.knowledge, never=never)
    with opened(loaded, data) as tenant:
        if not wait:
            all_left = _submit(tenant, paths, documents_at, as_json)
            print_job_runner(tenant, loaded)
            raise typer.Exit(0 if all_left else 1)
        with _counted_where_it_ends(tenant):
            done = _ingest(tenant, paths, documents_at)
    _say(done, as_json)
    failed = [one for one in done if one.result.state == "failed"]
    if failed and len(failed) < len(done):
        typer.echo(f"footnote: {len(failed)} of {count(len(done), 'document')} failed, the others are in", err=True)
    if any(strict or one.named for one in failed):
        raise typer.Exit(1)


@contextmanager
def _counted_where_it_ends(tenant: TenantClient) -> Iterator[None]:
    """Say how many documents the tenant holds where the user, a full disk or a part that is away ends the ingestion."""
    try:
        yield
    except (Unavailable, KeyboardInterrupt):
        with suppress(FootnoteError):
            held = count(tenant.stats().documents, "document")
            message = f"the tenant now holds {held}; ingest again later, and only the others are brought in"
            typer.echo(f"footnote: {message}", err=True)
        raise


def _ingest(tenant: TenantClient, paths: Iterable[Path], documents_at: _DocumentsAt) -> list[_Done]:
    """Return what became of what lies at each path."""
    done: list[_Done] = []
    with progress_bar() as report:
        for path in paths:
            results = tenant.ingest(documents_at(path), report)
            done += [_Done(result, path.is_file() and result.document_id == path.name) for result in results]
    return done


def _submit(tenant: TenantClient, paths: Iterable[Path], documents_at: _DocumentsAt, as_json: bool) -> bool:
    """Print the ids of the jobs that ingest what is at the paths; return whether all of it could be left to
    them.

    The paths are made absolute, for another process reads them; a link stays one, since its name is the document's.
    """
    documents = [document for path in paths for document in documents_at(path.absolute())]
    job_ids, failed = [], []
    try:
        for one in tenant.submit(documents) if documents else ():
            if isinstance(one, FailedSchema):
                failed.append(one)
                continue
            job_ids.append(one.job_id)
            if not as_json:
                print(one.job_id, flush=True)
    finally:  # the jobs go on also where the user ends the command
        if as_json and (job_ids or failed or not documents):
            print_json({"job_ids": job_ids, "failed": [one.model_dump() for one in failed]})
    for reason, alike in groupby(failed, lambda one: one.reason):
        named, *others = [one.document_id for one in alike]
        more = f" and {len(others)} more" if others else ""
        typer.echo(safe(f"failed: {named}{more}: {reason}"), err=True)
    if not documents and not as_json:
        print("There are no documents at these paths.")
    return not failed


def _documents_at(
    path: Path, metadata: Mapping[str, Any], knowledge: Knowledge, never: tuple[Path, ...]
) -> list[DocumentInput]:
    """Return the documents at a path; say how many files of a folder the profile's patterns leave out."""
    taken, left_out = selected_documents(path, metadata, knowledge, never)
    if left_out:
        what = f"the profile leaves out {count(left_out, 'file')} in {path}: knowledge -> include, exclude"
        typer.echo(safe(f"footnote: {what}"), err=True)
    return taken


def _say(done: Sequence[_Done], as_json: bool) -> None:
    results = [one.result for one in done]
    states = Counter(result.state for result in results)
    counts = {state: states[state] for state in ("ready", "unchanged", "failed")}
    if as_json:
        print_json({**IngestedDocumentsResponse(documents=results).model_dump(), **counts})
        return
    for result in results:
        if isinstance(result, FailedSchema):
            print(safe(f"failed: {result.document_id}: {result.reason}"))
    if not results:
        print("There are no documents at these paths.")
    print(", ".join(f"{number} {state}" for state, number in counts.items()))
