"""Keys that are made while a tenant is at work, and the record of what callers did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pipelines.types.roles import Role


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key without its secret. ``scope`` is empty for the whole tenant; ``expires_at`` None: never."""

    name: str
    role: Role
    scope: Mapping[str, str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key with its secret, which is shown this once and stored nowhere."""

    key: AccessKey
    secret: str


@dataclass(frozen=True, slots=True)
class KeyDigest:
    """What a presented secret is compared with: a SHA-256, and until when it counts (None: no end)."""

    key: AccessKey
    sha256: bytes
    until: datetime | None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what, to what, when, and with what result; never any contents.

    ``key`` is the name of the caller's key, "" for the operator's command line or a tenant without keys. ``result`` is
    "ok" or the code of the error.
    """

    number: int
    at: datetime
    key: str
    address: str
    action: str
    target: str
    result: str
    request_id: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Some of the entries, the newest first, and where the next page begins."""

    entries: tuple[AuditEntry, ...]
    next_cursor: str | None
