"""Routes that ask for a key before they read a byte, and read bodies strictly."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from email.message import Message
from functools import partial
from typing import Any, TypeVar

from anyio import CancelScope, CapacityLimiter, to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.admission import Admission, Work, work_of
from app.http.auditing import Outcome, is_audited, watched, write_entry
from app.http.errors import EncodedBody, Forbidden, MalformedRequest
from app.http.keyring import Grant, Keyring
from app.http.limits import BodyKind, BodyLimit, BodyLimits, limited
from app.http.rates import RateLimits
from app.http.security import presented_key
from app.http.streaming import EventStream
from app.http.strict_json import parse_json
from app.tenants import Tenants
from pipelines import Engine, TenantReader
from pipelines.errors import Problem
from pipelines.types.roles import Role

PARSED_AT_ONCE = 64 * 1024  # bytes of JSON that are read on the event loop; more is read in a thread
Handle = Callable[[Request], Coroutine[Any, Any, Response]]
Parsed = TypeVar("Parsed")


class _AnyPath(PathConvertor):
    """The rest of a path, whatever it holds: in Starlette's own a line feed ends the match."""

    regex = r"[\s\S]*"


register_url_convertor("path", _AnyPath())


def add_routes(app: FastAPI, *routers: APIRouter) -> None:
    """Let an application answer the routes of routers as they are.

    FastAPI's own ``include_router`` builds each of them again, at the first request that an application gets.
    """
    for router in routers:
        app.router.routes.extend(router.routes)


class StrictRequest(Request):
    """A request whose body is bounded, and whose JSON is read strictly.

    Raises:
        EncodedBody: The body is compressed, when it is read.
        RequestTooLarge: The body is over the limit, when it is read.
        MalformedRequest, InvalidJson: The body is not JSON, when it is read as such.
    """

    def __init__(self, request: Request, body_limit: BodyLimit, json_limit: BodyLimit) -> None:
        super().__init__(request.scope, request.receive)
        self._is_json = is_json(self.headers.get("content-type", ""))
        self._body_limit = json_limit if self._is_json and json_limit.most < body_limit.most else body_limit

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The body's chunks, up to the limit."""
        if self.headers.get("content-encoding", "").strip().lower() not in ("", "identity"):
            raise EncodedBody
        async for chunk in limited(super().stream(), self._body_limit, self.headers.get("content-length")):
            yield chunk

    async def json(self) -> Any:
        """Return the body's value."""
        if not hasattr(self, "_parsed"):
            if not self._is_json:
                raise MalformedRequest(Problem("", "send JSON, with the header Content-Type: application/json"))
            self._parsed = await self._parse(await self.body())
        return self._parsed

    async def _parse(self, body: bytes) -> Any:
        if len(body) <= PARSED_AT_ONCE:
            return parse_json(body)
        return await parsed_apart(self, parse_json, body)


class EncodedPaths:
    """Middleware that keeps paths as they were sent: ``%2F`` in an id stays distinct from ``/`` between segments.

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
    """Return the media type that a Content-Type header names, without its parameters; empty where it names none."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_type() if content_type else ""


async def parsed_apart(request: Request, parse: Callable[[Any], Parsed], raw: Any) -> Parsed:
    """Return what ``parse`` makes of ``raw`` in a thread, few of which run at the same time."""
    parsing: CapacityLimiter = request.state.parsing
    return await to_thread.run_sync(parse, raw, limiter=parsing)


def is_json(content_type: str) -> bool:
    """Return whether a Content-Type header names JSON."""
    kind = media_type(content_type)
    return kind == "application/json" or kind.endswith("+json")


def served_tenant(request: Request) -> str:
    """Return the tenant that a request is for: the one in its path, or the only one of a contract's application."""
    return str(request.path_params.get("tenant") or request.app.state.tenant)


async def keyed_engine(request: Request) -> TenantReader:
    """Return the tenant as it is for the key that was presented: routes have no other way to it."""
    return _limited_engine(request, request.state.grant)


async def granted(request: Request) -> Grant:
    """Return what the key that was presented allows."""
    grant: Grant = request.state.grant
    return grant


def has_role(request: Request, role: Role) -> bool:
    """Return whether the key that was presented allows more than its route asks for, up to ``role``."""
    grant: Grant = request.state.grant
    return grant.includes(role)


async def readable_engine(request: Request, tenant: str) -> TenantReader:
    """Return a tenant, named in the body of a request, as it is for the key that was presented.

    Raises:
        TenantNotFound: The key is another tenant's, or there is no such tenant.
        TooManyRequests: The caller has asked it as often as it may for now.
    """
    keyring: Keyring = request.state.keyring
    request.state.grant = grant = keyring.admit(tenant, presented_key(request), "reader")
    request.state.tenant = tenant
    rates: RateLimits = request.state.rates
    await rates.admit(tenant, request)
    return _limited_engine(request, grant)


def _limited_engine(request: Request, grant: Grant) -> TenantReader:
    engine: Engine = request.state.tenants.engine(grant.tenant)
    return engine.within(grant.scope) if grant.scope else engine


async def _audited(request: Request, grant: Grant, action: str, answer: Coroutine[Any, Any, Response]) -> Response:
    seen = Outcome()
    try:
        with watched(seen):
            return await answer
    finally:
        with CancelScope(shield=True):  # also when the caller leaves
            await to_thread.run_sync(write_entry, request, grant, action, seen)


def guarded(role: Role, body: BodyKind | None = None) -> type[APIRoute]:
    """Return the class of routes that ask for a key of ``role`` for the tenant that they are for.

    ``body`` says what a request may bring: by default readers ask, and others bring documents.

    FastAPI reads a body before it looks at dependencies, so the key is asked for here: a caller without one makes
    the server neither read nor parse anything. ``request.state.grant`` is what the key allows.
    """

    kind: BodyKind = body or ("asking" if role == "reader" else "bringing")

    class GuardedRoute(APIRoute):
        needed_role = role

        def get_route_handler(self) -> Handle:
            handle = super().get_route_handler()

            async def guarded_handle(request: Request) -> Response:
                tenant = served_tenant(request)
                keyring: Keyring = request.state.keyring
                rates: RateLimits = request.state.rates
                with rates.failures(request):
                    grant = keyring.identify(tenant, presented_key(request))
                request.state.grant = grant
                tenants: Tenants = request.state.tenants
                tenants.require_open(tenant)  # whatever is asked, and before the audit log is written
                if not grant.includes(role):
                    refused = Forbidden(grant.role, role)
                    await to_thread.run_sync(write_entry, request, grant, self.name, Outcome(refused.code))
                    raise refused
                await rates.admit(tenant, request, image=kind == "looking")
                limits: BodyLimits = request.state.body_limits[tenant]
                strict = StrictRequest(request, limits.of_kind(kind), limits.json)
                work = work_of(request.method, role, kind)
                answer = partial(_answered, work, tenant, self, handle, strict)
                if not is_audited(self.name, request.method, role, grant):
                    return await answer()
                return await _audited(request, grant, self.name, answer())

            return guarded_handle

    return GuardedRoute


class AnyTenantRoute(APIRoute):
    """A route for callers who may read some tenant: its body names which, or it is about all of them.

    ``request.state.readable`` are their names.
    """

    def get_route_handler(self) -> Handle:
        """Ask for a key before a body is read; see `guarded`."""
        handle = super().get_route_handler()

        async def keyed_handle(request: Request) -> Response:
            keyring: Keyring = request.state.keyring
            rates: RateLimits = request.state.rates
            with rates.failures(request):
                request.state.readable = keyring.readable(presented_key(request))
            limits: Mapping[str, BodyLimits] = request.state.body_limits
            largest = max(limits[tenant].asking for tenant in request.state.readable)
            work = work_of(request.method, "reader", "asking")
            tenants = ",".join(sorted(request.state.readable))  # which of them is in the body, which is not read yet
            return await _answered(work, tenants, self, handle, StrictRequest(request, largest, largest))

        return keyed_handle


async def _answered(
    work: Work | None, tenant: str, route: APIRoute, handle: Handle, request: StrictRequest
) -> Response:
    """Answer a request once there is a place for it; a stream keeps its place until it ends."""
    if work is None:
        return await _read_strictly(route, handle, request)
    admission: Admission = request.state.admission
    leave = await admission.rooms[work].enter(tenant)
    response = None
    try:
        response = await _read_strictly(route, handle, request)
    finally:
        if not isinstance(response, EventStream):
            leave()
    if isinstance(response, EventStream):
        response.at_end = leave
    return response


async def _read_strictly(route: APIRoute, handle: Handle, request: StrictRequest) -> Response:
    if route.body_field is not None:
        await request.json()
    return await handle(request)
