"""``footnote audit``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, print_json, when
from app.native.client import TenantClient
from app.native.schemas.keys import AuditEntrySchema, AuditResponse

_PAGE = 1000
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def audit(
    profile: ProfileName,
    *,
    key: Annotated[str | None, typer.Option("--key", metavar="NAME", help="Only actions of this key.")] = None,
    action: Annotated[str | None, typer.Option("--action", help="Only this action, such as delete_document.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, max=10_000_000, help="Most entries, the newest.")
    ] = 100,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Read who did what to a tenant."""
    with opened(profile, data) as tenant:
        found = list(islice(_pages(tenant, key, action, min(limit, _PAGE)), limit))
    if as_json:
        print_json(AuditResponse(entries=found, next_cursor=None))
    elif found:
        print(columns([("WHEN", "KEY", "ADDRESS", "ACTION", "RESULT", "TARGET"), *map(_row, found)]))
    else:
        print("There are no entries.")


def _pages(tenant: TenantClient, key: str | None, action: str | None, size: int) -> Iterator[AuditEntrySchema]:
    page = tenant.audit(size, key=key, action=action)
    yield from page.entries
    while page.next_cursor is not None:
        page = tenant.audit(size, page.next_cursor, key=key, action=action)
        yield from page.entries


def _row(entry: AuditEntrySchema) -> tuple[str, ...]:
    return when(entry.at), entry.key or "(operator)", entry.address, entry.action, entry.result, entry.target
