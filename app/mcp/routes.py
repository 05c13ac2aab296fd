"""The route of the Model Context Protocol's streamable HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request, Response

from app import mcp
from app.http.failures import failure_of
from app.http.keyring import Grant
from app.http.limits import BodyLimits
from app.http.problems import install_problems
from app.http.routing import granted, guarded, keyed_engine
from app.native.tenant import LocalTenant
from pipelines import TenantReader

router = APIRouter(route_class=guarded("reader"))


def mcp_app() -> FastAPI:
    """The protocol's application, for all tenants."""
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    install_problems(app)
    app.include_router(router)
    return app


@router.post("/{tenant}", response_class=Response)
def speak(
    request: Request,
    tenant: str,
    engine: Annotated[TenantReader, Depends(keyed_engine)],
    grant: Annotated[Grant, Depends(granted)],
) -> Response:
    """Answer a message of the protocol."""
    limits: Mapping[str, BodyLimits] = request.state.body_limits
    return mcp.exchange(
        engine.profile,
        LocalTenant(engine, grant.caller()),
        lambda error: failure_of(request, error).detail,
        most_bytes=limits[tenant].asking,
    )
