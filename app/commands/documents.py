"""``footnote documents``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import typer

from app.commands.access import opened
from app.commands.options import AsJson, AsOf, Data, FilterJson, Inherit, ProfileName, ScopeJson
from app.commands.output import columns, passage, print_json, safe, say, when
from app.commands.values import parse_filters, parse_scope
from app.native.client import TenantClient
from app.native.schemas.documents import (
    ChunksResponse,
    DeletionResponse,
    DocumentSchema,
    DocumentsResponse,
    VersionSchema,
    VersionsResponse,
)
from pipelines.errors import DocumentNotFound, nearest
from pipelines.types import DocumentState
from pipelines.types.markup import count
from pipelines.types.page_names import page_name

Action = Literal["list", "show", "versions", "content", "chunks", "delete"]
_PAGE = 1000
_EXCERPT = 200
_TAKEN_BY: Mapping[str, tuple[Action, ...]] = {
    "--filter": ("list",),
    "--scope": ("list",),
    "--no-inherit": ("list",),
    "--state": ("list",),
    "--version": ("content",),
    "--as-of": ("content", "chunks"),
    "--purge": ("delete",),
}
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def documents(
    profile: ProfileName,
    action: Annotated[Action, typer.Argument(help="What to do.")] = "list",
    document_id: Annotated[
        str | None, typer.Argument(metavar="ID", show_default=False, help="The document to act on.")
    ] = None,
    *,
    filter_json: FilterJson = None,
    scope_json: ScopeJson = None,
    inherit: Inherit = True,
    state: Annotated[DocumentState | None, typer.Option("--state", help="Only those in this state.")] = None,
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", min=1, help="The version; default: the current one.")
    ] = None,
    as_of: AsOf = None,
    purge: Annotated[bool, typer.Option("--purge", help="Erase the history too, for good.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """List, show or delete a tenant's documents, and read their versions."""
    given: list[tuple[str, object]] = [("--filter", filter_json), ("--scope", scope_json), ("--state", state)]
    given += [("--no-inherit", not inherit), ("--version", version), ("--as-of", as_of), ("--purge", purge)]
    _check(action, [option for option, value in given if value not in (None, False)])
    if (document_id is None) != (action == "list"):
        raise typer.BadParameter("list takes none, the others take one", param_hint="ID")
    if version is not None and as_of is not None:
        raise typer.BadParameter("each chooses a version, give one of them", param_hint="--version, --as-of")
    among = {"filters": parse_filters(filter_json), "scope": parse_scope(scope_json), "inherit": inherit}
    with opened(profile, data) as tenant:
        if document_id is None:
            say(_all(tenant, {**among, "state": state}), as_json, _print_list)
            return
        try:
            _one(tenant, action, document_id, version=version, as_of=as_of, purge=purge, as_json=as_json)
        except DocumentNotFound as error:
            if error.message != DocumentNotFound(document_id).message or _has_versions(tenant, document_id):
                raise
            near = nearest(document_id, (one.document_id for one in tenant.documents(_PAGE, None).documents))
            raise DocumentNotFound(document_id, near=near) from None


def _has_versions(tenant: TenantClient, document_id: str) -> bool:
    """Return whether a document that is not found was deleted, and has a history."""
    try:
        return bool(tenant.versions(document_id).versions)
    except DocumentNotFound:
        return False


def _check(action: Action, options: list[str]) -> None:
    for option in options:
        if action not in _TAKEN_BY[option]:
            raise typer.BadParameter(f"is for {' and '.join(_TAKEN_BY[option])}, not for {action}", param_hint=option)


def _one(
    tenant: TenantClient,
    action: Action,
    document_id: str,
    *,
    version: int | None,
    as_of: int | None,
    purge: bool,
    as_json: bool,
) -> None:
    match action:
        case "versions":
            say(tenant.versions(document_id), as_json, _print_versions)
        case "content":
            _say_content(document_id, tenant.content(document_id, version, as_of), as_json)
        case "chunks":
            say(tenant.chunks(document_id, as_of), as_json, _print_chunks)
        case "delete":
            say(tenant.delete(document_id, purge), as_json, _print_deletion)
        case _:
            say(tenant.document(document_id), as_json, _print_document)


def _all(tenant: TenantClient, among: Mapping[str, Any]) -> DocumentsResponse:
    found = tuple(_pages(tenant, among))
    return DocumentsResponse(documents=list(found), next_cursor=None, total=len(found))


def _pages(tenant: TenantClient, among: Mapping[str, Any]) -> Iterator[DocumentSchema]:
    page = tenant.documents(_PAGE, None, **among)
    yield from page.documents
    while page.next_cursor is not None:
        page = tenant.documents(_PAGE, page.next_cursor, **among)
        yield from page.documents


def _print_list(found: DocumentsResponse) -> None:
    if found.documents:
        heads = ("ID", "STATE", "VERSION", "CHUNKS", "TITLE")
        print(columns([heads, *(_row(document) for document in found.documents)]))
    else:
        print("There are no documents.")


def _row(document: DocumentSchema) -> tuple[str, ...]:
    title = document.reason or "" if document.state == "failed" else document.title
    return document.document_id, document.state, str(document.version), str(document.chunks), title


def _print_document(found: DocumentSchema) -> None:
    shown = {name: value for name, value in found.model_dump(mode="json").items() if value is not None}
    shown["metadata"] = json.dumps(shown["metadata"], ensure_ascii=False)
    width = max(map(len, shown))
    for name, value in shown.items():
        print(safe(f"{name:<{width}}  {value}"))


def _print_versions(found: VersionsResponse) -> None:
    heads = ("VERSION", "STATE", "SNAPSHOTS", "CHUNKS", "BYTES", "CREATED", "TITLE")
    print(columns([heads, *(_version_row(version) for version in found.versions)]))


def _version_row(version: VersionSchema) -> tuple[str, ...]:
    counts = (str(version.chunks), str(version.bytes))
    return str(version.version), version.state, _snapshots(version), *counts, when(version.created_at), version.title


def _snapshots(version: VersionSchema) -> str:
    """Return which snapshots show a version."""
    if version.ended is None:
        return f"from {version.snapshot}"
    return f"{version.snapshot} to {version.ended - 1}" if version.ended > version.snapshot else "none"


def _say_content(document_id: str, text: str, as_json: bool) -> None:
    if as_json:
        print_json({"document_id": document_id, "content": text})
    elif sys.stdout.isatty():
        print(safe(text))
    else:
        print(text, end="")  # to the character: spans count in it


def _print_chunks(found: ChunksResponse) -> None:
    for chunk in found.chunks:
        place = " > ".join(chunk.headings)
        page = page_name(chunk.page, chunk.page_label)
        print(safe("  ".join(part for part in (f"{chunk.span.start}-{chunk.span.end}", page, place) if part)))
        print(passage(chunk.content, chunk.headings, _EXCERPT, indent="   "))
        print()
    if not found.chunks:
        print("There are no chunks.")


def _print_deletion(receipt: DeletionResponse) -> None:
    gone = f"{count(receipt.versions_removed, 'version')}, {count(receipt.chunks_removed, 'chunk')}"
    print(safe(f"deleted {receipt.document_id}: {gone}"))
    if receipt.purge is not None:
        removed = ", ".join(f"{count} {name}" for name, count in receipt.purge.removed.items() if count)
        print(safe(f"{receipt.purge.state}: {removed}"))
    if receipt.versions_left:
        print(safe(f"{count(receipt.versions_left, 'version')} can be read with --as-of, until they are purged"))
