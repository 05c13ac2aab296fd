"""Keys and the audit log in the wire's shapes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from app.native.schemas.keys import AuditResponse, IssuedKeySchema, KeySchema, KeysResponse, KeyState
from pipelines.profile.schema import Profile
from pipelines.profile.sections.access import Key
from pipelines.types import AccessKey, AuditPage, IssuedKey


def keys(profile: Profile, made: Iterable[AccessKey]) -> KeysResponse:
    """Return the keys of the profile, and those that were made at work."""
    return KeysResponse(keys=[*map(_profile_key, profile.auth.keys), *map(key, made)])


def key(made: AccessKey) -> KeySchema:
    """Return a key that was made at work."""
    return KeySchema(
        name=made.name,
        role=made.role,
        scope=dict(made.scope),
        state=_state(made),
        in_profile=False,
        created_at=made.created_at,
        expires_at=made.expires_at,
        revoked_at=made.revoked_at,
        last_used_at=made.last_used_at,
    )


def issued_key(issued: IssuedKey) -> IssuedKeySchema:
    """Return a key with its secret."""
    return IssuedKeySchema(**key(issued.key).model_dump(), secret=issued.secret)


def audit(page: AuditPage) -> AuditResponse:
    """Return a page of the audit log."""
    return AuditResponse.model_validate(page)


def _profile_key(one: Key) -> KeySchema:
    return KeySchema(
        name=one.name,
        role=one.role,
        scope=one.scope,
        state="active",
        in_profile=True,
        created_at=None,
        expires_at=None,
        revoked_at=None,
        last_used_at=None,
    )


def _state(made: AccessKey) -> KeyState:
    if made.revoked_at is not None:
        return "revoked"
    expired = made.expires_at is not None and made.expires_at <= datetime.now(UTC)
    return "expired" if expired else "active"
