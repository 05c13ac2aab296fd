"""Shapes of keys and of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.http.validation import StrictBody, StrictModel
from app.native.schemas.base import Cursor, Limit, ParameterText, Shape
from pipelines.types.roles import Role

KeyState = Literal["active", "expired", "revoked"]
Days = Annotated[int, Field(ge=1, le=3660, description="days after which it expires; none: never")]


class KeyRequest(StrictBody):
    """A key to make."""

    name: str = Field(min_length=1, max_length=100, examples=["ann"])
    role: Role = Field(description="reader < writer < admin")
    scope: dict[str, str] | None = Field(default=None, description="place in the hierarchy that it is limited to")
    days: Days | None = None


class RotateRequest(StrictBody):
    """How to give a key a new secret."""

    grace_hours: int = Field(default=0, ge=0, le=720, description="hours for which the present secret works, too")


class KeySchema(Shape):
    """A key, without its secret."""

    name: str
    role: Role
    scope: dict[str, str]
    state: KeyState
    in_profile: bool = Field(description="it is in the profile, and changed there")
    created_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class IssuedKeySchema(KeySchema):
    """A key with its secret, which is shown this once."""

    secret: str


class KeysResponse(Shape):
    """The keys of a tenant."""

    keys: list[KeySchema]


class AuditParameters(StrictModel):
    """Query parameters of the audit log."""

    limit: Limit = 100
    cursor: Cursor | None = None
    key: ParameterText | None = Field(default=None, description="only what was done with the key of this name")
    action: ParameterText | None = Field(default=None, description="only this action", examples=["delete_document"])


class AuditEntrySchema(Shape):
    """Who did what, to what, when, and with what result."""

    number: int
    at: datetime
    key: str = Field(description="name of the key; empty: the operator's command line, or a tenant without keys")
    address: str
    action: str
    target: str = Field(description="ids of what it was done to")
    result: str = Field(description="ok, or the code of the error")
    request_id: str


class AuditResponse(Shape):
    """A page of the audit log, the newest entries first."""

    entries: list[AuditEntrySchema]
    next_cursor: str | None
