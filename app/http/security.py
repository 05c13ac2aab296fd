"""How keys are presented, and the guard of servers whose tenants have no keys."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.errors import ForeignCaller
from app.http.failures import failure_response
from app.http.keyring import Keyring
from app.owner import LOCAL_KEY
from app.reach import is_loopback
from pipelines.errors import Problem, ProfileError
from pipelines.profile.schema import Profile

_LEAST_CHARS, _LEAST_DIFFERENT = 20, 8
_LEAST_CHARS_HERE, _LEAST_DIFFERENT_HERE = 6, 4  # where only this machine can try
_WEAK = (
    "is easily guessed; use at least 20 characters, at random: `openssl rand -hex 32` prints some, and "
    "`footnote keys create` makes a key without the profile; --allow-weak-keys starts the server until that is done"
)
_log = logging.getLogger(__name__)


def presented_key(request: Request) -> bytes:
    """Return the key that a request brings, as the bytes that were sent; empty where it brings none.

    The key of this machine's command line counts as none where it comes from another machine.
    """
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    key = credentials.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key", "")
    if key.startswith(LOCAL_KEY) and not _is_from_here(request):
        return b""
    return key.encode("latin-1")


def _is_from_here(request: Request) -> bool:
    """Return whether a request comes from this machine: by the loopback interface, or from the address that it went
    to.
    """
    server = request.scope.get("server")
    if request.client is None:
        return False
    return is_loopback(request.client.host) or (server is not None and request.client.host == server[0])


def require_strong_secrets(profiles: Iterable[Profile], host: str) -> None:
    """Refuse secrets that can be guessed: shorter than 20 characters, or of fewer than 8 different ones.

    If ``host`` is loopback, secrets of 6 characters, 4 of them different, are accepted with a warning in the log.

    Raises:
        ProfileError: A profile has such a secret.
    """
    least = (_LEAST_CHARS_HERE, _LEAST_DIFFERENT_HERE) if is_loopback(host) else (_LEAST_CHARS, _LEAST_DIFFERENT)
    for profile in profiles:
        secrets = [key.secret.get_secret_value() for key in profile.auth.keys]
        problems = [
            Problem(f"auth -> keys -> {number} -> secret", _WEAK)
            for number, secret in enumerate(secrets)
            if _is_weaker(secret, *least)
        ]
        if problems:
            raise ProfileError(profile.tenant, tuple(problems))
        for number, secret in enumerate(secrets):
            if _is_weaker(secret, _LEAST_CHARS, _LEAST_DIFFERENT):
                _log.warning("tenant %s: the secret of auth -> keys -> %d %s", profile.tenant, number, _WEAK)


def _is_weaker(secret: str, least_chars: int, least_different: int) -> bool:
    return len(secret) < least_chars or len(set(secret)) < least_different


class LoopbackOnly:
    """Middleware that answers only what is addressed to this machine, by this machine's own pages and by ``origins``.

    Where no key is asked for, a page of another site could otherwise reach a tenant through its visitor's browser: by
    a name that it lets point here (the Host header tells), or by a form that needs no permission (the Origin tells).
    """

    def __init__(self, app: ASGIApp, keyring: Keyring, origins: Collection[str] = ()) -> None:
        self._app = app
        self._keyring = keyring
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        guarded = scope["type"] == "http" and self._keyring.open_tenants
        foreign = _foreign_header(Headers(scope=scope), self._origins) if guarded else None
        if foreign is None:
            await self._app(scope, receive, send)
            return
        request = Request({**scope, "app": _asked_app(scope)})
        await failure_response(request, ForeignCaller(foreign))(scope, receive, send)


def _asked_app(scope: Scope) -> ASGIApp:
    """Return the application that a request is for, which refuses it in its own shape: one that is mounted, or the
    server.
    """
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
