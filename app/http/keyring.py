"""The keys of the tenants that a server serves, and what each lets its holder do.

Keys come from the profiles and, while the server runs, from the catalogues: see `app.http.managed_keys`.
"""

from __future__ import annotations

import hmac
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from app.http.errors import Forbidden, Unauthorized
from app.owner import proof
from pipelines.errors import TenantNotFound
from pipelines.profile.schema import Profile
from pipelines.types import Caller, KeyDigest
from pipelines.types.roles import Role

_RANKS: dict[Role, int] = {"reader": 0, "writer": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class Grant:
    """What a key lets its holder do in one tenant.

    ``scope`` is the place in the hierarchy that it is limited to, empty for the whole tenant. Without a key, or with
    that of this machine's command line, ``name`` is "".
    """

    tenant: str
    role: Role
    scope: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    @property
    def description(self) -> str:
        """The role, for messages."""
        return f"{self.role}, limited to a scope" if self.scope else self.role

    def includes(self, role: Role) -> bool:
        """Return whether what ``role`` may do is allowed."""
        return _RANKS[self.role] >= _RANKS[role]

    def name_with(self, user: str | None) -> str | None:
        """Return the key, the user, or both, as they are named in records; None if neither is known."""
        return " / ".join(name for name in (self.name, user) if name) or None

    def caller(self, user: str | None = None) -> Caller:
        """Return the holder as a caller of the core, asking for ``user`` if it names one."""
        return Caller(self.name, user or "", self.role == "admin") if self.name else Caller()


@dataclass(frozen=True, slots=True)
class _Key:
    """A key as it is compared: by its digest, so that neither its length nor its beginning shows in the time.

    ``until``: when it stops to count; None: never. ``managed``: made with `footnote keys`, not in the profile.
    """

    digest: bytes
    grant: Grant
    until: datetime | None = None
    managed: bool = False


class Keyring:
    """The keys of every tenant served.

    A caller without a known key learns nothing: tenants with keys and names that no tenant has both answer 401. One
    with a key of another tenant gets 404 from both.
    """

    def __init__(self, profiles: Iterable[Profile], local_token: str | None = None) -> None:
        """``local_token`` is the key of this machine's command line, an admin of every tenant."""
        served = list(profiles)
        self.tenants = frozenset(profile.tenant for profile in served)
        self._keyed = frozenset(profile.tenant for profile in served if profile.auth.keys)
        self._local_token = local_token
        self._keys = tuple(key for profile in served for key in _keys(profile, local_token))
        self._managed: Mapping[str, tuple[_Key, ...]] = {}
        self._unread: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self.reloading = threading.Lock()
        self._uses: dict[tuple[str, str], datetime] = {}

    @property
    def open_tenants(self) -> frozenset[str]:
        """The tenants that have no keys; one whose keys were all revoked, or have expired, is not open.

        One whose keys cannot be read counts as open beside tenants that all are, and as keyed beside any that is not:
        so it neither locks a server without keys nor opens another one.
        """
        unkeyed = self.tenants - self._keyed - {tenant for tenant, keys in self._managed.items() if keys}
        return unkeyed if unkeyed == self.tenants else unkeyed - self._unread

    def load(self, tenant: str, digests: Iterable[KeyDigest]) -> None:
        """Replace the keys of a tenant that are not in its profile."""
        keys = tuple(_managed_key(tenant, one) for one in digests)
        with self._lock:
            self._managed = {**self._managed, tenant: keys}

    def leave_unread(self, tenant: str) -> None:
        """Note that the keys of a tenant that are not in its profile cannot be read."""
        self._unread |= {tenant}

    @contextmanager
    def uses(self, tenant: str) -> Iterator[dict[str, datetime]]:
        """Take when keys of a tenant that are not in its profile were last used since the last block, by their names.

        They are taken back where the block fails.
        """
        with self._lock:
            taken = {key: moment for key, moment in self._uses.items() if key[0] == tenant}
            for key in taken:
                del self._uses[key]
        try:
            yield {name: moment for (_, name), moment in taken.items()}
        except BaseException:
            with self._lock:
                self._uses = {**taken, **self._uses}  # those of the meantime are later
            raise

    def identify(self, tenant: str, presented: bytes) -> Grant:
        """Return what the key allows in ``tenant``.

        Raises:
            Unauthorized: No known key was presented.
            TenantNotFound: The key is another tenant's, or there is no such tenant.
        """
        if tenant in self.open_tenants:
            return Grant(tenant, "admin")
        matching = self._matching(presented)
        if not matching and self.open_tenants != self.tenants:
            raise Unauthorized
        own = [grant for grant in matching if grant.tenant == tenant]
        if not own:
            raise TenantNotFound(tenant)
        return max(own, key=lambda grant: _RANKS[grant.role])

    def admit(self, tenant: str, presented: bytes, role: Role) -> Grant:
        """Authorize ``role`` on ``tenant``.

        Raises:
            Unauthorized, TenantNotFound: See `identify`.
            Forbidden: The key's role is too small.
        """
        grant = self.identify(tenant, presented)
        if not grant.includes(role):
            raise Forbidden(grant.role, role)
        return grant

    def is_admin(self, tenant: str, presented: bytes) -> bool:
        """Return whether the key may do everything in ``tenant``; anybody may where there are no keys."""
        grants = (grant for grant in self._matching(presented) if grant.tenant == tenant)
        return tenant in self.open_tenants or any(grant.role == "admin" and not grant.scope for grant in grants)

    def is_local(self, presented: bytes) -> bool:
        """Return whether the key is that of this machine's command line."""
        return self._local_token is not None and hmac.compare_digest(presented, self._local_token.encode())

    def readable(self, presented: bytes) -> frozenset[str]:
        """Return the tenants that may be read: those without keys, and those that the key is one of.

        Raises:
            Unauthorized: There are none.
        """
        found = self.open_tenants | self.holdings(presented)
        if not found:
            raise Unauthorized
        return found

    def holdings(self, presented: bytes) -> frozenset[str]:
        """Return the tenants that the key is one of."""
        return frozenset(grant.tenant for grant in self._matching(presented))

    def administered(self, presented: bytes, *, open_too: bool) -> frozenset[str]:
        """Return the tenants whose unscoped admin's key this is; ``open_too``: and those without keys.

        Raises:
            Unauthorized: There are none, and the key is not known.
            Forbidden: There are none, because the key's role is too small or it is limited to a scope.
        """
        matching = self._matching(presented)
        found = {grant.tenant for grant in matching if grant.role == "admin" and not grant.scope}
        if open_too:
            found |= self.open_tenants
        if found:
            return frozenset(found)
        if not matching:
            raise Unauthorized
        raise Forbidden("/".join(sorted({grant.description for grant in matching})), "unscoped admin")

    def proof(self, challenge: str) -> str | None:
        """Proof that this server wrote the record in a data folder; None if it has written none."""
        return None if self._local_token is None else proof(self._local_token, challenge)

    def _matching(self, presented: bytes) -> list[Grant]:
        digest, moment = sha256(presented).digest(), datetime.now(UTC)
        managed = (key for keys in self._managed.values() for key in keys)
        found = [key for key in (*self._keys, *managed) if hmac.compare_digest(key.digest, digest)]
        valid = [key for key in found if key.until is None or key.until > moment]
        used = {(key.grant.tenant, key.grant.name): moment for key in valid if key.managed}
        if used:
            with self._lock:
                self._uses.update(used)
        return [key.grant for key in valid]


def _managed_key(tenant: str, one: KeyDigest) -> _Key:
    grant = Grant(tenant, one.key.role, one.key.scope, one.key.name)
    return _Key(one.sha256, grant, one.until, managed=True)


def _keys(profile: Profile, local_token: str | None) -> Iterator[_Key]:
    for key in profile.auth.keys:
        digest = sha256(key.secret.get_secret_value().encode()).digest()
        yield _Key(digest, Grant(profile.tenant, key.role, key.scope, key.name))
    if local_token is not None:
        yield _Key(sha256(local_token.encode()).digest(), Grant(profile.tenant, "admin"))
