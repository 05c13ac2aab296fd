"""The composition root of the HTTP server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from prometheus_client import CollectorRegistry
from pydantic import BaseModel

from app import __version__, openai
from app.contracts import CONTRACTS
from app.http.index import index_page
from app.http.limits import BodyLimits
from app.http.openapi import documented_app
from app.http.pages import let_pages_read
from app.http.problems import install_problems
from app.http.rates import RateLimits
from app.http.routing import EncodedPaths
from app.http.security import Keyring, LoopbackOnly, require_keys
from app.http.telemetry import RequestIds
from app.mcp.routes import mcp_app
from app.metrics.counting import Counting
from app.metrics.families import RequestFamilies, TenantFamilies, register_process
from app.metrics.figures import Standing
from app.metrics.requests import MeasuredRequests
from app.metrics.routes import metrics_route
from app.native.routes import ROUTERS
from app.owner import CHALLENGE, PROOF
from app.settings import Settings
from app.tenants import Tenants, open_tenants, require_distinct
from pipelines.errors import Problem, ProfileError
from pipelines.observing import Observe
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.schema import Profile

_DESCRIPTION = "Documents in, answers out, and every answer with footnotes that can be checked."


class State(TypedDict):
    """What every request finds in its ``state``."""

    tenants: Tenants
    keyring: Keyring
    body_limits: Mapping[str, BodyLimits]
    rates: RateLimits
    standing: Standing


class Health(BaseModel):
    """The answer of a server that is well."""

    status: str


def create_app(profiles: Sequence[str | Path | LoadedProfile], settings: Settings) -> FastAPI:
    """The application that serves the tenants of ``profiles``; they are opened when it starts.

    Raises:
        ProfileError: A profile cannot be used, two have one tenant, or one has no keys and the host is not loopback.
    """
    loaded = [profile if isinstance(profile, LoadedProfile) else load_profile(profile) for profile in profiles]
    require_distinct(loaded)
    if not settings.insecure:
        require_keys((profile.profile for profile in loaded), settings.host)
    keyring = Keyring((profile.profile for profile in loaded), settings.local_token)
    registry = CollectorRegistry()
    lifespan = _lifespan(loaded, keyring, settings, _observers(loaded, registry))
    app = FastAPI(openapi_url=None, redirect_slashes=False, lifespan=lifespan, title="Footnote")
    app.state.api = "server"
    if keyring.open_tenants and not settings.insecure:
        app.add_middleware(LoopbackOnly, origins=settings.origins)
    app.add_middleware(RequestIds)
    app.add_middleware(MeasuredRequests, families=RequestFamilies(registry), tenants=keyring.tenants)
    let_pages_read(app, settings.origins)
    install_problems(app)
    app.get("/healthz")(healthz)
    app.get("/readyz")(readyz)
    app.get("/metrics")(metrics_route(registry, settings.metrics_token))
    _mount(app, "/tenants", native_app(), "native")
    _mount(app, "/openai", openai.build(), "openai")
    _mount(app, "/mcp", mcp_app(), "mcp")
    _mount_contracts(app, [profile.profile for profile in loaded])
    return app


def native_app() -> FastAPI:
    """Footnote's own API, to be mounted under ``/tenants``."""
    app = documented_app("Footnote", __version__, _DESCRIPTION)
    app.add_middleware(EncodedPaths)
    install_problems(app)
    for router in ROUTERS:
        app.include_router(router)
    return app


def _mount(app: FastAPI, path: str, part: FastAPI, api: str) -> None:
    """Lets ``part`` answer below ``path``; ``api`` is what the metrics call it."""
    part.state.api = api
    app.mount(path, part)


def contract_paths(profiles: Sequence[Profile]) -> dict[str, str]:
    """Where each tenant's contract is: below the tenant's name, or at the root where one tenant is served alone."""
    alone = len(profiles) == 1
    return {profile.tenant: "/" if alone else f"/{profile.tenant}" for profile in profiles if profile.contract}


def _mount_contracts(app: FastAPI, profiles: Sequence[Profile]) -> None:
    paths = contract_paths(profiles)
    for profile in profiles:
        if profile.contract:
            _refuse_taken_path(app, paths[profile.tenant])
            _mount(app, paths[profile.tenant], CONTRACTS[profile.contract](profile), profile.contract)
    if "/" not in paths.values():
        app.get("/", response_class=HTMLResponse)(partial(index_page, tuple(profiles)))


def _refuse_taken_path(app: FastAPI, path: str) -> None:
    tenant = path.strip("/")
    taken = {str(getattr(route, "path", "")).strip("/").partition("/")[0] for route in app.routes}
    if tenant in taken:
        message = f'"/{tenant}" is a path of the server itself; serve this tenant alone, or name it otherwise'
        raise ProfileError(tenant, (Problem("tenant", message),))


def _observers(profiles: Sequence[LoadedProfile], registry: CollectorRegistry) -> dict[str, Observe]:
    """What counts the work of each tenant."""
    register_process(registry)
    families, served = TenantFamilies(registry), [loaded.profile for loaded in profiles]
    return {profile.tenant: Counting(families, profile.tenant, profile.contract or "") for profile in served}


def _lifespan(
    profiles: Sequence[LoadedProfile], keyring: Keyring, settings: Settings, observers: Mapping[str, Observe]
) -> Callable[[FastAPI], AbstractAsyncContextManager[State]]:
    limits = {loaded.profile.tenant: BodyLimits.of(loaded.profile) for loaded in profiles}
    rates = RateLimits(loaded.profile for loaded in profiles)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[State]:
        with open_tenants(profiles, settings.data, observers) as tenants, Standing(tenants) as standing:
            yield State(tenants=tenants, keyring=keyring, body_limits=limits, rates=rates, standing=standing)

    return lifespan


async def healthz(request: Request, response: Response) -> Health:
    """Whether the process is alive; on the event loop, so that busy threads do not make it look dead."""
    keyring: Keyring = request.state.keyring
    challenge = request.headers.get(CHALLENGE)
    if challenge is not None and (answer := keyring.proof(challenge)) is not None:
        response.headers[PROOF] = answer
    return Health(status="ok")


def _tenants(request: Request) -> Tenants:
    tenants: Tenants = request.state.tenants
    return tenants


def readyz(tenants: Annotated[Tenants, Depends(_tenants)]) -> Health:
    """Whether every part of every tenant answers; the problem's code names the part that does not."""
    for engine in tenants:
        engine.check_ready()
    return Health(status="ready")
