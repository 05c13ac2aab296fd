"""The composition root of the HTTP server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from app import __version__, openai
from app.contracts import CONTRACTS
from app.http.index import index_page
from app.http.limits import BodyLimits
from app.http.openapi import documented_app
from app.http.problems import install_problems
from app.http.rates import RateLimits
from app.http.routing import EncodedPaths
from app.http.security import Keyring, LoopbackOnly, require_keys
from app.http.telemetry import RequestIds
from app.mcp.routes import mcp_app
from app.native.routes import ROUTERS
from app.owner import CHALLENGE, PROOF
from app.settings import Settings
from app.tenants import Tenants, open_tenants, require_distinct
from pipelines.errors import Problem, ProfileError
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.schema import Profile

_DESCRIPTION = "Documents in, answers out, and every answer with footnotes that can be checked."


class State(TypedDict):
    """What every request finds in its ``state``."""

    tenants: Tenants
    keyring: Keyring
    body_limits: Mapping[str, BodyLimits]
    rates: RateLimits


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
    app = FastAPI(
        openapi_url=None, redirect_slashes=False, lifespan=_lifespan(loaded, keyring, settings), title="Footnote"
    )
    if keyring.open_tenants and not settings.insecure:
        app.add_middleware(LoopbackOnly)
    app.add_middleware(RequestIds)
    install_problems(app)
    app.get("/healthz")(healthz)
    app.get("/readyz")(readyz)
    app.mount("/tenants", native_app())
    app.mount("/openai", openai.build())
    app.mount("/mcp", mcp_app())
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


def _mount_contracts(app: FastAPI, profiles: Sequence[Profile]) -> None:
    """Each contract under its tenant's name, or at the root where one tenant is served alone."""
    contracts = {profile.tenant: CONTRACTS[profile.contract](profile) for profile in profiles if profile.contract}
    if len(profiles) == 1 and contracts:
        [(_, contract)] = contracts.items()
        app.mount("/", contract)
        return
    for tenant, contract in contracts.items():
        _refuse_taken_path(app, tenant)
        app.mount(f"/{tenant}", contract)
    app.get("/", response_class=HTMLResponse)(partial(index_page, tuple(profiles)))


def _refuse_taken_path(app: FastAPI, tenant: str) -> None:
    taken = {str(getattr(route, "path", "")).strip("/").partition("/")[0] for route in app.routes}
    if tenant in taken:
        message = f'"/{tenant}" is a path of the server itself; serve this tenant alone, or name it otherwise'
        raise ProfileError(tenant, (Problem("tenant", message),))


def _lifespan(
    profiles: Sequence[LoadedProfile], keyring: Keyring, settings: Settings
) -> Callable[[FastAPI], AbstractAsyncContextManager[State]]:
    limits = {loaded.profile.tenant: BodyLimits.of(loaded.profile) for loaded in profiles}
    rates = RateLimits(loaded.profile for loaded in profiles)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[State]:
        with open_tenants(profiles, settings.data) as tenants:
            yield State(tenants=tenants, keyring=keyring, body_limits=limits, rates=rates)

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
