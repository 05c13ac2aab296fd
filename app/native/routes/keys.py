"""Routes of keys and of the audit log; an admin without a scope may use them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request

from app.http.auditing import add_target
from app.http.managed_keys import reload_keys
from app.http.problems import problem_responses
from app.native import mapping
from app.native.routes.dependencies import Nothing, TenantEngine, decoded, described_body, optional_body, routes_for
from app.native.schemas.keys import (
    AuditParameters,
    AuditResponse,
    IssuedKeySchema,
    KeyRequest,
    KeySchema,
    KeysResponse,
    RotateRequest,
)

admin = routes_for("admin")
ROUTERS = (admin,)
_KEYS, _AUDIT = "managing keys", "reading the audit log"


async def _key_name(name: Annotated[str, Path(description="name of the key; a slash in it is sent as %2F")]) -> str:
    return decoded("name", name)


KeyName = Annotated[str, Depends(_key_name)]


@admin.get("/{tenant}/keys", responses=problem_responses(403))
def list_keys(engine: TenantEngine, asked: Nothing) -> KeysResponse:
    """List the keys: those of the profile, then those that were made here, also the revoked ones."""
    return mapping.keys(engine.profile, engine.whole(_KEYS).keys.list())


@admin.post("/{tenant}/keys", status_code=201, responses=problem_responses(403, 409, 413, 415, 422))
def create_key(request: Request, engine: TenantEngine, asked: KeyRequest, nothing: Nothing) -> IssuedKeySchema:
    """Make a key; its secret is shown this once."""
    add_target(asked.name)
    issued = engine.whole(_KEYS).keys.create(asked.name, asked.role, scope=asked.scope, days=asked.days)
    reload_keys(request.state.keyring, engine.whole(_KEYS))
    return mapping.issued_key(issued)


@admin.post(
    "/{tenant}/keys/{name}/rotate",
    responses=problem_responses(403, 409, 413, 415, 422),
    openapi_extra=described_body(RotateRequest),
)
def rotate_key(
    request: Request,
    engine: TenantEngine,
    name: KeyName,
    asked: Annotated[RotateRequest, Depends(optional_body(RotateRequest))],
    nothing: Nothing,
) -> IssuedKeySchema:
    """Give a key a new secret, which is shown this once."""
    issued = engine.whole(_KEYS).keys.rotate(name, grace_hours=asked.grace_hours)
    reload_keys(request.state.keyring, engine.whole(_KEYS))
    return mapping.issued_key(issued)


@admin.delete("/{tenant}/keys/{name}", responses=problem_responses(403))
def revoke_key(request: Request, engine: TenantEngine, name: KeyName, nothing: Nothing) -> KeySchema:
    """Revoke a key for good; its name is never given again."""
    revoked = engine.whole(_KEYS).keys.revoke(name)
    reload_keys(request.state.keyring, engine.whole(_KEYS))
    return mapping.key(revoked)


@admin.get("/{tenant}/audit", responses=problem_responses(403, 422))
def audit(engine: TenantEngine, asked: Annotated[AuditParameters, Query()]) -> AuditResponse:
    """Read who did what to the tenant, the newest entries first, page by page."""
    return mapping.audit(engine.whole(_AUDIT).audit.list(asked.limit, asked.cursor, key=asked.key, action=asked.action))
