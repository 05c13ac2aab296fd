"""Who may do what: keys and roles of the tenants, and the guard of servers whose tenants have no keys."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from fastapi import Depends
from fastapi.security import APIKeyHeader, HTTPBearer
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.errors import Forbidden, ForeignCaller, Unauthorized
from app.http.failures import failure_response
from app.owner import LOCAL_KEY, proof
from pipelines.errors import Problem, ProfileError, TenantNotFound
from pipelines.profile.schema import Profile, Role

# The key is asked for before a body is read (`app.http.routing`); these tell the documentation how it is sent.
KEY_SCHEMES = [Depends(HTTPBearer(auto_error=False)), Depends(APIKeyHeader(name="X-API-Key", auto_error=False))]
HeldTo = Mapping[str, str]
"""The place in a tenant's hierarchy that a key is held to; empty where it is held to none."""
_RANKS: dict[Role, int] = {"reader": 0, "writer": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key as it is compared: by its digest, so that neither its length nor its beginning shows in the time."""

    tenant: str
    role: Role
    digest: bytes
    scope: HeldTo
    name: str | None = None


class Keyring:
    """The keys of every tenant served.

    A caller without a known key learns nothing: tenants with keys and names that no tenant has both answer 401. One
    with a key of another tenant gets 404 from both.
    """

    def __init__(self, profiles: Iterable[Profile], local_token: str | None = None) -> None:
        """``local_token`` is the key of this machine's command line, an admin of every tenant."""
        served = list(profiles)
        self.tenants = frozenset(profile.tenant for profile in served)
        self.open_tenants = frozenset(profile.tenant for profile in served if not profile.auth.keys)
        self._has_keys = any(profile.auth.keys for profile in served)
        self._local_token = local_token
        self._entries = tuple(entry for profile in served for entry in _entries(profile, local_token))

    def admit(self, tenant: str, presented: bytes, role: Role) -> HeldTo:
        """Lets pass who may act in ``role`` on ``tenant``; gives the scope that the key is held to, empty for none.

        Raises:
            Unauthorized: No known key was presented.
            TenantNotFound: The key is another tenant's, or there is no such tenant.
            Forbidden: The key's role is too small.
        """
        if tenant in self.open_tenants:
            return {}
        matching = self._matching(presented)
        if not matching and self._has_keys:
            raise Unauthorized
        own = [entry for entry in matching if entry.tenant == tenant]
        if not own:
            raise TenantNotFound(tenant)
        best = max(own, key=lambda entry: _RANKS[entry.role])
        if _RANKS[best.role] < _RANKS[role]:
            raise Forbidden(best.role, role)
        return best.scope

    def name_of(self, tenant: str, presented: bytes) -> str | None:
        """The name of a tenant's key; None where it has none, or where it is this machine's command line's."""
        return next((entry.name for entry in self._matching(presented) if entry.tenant == tenant), None)

    def readable(self, presented: bytes) -> frozenset[str]:
        """The tenants that may be read: those without keys, and those that the key is one of.

        Raises:
            Unauthorized: There are none.
        """
        found = self.open_tenants | {entry.tenant for entry in self._matching(presented)}
        if not found:
            raise Unauthorized
        return found

    def administered(self, presented: bytes, *, open_too: bool) -> frozenset[str]:
        """The tenants whose admin's key this is, one that is held to no scope; ``open_too``: and those without keys.

        Raises:
            Unauthorized: There are none, and the key is not known.
            Forbidden: There are none, for the key's role is too small, or it is held to a scope.
        """
        matching = self._matching(presented)
        found = {entry.tenant for entry in matching if entry.role == "admin" and not entry.scope}
        if open_too:
            found |= self.open_tenants
        if found:
            return frozenset(found)
        if not matching:
            raise Unauthorized
        raise Forbidden("/".join(sorted({_described(entry) for entry in matching})), "admin, held to no scope")

    def proof(self, challenge: str) -> str | None:
        """The answer to who asks whether this server wrote the record in a data folder; None where there is none."""
        return None if self._local_token is None else proof(self._local_token, challenge)

    def _matching(self, presented: bytes) -> list[_Entry]:
        digest = sha256(presented).digest()
        return [entry for entry in self._entries if hmac.compare_digest(entry.digest, digest)]


def _entries(profile: Profile, local_token: str | None) -> Iterator[_Entry]:
    for key in profile.auth.keys:
        digest = sha256(key.secret.get_secret_value().encode()).digest()
        yield _Entry(profile.tenant, key.role, digest, key.scope, key.name)
    if local_token is not None:
        yield _Entry(profile.tenant, "admin", sha256(local_token.encode()).digest(), {})


def _described(entry: _Entry) -> str:
    return f"{entry.role}, held to a scope" if entry.scope else entry.role


def presented_key(request: Request) -> bytes:
    """The key that a request brings, as the bytes that were sent; empty where it brings none.

    The key of this machine's command line counts as none where it comes from another machine.
    """
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    key = credentials.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key", "")
    if key.startswith(LOCAL_KEY) and not _is_from_here(request):
        return b""
    return key.encode("latin-1")


def _is_from_here(request: Request) -> bool:
    """Whether a request comes from this machine: by the loopback interface, or from the address that it went to."""
    server = request.scope.get("server")
    if request.client is None:
        return False
    return is_loopback(request.client.host) or (server is not None and request.client.host == server[0])


def is_loopback(host: str) -> bool:
    """Whether a name or address can only mean this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_keys(profiles: Iterable[Profile], host: str) -> None:
    """Refuses to let tenants without keys be reached from other machines.

    Raises:
        ProfileError: ``host`` is not a loopback address, and a profile has no keys.
    """
    for profile in profiles:
        if not profile.auth.keys and not is_loopback(host):
            message = f"there are none, and {host} can be reached from other machines; add keys, or say --insecure"
            raise ProfileError(profile.tenant, (Problem("auth -> keys", message),))


class LoopbackOnly:
    """Middleware that answers only what is addressed to this machine, by this machine's own pages and by ``origins``.

    Where no key is asked for, a page of another site could otherwise reach a tenant through its visitor's browser: by
    a name that it lets point here (the Host header tells), or by a form that needs no permission (the Origin tells).
    """

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        foreign = _foreign_header(Headers(scope=scope), self._origins) if scope["type"] == "http" else None
        if foreign is None:
            await self._app(scope, receive, send)
            return
        request = Request({**scope, "app": _asked_app(scope)})
        await failure_response(request, ForeignCaller(foreign))(scope, receive, send)


def _asked_app(scope: Scope) -> ASGIApp:
    """The application that a request is for, which refuses it in its own shape: one that is mounted, or the server."""
    server: Starlette = scope["app"]
    for route in server.routes:
        if route.matches(scope)[0] is Match.FULL:
            return route.app if isinstance(route, Mount) else server
    return server


def _foreign_header(headers: Headers, origins: Collection[str]) -> str | None:
    if not is_loopback(_host_of(f"//{headers.get('host', '')}")):
        return "Host"
    origin = headers.get("origin")
    if origin is None or origin in origins or is_loopback(_host_of(origin)):
        return None
    return "Origin"


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
