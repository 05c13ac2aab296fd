"""``footnote sync``."""

from __future__ import annotations

from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import safe, say
from app.commands.progress import progress_bar
from app.native.schemas.documents import FailedSchema
from app.native.schemas.upkeep import SyncResponse
from pipelines.types.markup import count

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def sync(
    profile: ProfileName,
    *,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Delete all documents if the folder is empty.")
    ] = False,
    reread: Annotated[
        bool,
        typer.Option("--reread", help="Read files again also where it is not known which readers read them."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if a file failed.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Bring a tenant in line with its knowledge folder."""
    with opened(profile, data) as tenant, progress_bar() as report:
        synced = tenant.sync(report, allow_empty, reread)
    say(synced, as_json, _print)
    if strict and synced.counts.failed:
        raise typer.Exit(1)


def _print(synced: SyncResponse) -> None:
    for document in synced.documents:
        if isinstance(document, FailedSchema):
            print(safe(f"failed: {document.document_id}: {document.reason}"))
    for rename in synced.renamed:
        print(safe(f"renamed: {rename.before} -> {rename.after}"))
    for receipt in synced.removed:
        print(safe(f"removed: {receipt.document_id}"))
    for path in synced.busy:
        print(safe(f"busy: {path} is being written, it is left for the next time"))
    if synced.reread:
        files = count(len(synced.reread), "file")
        print(f"read again, since the readers of their formats have changed: {files}")
    renamed = {rename.after for rename in synced.renamed}
    ready = [one for one in synced.documents if one.state == "ready" and one.document_id not in renamed]
    new = sum(document.version == 1 for document in ready)
    counts = {"new": new, "changed": len(ready) - new, **synced.counts.model_dump(exclude={"ready"})}
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
