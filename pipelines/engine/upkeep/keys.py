"""A tenant's keys: those of its profile, and those that are made while it is at work."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import get_args

from pipelines.catalogue.keys import KeyRecords, has_stored_keys, stored_digests
from pipelines.engine.upkeep.backup import CATALOGUE
from pipelines.errors import InvalidRequest, KeyNameTaken, Problem
from pipelines.filters.scopes import place_of
from pipelines.profile.schema import Profile
from pipelines.query.kinds import is_whole
from pipelines.query.requests import checked_id
from pipelines.types import AccessKey, IssuedKey, KeyDigest
from pipelines.types.roles import Role

_MOST_NAME_CHARS = 100
_MOST_DAYS = 3660
_PREFIX = "fn_"
_SECRET_BYTES = 32


class Keys:
    """Makes, lists, revokes and rotates keys; every method raises StoreUnavailable if the database fails.

    A secret has 256 random bits and is returned once; its SHA-256 is stored.
    """

    def __init__(self, records: KeyRecords, profile: Profile) -> None:
        self._records = records
        self._profile = profile

    def create(
        self, name: str, role: Role, *, scope: Mapping[str, str] | None = None, days: int | None = None
    ) -> IssuedKey:
        """Make a key.

        Args:
            name: 1 to 100 printable characters, without a space at its ends; to be found in the
                audit log, and owns conversations.
            role: What it may do.
            scope: The place in the hierarchy that it is limited to; none: the whole tenant.
            days: After how many days it expires; None: never.

        Raises:
            InvalidRequest: One of these cannot be used.
            InvalidScope: ``scope`` names no place.
            KeyNameTaken: There is, or was, a key with this name.
        """
        checked_id("name", name, _MOST_NAME_CHARS)
        if name != name.strip():
            raise InvalidRequest(Problem("name", "must not be blank, nor begin or end with a space"))
        if role not in get_args(Role):
            raise InvalidRequest(Problem("role", f"must be one of {', '.join(get_args(Role))}"))
        if days is not None and not is_whole(days):
            raise InvalidRequest(Problem("days", "must be a whole number"))
        if days is not None and not 1 <= days <= _MOST_DAYS:
            raise InvalidRequest(Problem("days", f"{days} is not between 1 and {_MOST_DAYS}"))
        if any(key.name == name for key in self._profile.auth.keys):
            raise KeyNameTaken(name)
        place = place_of(scope, self._profile.metadata) if scope else None
        expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
        secret = _new_secret()
        held = {} if place is None else dict(place.named)
        return IssuedKey(self._records.create(name, role, held, expires_at, _digest(secret)), secret)

    def list(self) -> tuple[AccessKey, ...]:
        """Return the keys that were made here, the oldest first; those of the profile are not among them."""
        return self._records.list()

    def revoke(self, name: str) -> AccessKey:
        """Revoke a key for good.

        Raises:
            KeyNotFound: No such name, or it is revoked.
        """
        return self._records.revoke(name)

    def rotate(self, name: str, *, grace_hours: int = 0) -> IssuedKey:
        """Give a key a new secret.

        Args:
            name: The key.
            grace_hours: For how long the present secret works, too; at most 720.

        Raises:
            InvalidRequest: ``grace_hours`` is out of bounds.
            KeyNotFound: No such name, or it is revoked.
            KeyExpired: It has expired.
        """
        if not is_whole(grace_hours):
            raise InvalidRequest(Problem("grace_hours", "must be a whole number"))
        if not 0 <= grace_hours <= 720:
            raise InvalidRequest(Problem("grace_hours", f"{grace_hours} is not between 0 and 720"))
        secret = _new_secret()
        return IssuedKey(self._records.rotate(name, _digest(secret), timedelta(hours=grace_hours)), secret)

    def digests(self) -> tuple[KeyDigest, ...]:
        """Return what presented secrets are compared with."""
        return self._records.digests()

    def use(self, last: Mapping[str, datetime]) -> None:
        """Note when keys were last used, by name."""
        self._records.use(last)


def has_keys(profile: Profile, data: Path) -> bool:
    """Return whether a tenant that need not be open has keys, in its profile or made at work.

    Raises:
        StoreUnavailable: The catalogue's database does not answer.
    """
    if profile.auth.keys:
        return True
    url = _catalogue_url(profile, data)
    return url is not None and has_stored_keys(url, profile.tenant)


def key_digests(profile: Profile, data: Path) -> tuple[KeyDigest, ...]:
    """Return what secrets presented to a tenant that is not open are compared with, beside those of its profile.

    Raises:
        StoreUnavailable: The catalogue's database cannot be read.
    """
    url = _catalogue_url(profile, data)
    return () if url is None else stored_digests(url, profile.tenant)


def _catalogue_url(profile: Profile, data: Path) -> str | None:
    """Return where a tenant's catalogue is; None where there is none yet."""
    if profile.catalogue.url is not None:
        return profile.catalogue.url.get_secret_value()
    file = data / profile.tenant / CATALOGUE
    return f"sqlite:///{file}" if file.is_file() else None


def _new_secret() -> str:
    return _PREFIX + secrets.token_urlsafe(_SECRET_BYTES)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
