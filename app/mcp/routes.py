"""The route of the Model Context Protocol's streamable HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request, Response

from app import mcp
from app.http.failures import failure_of
from app.http.keyring import Grant
from app.http.leaving import RequireCaller
from app.http.problems import install_problems
from app.http.routing import PARSED_AT_ONCE, add_routes, granted, guarded, keyed_engine, parsed_apart
from app.http.strict_json import parse_json
from app.native.tenant import LocalTenant
from pipelines import TenantReader

router = APIRouter(route_class=guarded("reader"))


def mcp_app() -> FastAPI:
    """The protocol's application, for all tenants."""
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    install_problems(app)
    add_routes(app, router)
    return app


async def _body(request: Request) -> bytes:
    """The message, whose values are counted where they are many."""
    body = await request.body()
    if len(body) > PARSED_AT_ONCE:
        await parsed_apart(request, parse_json, body)
    return body


@router.post("/{tenant}", response_class=Response)
def speak(
    request: Request,
    body: Annotated[bytes, Depends(_body)],
    engine: Annotated[TenantReader, Depends(keyed_engine)],
    grant: Annotated[Grant, Depends(granted)],
    on_wait: RequireCaller,
) -> Response:
    """Answer a message of the protocol."""
    return mcp.exchange(
        engine.profile,
        LocalTenant(engine, grant.caller(), on_wait),
        lambda error: failure_of(request, error).detail,
        request.scope,
        body,
    )
