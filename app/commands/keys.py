"""``footnote keys``."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, safe, say, when
from app.commands.values import parse_scope
from app.http.validation import validated
from app.native.schemas.keys import IssuedKeySchema, KeyRequest, KeySchema, KeysResponse
from pipelines.types.roles import Role

Action = Literal["list", "create", "rotate", "revoke"]
_NEVER = "never"
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def keys(
    profile: ProfileName,
    action: Annotated[Action, typer.Argument(help="What to do.")] = "list",
    name: Annotated[str | None, typer.Argument(metavar="NAME", show_default=False, help="The key.")] = None,
    *,
    role: Annotated[Role | None, typer.Option("--role", help="Role of a new key; default: reader.")] = None,
    scope_json: Annotated[
        str | None,
        typer.Option("--scope", metavar="JSON", help='Limit a new key to a place, such as {"suite": "fedsuite"}.'),
    ] = None,
    days: Annotated[int | None, typer.Option("--days", metavar="N", help="A new key expires after N days.")] = None,
    grace_hours: Annotated[
        int | None,
        typer.Option("--grace-hours", metavar="N", help="The old secret works for N hours after a rotation."),
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Create, list, rotate or revoke a tenant's keys.

    A secret is printed once; only its hash is stored.
    """
    if (name is None) != (action == "list"):
        raise typer.BadParameter("list takes none; create, rotate and revoke take one", param_hint="NAME")
    if name == "":
        raise typer.BadParameter("is empty; `footnote keys PROFILE list` shows the names", param_hint="NAME")
    given = {"--role": role, "--scope": scope_json, "--days": days, "--grace-hours": grace_hours}
    _check(action, [option for option, value in given.items() if value is not None])
    with opened(profile, data) as tenant:
        if name is None:
            say(tenant.keys(), as_json, _print_list)
        elif action == "create":
            wanted = {"name": name, "role": role or "reader", "scope": parse_scope(scope_json), "days": days}
            say(tenant.create_key(validated(KeyRequest, wanted)), as_json, _print_secret)
        elif action == "rotate":
            say(tenant.rotate_key(name, grace_hours or 0), as_json, _print_secret)
        else:
            say(tenant.revoke_key(name), as_json, _print_revoked)


def _check(action: Action, options: list[str]) -> None:
    for option in options:
        taken_by = "rotate" if option == "--grace-hours" else "create"
        if action != taken_by:
            raise typer.BadParameter(f"is for {taken_by}, not for {action}", param_hint=option)


def _print_secret(issued: IssuedKeySchema) -> None:
    print(issued.secret)
    typer.echo(safe(f"This is the key of {issued.name} ({issued.role}). It is not shown again."), err=True)


def _print_revoked(key: KeySchema) -> None:
    print(safe(f"revoked {key.name}"))


def _print_list(found: KeysResponse) -> None:
    if not found.keys:
        print("There are no keys.")
        return
    heads = ("NAME", "ROLE", "SCOPE", "STATE", "MADE", "EXPIRES", "LAST USE")
    print(columns([heads, *map(_row, found.keys)]))


def _row(key: KeySchema) -> tuple[str, ...]:
    made = "in the profile" if key.created_at is None else when(key.created_at)
    expires = _NEVER if key.expires_at is None else when(key.expires_at)
    used = "" if key.in_profile else _NEVER if key.last_used_at is None else when(key.last_used_at)
    return key.name, key.role, json.dumps(key.scope) if key.scope else "", key.state, made, expires, used
