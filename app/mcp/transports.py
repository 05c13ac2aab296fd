"""The transports: HTTP, one request at a time, and standard input and output."""

from __future__ import annotations

import os
import signal
import sys

import anyio
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Message, Scope

from app.mcp.replies import Reading, Writing, serve_all
from app.mcp.server import Explain, build_server
from app.native.client import TenantClient
from pipelines.profile.schema import Profile


def exchange(profile: Profile, tenant: TenantClient, explain: Explain, asked: Scope, body: bytes) -> Response:
    """Return the response to one request of streamable HTTP, without a session: each request has its key.

    Runs an event loop of its own, to be called in a thread: the protocol's package builds and checks whole messages on
    its loop, which takes up to half a second and would keep every other caller waiting.
    """
    server = build_server(profile, tenant, explain)
    size = max(len(body), 1)
    sessions = StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=size)
    return anyio.run(_answer, sessions, asked, body)


async def _answer(sessions: StreamableHTTPSessionManager, asked: Scope, body: bytes) -> Response:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if not messages:
            await anyio.sleep_forever()
        return messages.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    async with sessions.run():
        await sessions.handle_request(dict(asked), receive, send)
    response = Response(b"".join(part.get("body", b"") for part in sent), sent[0]["status"])
    response.raw_headers = list(sent[0].get("headers", ()))
    return response


def serve_stdio(profile: Profile, tenant: TenantClient) -> None:
    """Serve standard input and output until the input ends, and every request has its reply."""
    server = build_server(profile, tenant, lambda error: error.message)

    async def run(reading: Reading, writing: Writing) -> None:
        await server.run(reading, writing, server.create_initialization_options())

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await serve_all(run, reading, writing)

    # The thread that waits for the next line would hold an interrupt up: it ends the process at once, as SIGTERM does.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(serve)
    except* BrokenPipeError:  # the client is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at its end
    finally:
        signal.signal(signal.SIGINT, before)
