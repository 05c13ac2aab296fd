"""The registry of a profile's tools: what the servers offer, what the profile allows, and the calls."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.components.tools.connection import Connection
from pipelines.components.tools.event_loop import EventLoopThread
from pipelines.components.tools.results import ToolResult, tool_result
from pipelines.errors import ToolUnavailable
from pipelines.profile.sections.tools import ToolServer, ToolsSection
from pipelines.reading.tidying import tidy

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult
    from mcp_types import Tool as Listed

_MOST_PAGES = 10
_MOST_TOOLS = 50  # of one server: each is described to the language model
_TITLE_CHARS, _DESCRIPTION_CHARS = 100, 600
_AWAY_S = 30.0  # until an unavailable server is asked again
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that may be used. Its title and description are untrusted.

    ``reads`` is its own claim that it changes nothing; ``schema`` is the JSON schema of its arguments.
    """

    server: str
    tool: str
    title: str
    description: str
    schema: Mapping[str, Any]
    reads: bool

    @property
    def name(self) -> str:
        """``SERVER/TOOL``."""
        return f"{self.server}/{self.tool}"


@dataclass(frozen=True, slots=True)
class AvailableTools:
    """The tools that may be used, and an error for each unavailable server."""

    tools: tuple[Tool, ...] = ()
    away: tuple[ToolUnavailable, ...] = ()


class Tools:
    """The tools of a profile. Its coroutines run in ``loop``; close it when done.

    Args:
        section: The profile's section.
        folder: The profile's folder.
    """

    def __init__(self, section: ToolsSection, folder: Path) -> None:
        self.loop = EventLoopThread()
        self._folder = folder
        self._refresh_s = section.refresh_s
        self._servers = {server.name: _Server(server) for server in section.servers}

    async def offered(self) -> AvailableTools:
        """List the tools that may be used now; ask the servers if the list is missing or old."""
        found = await asyncio.gather(*(self._of(server) for server in self._servers.values()))
        tools = tuple(tool for one in found if not isinstance(one, ToolUnavailable) for tool in one)
        return AvailableTools(tools, tuple(one for one in found if isinstance(one, ToolUnavailable)))

    async def call(self, tool: Tool, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool and return its result.

        Raises:
            ToolUnavailable: Its server is unavailable or too slow, or the tool failed.
        """
        server = self._servers[tool.server]

        async def ask(client: Client) -> CallToolResult:
            return await client.call_tool(tool.tool, dict(arguments))

        result = await self._connection(server).ask(ask, again=tool.reads)
        texts = [text for block in result.content if (text := _text(block))]
        if result.is_error:
            _log.warning("the tool %s failed: %s", tool.name, " ".join(texts)[:300])
            raise ToolUnavailable(tool.name, "it failed")
        try:
            return tool_result(result.structured_content, texts, server.section.most_chars)
        except RecursionError:
            raise ToolUnavailable(tool.name, "its answer nests too deep") from None

    def close(self) -> None:
        """Close all connections and the loop."""
        self.loop.close(self._leave)

    async def _leave(self) -> None:
        connections = [server.connection for server in self._servers.values() if server.connection is not None]
        await asyncio.gather(*(connection.close() for connection in connections))

    def _connection(self, server: _Server) -> Connection:
        if server.connection is None:
            server.connection = Connection(server.section, self._folder)
        return server.connection

    async def _of(self, server: _Server) -> tuple[Tool, ...] | ToolUnavailable:
        async with server.listing:
            if time.monotonic() < server.until:
                return server.known
            try:
                listed = await self._connection(server).ask(_all_listed, again=True)
                server.known, lasts_s = _allowed(server.section, listed), self._refresh_s
            except ToolUnavailable as error:
                server.known, lasts_s = error, _AWAY_S
            server.until = time.monotonic() + lasts_s
            return server.known


@dataclass(slots=True)
class _Server:
    """A server, its known tools, and how long the list is valid."""

    section: ToolServer
    connection: Connection | None = None
    known: tuple[Tool, ...] | ToolUnavailable = ()
    until: float = 0.0
    listing: asyncio.Lock = field(default_factory=asyncio.Lock)


async def _all_listed(client: Client) -> list[Listed]:
    listed, cursor = [], None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        listed += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return listed


def _allowed(server: ToolServer, listed: Sequence[Listed]) -> tuple[Tool, ...]:
    """Return the tools that the profile names; if it names none, those that claim to be read-only."""
    found = [_tool(server, one) for one in listed]
    missing = set(server.allow) - {tool.tool for tool in found}
    if missing:
        _log.warning(
            "the server %s offers no %s: see tools -> servers -> allow", server.name, ", ".join(sorted(missing))
        )
    allowed = [tool for tool in found if (tool.tool in server.allow if server.allow else tool.reads)]
    return tuple(allowed[:_MOST_TOOLS])


def _tool(server: ToolServer, listed: Listed) -> Tool:
    title = listed.title or (listed.annotations and listed.annotations.title) or listed.name
    return Tool(
        server=server.name,
        tool=listed.name,
        title=" ".join(tidy(title).split())[:_TITLE_CHARS],
        description=" ".join(tidy(listed.description or "").split())[:_DESCRIPTION_CHARS],
        schema=listed.input_schema,
        reads=bool(listed.annotations and listed.annotations.read_only_hint),
    )


def _text(block: Any) -> str:
    """Return the text of a content block; images and audio have none."""
    match block.type:
        case "text":
            return str(block.text)
        case "resource":
            return str(getattr(block.resource, "text", ""))
        case "resource_link":
            return f"{block.title or block.name}: {block.uri}"
    return ""
