"""How a server of tools is reached: over HTTP, or as a program that is started here."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from pipelines.profile.tools import HttpToolServer, StdioToolServer, ToolServer

if TYPE_CHECKING:
    from mcp import Client

_MOST_BYTES = 4_000_000
_CONNECT_S = 5.0


@asynccontextmanager
async def connected(server: ToolServer, folder: Path) -> AsyncGenerator[Client, None]:
    """A client that the server has greeted; a program is started in ``folder``, and ends with the block."""
    from mcp import Client
    from mcp_types import Implementation

    me = Implementation(name="footnote", version=version("footnote-rag"))
    async with AsyncExitStack() as opened:
        if isinstance(server, HttpToolServer):
            way = await _over_http(server, opened)
        else:
            way = _started(server, folder, opened)
        yield await opened.enter_async_context(Client(way, client_info=me, cache=None))


async def _over_http(server: HttpToolServer, opened: AsyncExitStack) -> Any:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def bounded(response: httpx2.Response) -> None:
        if response.request.method == "POST":  # what is got stays open, for notifications
            response.stream = _bounded(response.stream)

    http = httpx2.AsyncClient(
        headers=_said(server.headers),
        timeout=httpx2.Timeout(server.timeout_s, connect=min(_CONNECT_S, server.timeout_s)),
        event_hooks={"response": [bounded]},
    )
    return streamable_http_client(server.url, http_client=await opened.enter_async_context(http))


def _bounded(stream: Any) -> Any:
    """A body that breaks off where it is longer than any that could be of use."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = _MOST_BYTES
            async for chunk in stream:
                left -= len(chunk)
                if left < 0:
                    raise httpx2.StreamError(f"the answer is over {_MOST_BYTES:,} bytes")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def _started(server: StdioToolServer, folder: Path, opened: AsyncExitStack) -> Any:
    from mcp import StdioServerParameters
    from mcp.client.stdio import get_default_environment, stdio_client

    program, *arguments = server.command
    beside = os.path.dirname(sys.executable)  # where `python` is the one that Footnote runs on
    path = f"{beside}{os.pathsep}{get_default_environment().get('PATH', os.defpath)}"
    parameters = StdioServerParameters(
        command=program, args=arguments, env={"PATH": path, **_said(server.env)}, cwd=folder
    )
    return stdio_client(parameters, errlog=opened.enter_context(open(os.devnull, "w", encoding="utf-8")))


def _said(secrets: dict[str, SecretStr]) -> dict[str, str]:
    """What a profile says, without what ``${NAME:-}`` left empty."""
    return {name: secret.get_secret_value() for name, secret in secrets.items() if secret.get_secret_value()}
