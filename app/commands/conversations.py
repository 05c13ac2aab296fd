"""``footnote conversations``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, excerpt, place, print_json, safe, say, when, wrapped
from app.native.client import TenantClient
from app.native.schemas.conversations import (
    ConversationDeletionResponse,
    ConversationSchema,
    ConversationsResponse,
    ConversationSummarySchema,
)
from pipelines.types.markup import count

Action = Literal["list", "show", "export", "delete"]
_PAGE = 1000
_TITLE_CHARS = 60
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def conversations(
    profile: ProfileName,
    action: Annotated[Action, typer.Argument(help="What to do; an export is one JSON document.")] = "list",
    which: Annotated[str | None, typer.Argument(metavar="ID", show_default=False, help="The conversation.")] = None,
    *,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """List, show, export or delete a tenant's conversations."""
    if (which is None) != (action == "list"):
        raise typer.BadParameter("list takes none, show, export and delete one", param_hint="ID")
    with opened(profile, data) as tenant:
        if which is None:
            _list(tenant, as_json)
        elif action == "delete":
            say(tenant.delete_conversation(which), as_json, _print_deletion)
        else:
            say(tenant.conversation(which), as_json or action == "export", _print)


def _list(tenant: TenantClient, as_json: bool) -> None:
    found = list(_pages(tenant))
    if as_json:
        print_json(ConversationsResponse(conversations=found, next_cursor=None))
    elif found:
        heads = ("ID", "TURNS", "LAST", "EXPIRES", "FIRST QUESTION")
        print(columns([heads, *map(_row, found)]))
    else:
        print("There are no conversations.")


def _pages(tenant: TenantClient) -> Iterator[ConversationSummarySchema]:
    page = tenant.conversations(_PAGE)
    yield from page.conversations
    while page.next_cursor is not None:
        page = tenant.conversations(_PAGE, page.next_cursor)
        yield from page.conversations


def _row(found: ConversationSummarySchema) -> tuple[str, ...]:
    moments = when(found.updated_at), when(found.expires_at)
    return found.conversation_id, str(found.length), *moments, excerpt(found.title, _TITLE_CHARS)


def _print(found: ConversationSchema) -> None:
    for turn in found.turns:
        print(safe(f"{turn.number}  {when(turn.created_at)}"))
        print(wrapped(turn.question))
        if turn.rewritten_question is not None:
            print(wrapped(f"looked for: {turn.rewritten_question}"))
        print()
        print(wrapped(turn.answer))
        for citation in turn.citations:
            print(f"[{citation.number}] {place(citation)}")
        print()


def _print_deletion(gone: ConversationDeletionResponse) -> None:
    print(safe(f"deleted {gone.conversation_id}: {count(gone.turns_removed, 'turn')}"))
