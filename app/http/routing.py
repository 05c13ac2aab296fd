"""Routes that ask for a key before they read a byte, and read bodies strictly."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from email.message import Message
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.errors import MalformedRequest
from app.http.limits import BodyKind, BodyLimits, limited
from app.http.rates import RateLimits
from app.http.security import HeldTo, Keyring, presented_key
from app.http.strict_json import parse_json
from pipelines import Engine, ScopedEngine
from pipelines.errors import Problem
from pipelines.profile.schema import Role

Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class _AnyPath(PathConvertor):
    """The rest of a path, whatever it holds: in Starlette's own a line feed ends the match."""

    regex = r"[\s\S]*"


register_url_convertor("path", _AnyPath())


class StrictRequest(Request):
    """A request whose body is bounded, and whose JSON is read strictly.

    Raises:
        RequestTooLarge: The body is over the limit, when it is read.
        MalformedRequest, InvalidJson: The body is not JSON, when it is read as such.
    """

    def __init__(self, request: Request, body_limit: int) -> None:
        super().__init__(request.scope, request.receive)
        self._body_limit = body_limit

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The body's chunks, up to the limit."""
        async for chunk in limited(super().stream(), self._body_limit, self.headers.get("content-length")):
            yield chunk

    async def json(self) -> Any:
        """The body's value."""
        if not hasattr(self, "_parsed"):
            kind = media_type(self.headers.get("content-type", ""))
            if kind != "application/json" and not kind.endswith("+json"):
                raise MalformedRequest(Problem("", "send JSON, with the header Content-Type: application/json"))
            self._parsed = parse_json(await self.body())
        return self._parsed


class EncodedPaths:
    """Middleware that leaves paths as they were sent, so that ``%2F`` in an id is told from ``/`` between segments.

    Parameters of a path come percent-encoded to the routes below it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request under its path as it was sent."""
        if scope["type"] == "http":
            scope["path"] = scope["raw_path"].decode("latin-1")  # in place: who counts requests reads the route from it
        await self._app(scope, receive, send)


def media_type(content_type: str) -> str:
    """The media type that a Content-Type header names, without its parameters; empty where it names none."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_type() if content_type else ""


def served_tenant(request: Request) -> str:
    """The tenant that a request is for: the one in its path, or the only one of a contract's application."""
    return str(request.path_params.get("tenant") or request.app.state.tenant)


async def keyed_engine(request: Request) -> Engine | ScopedEngine:
    """The tenant as it is for the key that was presented: routes have no other way to it."""
    return _held(request, served_tenant(request), request.state.held_to)


def readable_engine(request: Request, tenant: str) -> Engine | ScopedEngine:
    """A tenant, named in the body of a request, as it is for the key that was presented.

    Raises:
        TenantNotFound: The key is another tenant's, or there is no such tenant.
        TooManyRequests: The caller has asked it as often as it may for now.
    """
    keyring: Keyring = request.state.keyring
    held_to = keyring.admit(tenant, presented_key(request), "reader")
    request.state.tenant = tenant
    rates: RateLimits = request.state.rates
    rates.count(tenant, request)
    return _held(request, tenant, held_to)


def _held(request: Request, tenant: str, held_to: HeldTo) -> Engine | ScopedEngine:
    engine: Engine = request.state.tenants.engine(tenant)
    return engine.within(held_to) if held_to else engine


def guarded(role: Role, body: BodyKind | None = None) -> type[APIRoute]:
    """The class of routes that ask for a key of ``role`` for the tenant that they are for.

    ``body`` says what a request may bring: by default readers ask, and others bring documents.

    FastAPI reads a body before it looks at dependencies, so that the key is asked for here: whoever has none makes
    the server neither read nor parse anything. ``request.state.held_to`` is the scope that the key is held to.
    """

    kind: BodyKind = body or ("asking" if role == "reader" else "bringing")

    class GuardedRoute(APIRoute):
        def get_route_handler(self) -> Handle:
            handle = super().get_route_handler()

            async def guarded_handle(request: Request) -> Response:
                tenant = served_tenant(request)
                keyring: Keyring = request.state.keyring
                request.state.held_to = keyring.admit(tenant, presented_key(request), role)
                rates: RateLimits = request.state.rates
                rates.count(tenant, request)
                limits: BodyLimits = request.state.body_limits[tenant]
                return await _read_strictly(self, handle, StrictRequest(request, limits.of_kind(kind)))

            return guarded_handle

    return GuardedRoute


class AnyTenantRoute(APIRoute):
    """A route for whoever may read some tenant: its body names which, or it is about all of them.

    ``request.state.readable`` are their names.
    """

    def get_route_handler(self) -> Handle:
        """Asks for a key before a body is read; see `guarded`."""
        handle = super().get_route_handler()

        async def keyed_handle(request: Request) -> Response:
            keyring: Keyring = request.state.keyring
            request.state.readable = keyring.readable(presented_key(request))
            limits: Mapping[str, BodyLimits] = request.state.body_limits
            largest = max(limits[tenant].asking for tenant in request.state.readable)
            return await _read_strictly(self, handle, StrictRequest(request, largest))

        return keyed_handle


async def _read_strictly(route: APIRoute, handle: Handle, request: StrictRequest) -> Response:
    if route.body_field is not None:
        await request.json()
    return await handle(request)
