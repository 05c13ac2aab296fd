"""The transports: HTTP, one request at a time, and standard input and output."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.mcp.server import Explain, build_server
from app.native.client import TenantClient
from pipelines.profile.schema import Profile


class Exchange(Response):
    """The response to one request of streamable HTTP, without a session: each request has its key."""

    def __init__(self, sessions: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the request and answers it."""
        async with self._sessions.run():
            await self._sessions.handle_request(scope, receive, send)


def exchange(profile: Profile, tenant: TenantClient, explain: Explain, most_bytes: int) -> Exchange:
    """Return the server's response to a request of at most ``most_bytes``."""
    server = build_server(profile, tenant, explain)
    return Exchange(
        StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=most_bytes)
    )


def serve_stdio(profile: Profile, tenant: TenantClient) -> None:
    """Serve standard input and output until the input ends."""
    server = build_server(profile, tenant, lambda error: error.message)

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)
