"""The composition root of the HTTP server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated, TypedDict

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, FastAPI, Request, Response
from prometheus_client import CollectorRegistry
from pydantic import BaseModel
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app import __version__, console, openai
from app.contracts import build_contract
from app.http.access_log import AccessLog, writing_access_log
from app.http.admission import Admission, places
from app.http.errors import NotReady
from app.http.headers import SecurityHeaders
from app.http.heads import Heads
from app.http.keyring import Keyring
from app.http.limits import BodyLimits
from app.http.managed_keys import managed_keys, read_closed_keys
from app.http.openapi import documented_app
from app.http.pages import allow_pages
from app.http.problems import install_problems
from app.http.rates import RateLimits
from app.http.routing import AnyTenantRoute, EncodedPaths, add_routes
from app.http.security import LoopbackOnly, presented_key, require_strong_secrets
from app.http.spans import Spans, TracedRequests
from app.http.telemetry import RequestIds
from app.mcp.routes import mcp_app
from app.metrics.counting import EventCounter
from app.metrics.families import RequestFamilies, TenantFamilies, register_admission, register_process
from app.metrics.figures import TenantFigures
from app.metrics.requests import MeasuredRequests
from app.metrics.routes import metrics_route
from app.native.routes import ROUTERS
from app.native.routes.tenants import list_tenants
from app.owner import CHALLENGE, PROOF
from app.reach import is_loopback, require_keys
from app.settings import Settings
from app.tenants import Tenants, open_tenants, require_distinct
from pipelines.engine.upkeep.keys import has_keys
from pipelines.errors import FootnoteError, Problem, ProfileError, StoreUnavailable
from pipelines.events import Observe
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.schema import Profile

_PARSERS = 2  # large bodies that are read at the same time
_READERS = 16  # threads for requests that need no place
_DESCRIPTION = "Documents in, answers out, and every answer with footnotes that can be checked."


class State(TypedDict):
    """What every request finds in its ``state``."""

    tenants: Tenants
    keyring: Keyring
    body_limits: Mapping[str, BodyLimits]
    rates: RateLimits
    contract_docs: Mapping[str, str]
    parsing: CapacityLimiter
    admission: Admission
    standing: TenantFigures


class Health(BaseModel):
    """The answer of a server that is well: ``ok``, ``ready``, or ``degraded`` where a tenant is left out."""

    status: str


def create_app(profiles: Sequence[str | Path | LoadedProfile], settings: Settings) -> FastAPI:
    """Return the application that serves the tenants of ``profiles``; they are opened when it starts.

    Raises:
        ProfileError: A profile cannot be used, two have one tenant, or a key's secret is weak; when it starts, also if
            a tenant has no keys and the host is not loopback.
    """
    loaded = [profile if isinstance(profile, LoadedProfile) else load_profile(profile) for profile in profiles]
    require_distinct(loaded)
    if not settings.weak_keys:
        require_strong_secrets((profile.profile for profile in loaded), settings.host)
    keyring = Keyring((profile.profile for profile in loaded), settings.local_token)
    registry = CollectorRegistry()
    writes = any(profile.profile.llm is not None for profile in loaded)
    processors = os.cpu_count() or 1
    admission = Admission(places(settings.questions_at_once, writes=writes, processors=processors, tenants=len(loaded)))
    register_admission(registry, admission)
    lifespan = _lifespan(loaded, keyring, settings, _observers(loaded, registry), admission)
    spans = Spans(settings.traces)
    app = FastAPI(openapi_url=None, redirect_slashes=False, lifespan=spans.around(lifespan), title="Footnote")
    app.state.api = "server"
    app.add_middleware(Heads)
    if not settings.insecure:
        app.add_middleware(LoopbackOnly, keyring=keyring, origins=settings.origins)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    app.add_middleware(SecurityHeaders)
    if settings.access_log is not None:
        app.add_middleware(AccessLog)
    app.add_middleware(RequestIds)
    if spans.wanted:
        app.add_middleware(TracedRequests, spans=spans)
    app.add_middleware(MeasuredRequests, families=RequestFamilies(registry), tenants=keyring.tenants)
    allow_pages(app, settings.origins)
    install_problems(app)
    app.get("/healthz")(healthz)
    app.get("/readyz")(readyz)
    app.get("/metrics")(metrics_route(registry, settings.metrics_token))
    app.router.add_api_route("/tenants", list_tenants, route_class_override=AnyTenantRoute)
    _mount(app, "/tenants", native_app(), "native")
    _mount(app, "/openai", openai.build(), "openai")
    _mount(app, "/mcp", mcp_app(), "mcp")
    app.router.routes.extend(console.routes(root_is_free=not _is_contract_at_root(loaded)))
    _mount_contracts(app, [profile.profile for profile in loaded])
    return app


def native_app() -> FastAPI:
    """Footnote's own API, to be mounted under ``/tenants``."""
    app = documented_app("Footnote", __version__, _DESCRIPTION)
    app.add_middleware(EncodedPaths)
    install_problems(app)
    add_routes(app, *ROUTERS)
    return app


def _mount(app: FastAPI, path: str, part: FastAPI, api: str) -> None:
    """Let ``part`` answer below ``path``; ``api`` is what the metrics call it."""
    part.state.api = api
    app.mount(path, part)


def contract_paths(profiles: Sequence[Profile]) -> dict[str, str]:
    """Return where each tenant's contract is: below the tenant's name, or at the root where one tenant is served
    alone.
    """
    alone = len(profiles) == 1
    return {profile.tenant: "/" if alone else f"/{profile.tenant}" for profile in profiles if profile.contract}


def contract_docs(profiles: Sequence[Profile]) -> dict[str, str]:
    """Return the pages of each tenant's contract, relative to the server's root."""
    return {tenant: f"{path}/docs".lstrip("/") for tenant, path in contract_paths(profiles).items()}


def _is_contract_at_root(profiles: Sequence[LoadedProfile]) -> bool:
    return "/" in contract_paths([loaded.profile for loaded in profiles]).values()


def _mount_contracts(app: FastAPI, profiles: Sequence[Profile]) -> None:
    paths = contract_paths(profiles)
    for profile in profiles:
        if profile.contract:
            _refuse_taken_path(app, paths[profile.tenant])
            _mount(app, paths[profile.tenant], build_contract(profile.contract, profile), profile.contract)


def _refuse_taken_path(app: FastAPI, path: str) -> None:
    tenant = path.strip("/")
    taken = {str(getattr(route, "path", "")).strip("/").partition("/")[0] for route in app.routes}
    if tenant and tenant in taken:
        message = f'"/{tenant}" is a path of the server itself; serve this tenant alone, or name it otherwise'
        raise ProfileError(tenant, (Problem("tenant", message),))


def _observers(profiles: Sequence[LoadedProfile], registry: CollectorRegistry) -> dict[str, Observe]:
    """Return what counts the work of each tenant."""
    register_process(registry)
    families, served = TenantFamilies(registry), [loaded.profile for loaded in profiles]
    return {profile.tenant: EventCounter(families, profile.tenant, profile.contract or "") for profile in served}


def _lifespan(
    profiles: Sequence[LoadedProfile],
    keyring: Keyring,
    settings: Settings,
    observers: Mapping[str, Observe],
    admission: Admission,
) -> Callable[[FastAPI], AbstractAsyncContextManager[State]]:
    limits = {loaded.profile.tenant: BodyLimits.of(loaded.profile) for loaded in profiles}
    rates = RateLimits(loaded.profile for loaded in profiles)
    docs = contract_docs([loaded.profile for loaded in profiles])

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[State]:
        # Before a tenant is opened and brings its knowledge in.
        if not settings.insecure and not is_loopback(settings.host):
            unlocked = [one.profile.tenant for one in profiles if _is_unlocked(one.profile, settings.data)]
            require_keys(unlocked, settings.host)
        with (
            writing_access_log(settings.access_log),
            open_tenants(profiles, settings.data, observers) as tenants,
            managed_keys(keyring, tenants),
            TenantFigures(tenants) as standing,
        ):
            read_closed_keys(keyring, [one.profile for one in tenants.left_out.values()], settings.data)
            app.state.left_out = frozenset(tenants.left_out)
            if not settings.insecure:
                require_keys(keyring.open_tenants, settings.host)
            parsing = CapacityLimiter(_PARSERS)
            to_thread.current_default_thread_limiter().total_tokens = admission.working + _READERS
            yield State(
                tenants=tenants,
                keyring=keyring,
                body_limits=limits,
                rates=rates,
                contract_docs=docs,
                parsing=parsing,
                admission=admission,
                standing=standing,
            )

    return lifespan


def _is_unlocked(profile: Profile, data: Path) -> bool:
    """Return whether a tenant certainly has no keys; one whose catalogue cannot be read now is looked at again once it
    is open, or is left out.
    """
    try:
        return not has_keys(profile, data)
    except StoreUnavailable:
        return False


async def healthz(request: Request, response: Response) -> Health:
    """Return whether the process is alive; on the event loop, so that busy threads do not make it look dead."""
    keyring: Keyring = request.state.keyring
    challenge = request.headers.get(CHALLENGE)
    if challenge is not None and (answer := keyring.proof(challenge)) is not None:
        response.headers[PROOF] = answer
    return Health(status="ok")


def _tenants(request: Request) -> Tenants:
    tenants: Tenants = request.state.tenants
    return tenants


def readyz(request: Request, tenants: Annotated[Tenants, Depends(_tenants)]) -> Health:
    """Return whether every part of every open tenant answers; an admin of the tenant sees which part does not.

    A tenant whose data could not be opened degrades the server and does not make it unready: it stays left out until
    the next start, and a balancer that took the server away would take the other tenants with it.
    """
    keyring: Keyring = request.state.keyring
    for engine in tenants:
        try:
            engine.check_ready()
        except FootnoteError:
            if keyring.is_admin(engine.tenant, presented_key(request)):
                raise
            raise NotReady from None
    return Health(status="degraded" if tenants.left_out else "ready")
