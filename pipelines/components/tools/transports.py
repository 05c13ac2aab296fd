"""Transports to tool servers: HTTP, or a program that is started here."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from pipelines.profile.sections.tools import HttpToolServer, StdioToolServer, ToolServer

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

_MOST_BYTES = 4_000_000
_CONNECT_S = 5.0


@asynccontextmanager
async def open_client(server: ToolServer, folder: Path) -> AsyncGenerator[Client, None]:
    """Open an initialised client; a program is started in ``folder``, and stopped when the block ends."""
    from mcp import Client
    from mcp_types import Implementation

    me = Implementation(name="footnote", version=version("footnote-rag"))
    async with AsyncExitStack() as opened:
        if isinstance(server, HttpToolServer):
            transport = await _over_http(server, opened)
        else:
            transport = _started(server, folder, opened)
        client = await opened.enter_async_context(Client(transport, client_info=me, cache=None))
        client.session.validate_tool_result = _unchecked  # type: ignore[method-assign]
        yield client


async def _unchecked(name: str, result: CallToolResult) -> None:
    """Take a result as it is: it becomes text, and a pattern of its schema may take for ever to match.

    `re` lets no other thread run while it matches.
    """


async def _over_http(server: HttpToolServer, opened: AsyncExitStack) -> Any:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def bounded(response: httpx2.Response) -> None:
        if response.request.method == "POST":  # a GET stays open for notifications
            response.stream = _bounded(response.stream)

    http = httpx2.AsyncClient(
        headers=_set_values(server.headers),
        timeout=httpx2.Timeout(server.timeout_s, connect=min(_CONNECT_S, server.timeout_s)),
        event_hooks={"response": [bounded]},
    )
    return streamable_http_client(server.url, http_client=await opened.enter_async_context(http))


def _bounded(stream: Any) -> Any:
    """Yield a response body that fails beyond the size limit."""
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
    beside = os.path.dirname(sys.executable)  # so that `python` is Footnote's own interpreter
    path = f"{beside}{os.pathsep}{get_default_environment().get('PATH', os.defpath)}"
    parameters = StdioServerParameters(
        command=program, args=arguments, env={"PATH": path, **_set_values(server.env)}, cwd=folder
    )
    return stdio_client(parameters, errlog=opened.enter_context(open(os.devnull, "w", encoding="utf-8")))


def _set_values(secrets: dict[str, SecretStr]) -> dict[str, str]:
    """Return the values of a mapping, without those that ``${NAME:-}`` left empty."""
    return {name: secret.get_secret_value() for name, secret in secrets.items() if secret.get_secret_value()}
