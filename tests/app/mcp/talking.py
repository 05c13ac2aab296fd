"""The protocol's official client, asked from tests that know nothing of event loops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

Told = TypeVar("Told")


def talk(server: Any, ask: Callable[[Client], Awaitable[Told]], **options: Any) -> Told:
    """What ``ask`` gives, of a client that is connected to ``server``."""

    async def run() -> Told:
        async with Client(server, **options) as client:
            return await ask(client)

    return anyio.run(run)


@asynccontextmanager
async def _over_http(url: str, key: str | None) -> Any:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


def over_http(url: str, key: str | None = None) -> Any:
    """A connection to a server over HTTP, for `talk`."""
    return _over_http(url, key)


def called(server: Any, tool: str, **arguments: Any) -> Any:
    """What a tool tells; it must not fail."""

    async def ask(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = talk(server, ask)
    assert not result.is_error, result.content
    return result.structured_content


def refused(server: Any, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""

    async def ask(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = talk(server, ask)
    assert result.is_error
    (content,) = result.content
    return str(content.text)
