"""Shared, lazily opened connection to one tool server; reconnects after a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio

from pipelines.components.tools.event_loop import run_shielded
from pipelines.components.tools.transports import open_client
from pipelines.errors import ToolUnavailable
from pipelines.profile.sections.tools import ToolServer

if TYPE_CHECKING:
    from mcp import Client

_MOST_TIMEOUTS = 2  # in a row, after which the connection is closed
_CLOSE_SECONDS = 10.0
_CODES_OF_SERVERS = range(-32099, -31999)  # JSON-RPC 2.0 leaves these to implementations; a lost connection has one too
_LOG_CHARS = 300
_Answer = TypeVar("_Answer")
_log = logging.getLogger(__name__)


class Connection:
    """Asks a tool server. All methods run in one event loop.

    Args:
        server: The server's section of the profile.
        folder: The profile's folder.
    """

    def __init__(self, server: ToolServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._session: _Session | None = None
        self._timeouts = 0

    async def ask(self, question: Callable[[Client], Awaitable[_Answer]], *, again: bool) -> _Answer:
        """Return the server's answer; with ``again``, ask once more if an existing connection turns out broken.

        Raises:
            ToolUnavailable: The server is unreachable, too slow, or refuses.
        """
        fresh = self._session is None or self._session.over
        try:
            return await self._once(question)
        except _ConnectionBroken as broken:
            if fresh or not again:
                raise self._away(broken.reason) from None
        try:
            return await self._once(question)
        except _ConnectionBroken as broken:
            raise self._away(broken.reason) from None

    async def close(self) -> None:
        """Close the connection; stop a program that was started."""
        if self._session is not None:
            await self._drop(self._session)

    async def _once(self, question: Callable[[Client], Awaitable[_Answer]]) -> _Answer:
        session = self._hold()
        try:
            client = await self._opened(session)
            answer = await run_shielded(partial(self._answered, question, client))
        except TimeoutError:
            self._timeouts += 1
            if self._timeouts >= _MOST_TIMEOUTS:
                await self._drop(session)
            raise self._away(f"it did not answer within {self._server.timeout_s:g} s") from None
        except _ConnectionBroken:
            raise
        except Exception as error:  # noqa: BLE001 - the client and the server's transport raise many kinds
            self._note(error)
            if session.over or _is_over(error):
                await self._drop(session)
                raise _ConnectionBroken("the connection broke") from None
            raise self._away(_refusal(error)) from None
        self._timeouts = 0
        return answer

    async def _answered(self, question: Callable[[Client], Awaitable[_Answer]], client: Client) -> _Answer:
        with anyio.fail_after(self._server.timeout_s):
            return await question(client)

    def _hold(self) -> _Session:
        if self._session is None or self._session.over:
            self._session = _Session(self._server, self._folder)
        return self._session

    async def _opened(self, session: _Session) -> Client:
        try:
            with anyio.fail_after(self._server.timeout_s):
                return await session.client()
        except TimeoutError:
            await self._drop(session)
            raise
        except Exception as error:  # noqa: BLE001 - starting a program or connecting may raise anything
            self._note(error)
            await self._drop(session)
            raise _ConnectionBroken("it is not there, or does not speak the Model Context Protocol") from None

    async def _drop(self, session: _Session) -> None:
        """Close ``session`` unless it is closed already; never close its replacement."""
        if self._session is session:
            self._session = None
            await session.close()

    def _away(self, reason: str) -> ToolUnavailable:
        return ToolUnavailable(self._server.name, reason)

    def _note(self, error: BaseException) -> None:
        """Log the server's own words, which callers must not see: they may hold addresses."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        _log.warning("the tools of %s: %s", self._server.name, f"{type(error).__name__}: {error}"[:_LOG_CHARS])


class _ConnectionBroken(Exception):
    """The connection cannot be used; ``reason`` is for the caller."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Session:
    """A client and the task that opens and closes it: the MCP client needs the same task for both."""

    def __init__(self, server: ToolServer, folder: Path) -> None:
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # marks the exception as retrieved
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._hold(server, folder))

    @property
    def over(self) -> bool:
        """Whether the connection is closed."""
        return self._task.done()

    async def client(self) -> Client:
        """Return the client once it is initialised; cancelling one waiter leaves the others waiting."""
        return await asyncio.shield(self._ready)

    async def close(self) -> None:
        """Close the connection, even while it is being opened."""
        self._end.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait([self._task], timeout=_CLOSE_SECONDS)

    async def _hold(self, server: ToolServer, folder: Path) -> None:
        try:
            async with open_client(server, folder) as client:
                self._ready.set_result(client)
                await self._end.wait()
        except Exception as error:  # noqa: BLE001 - raised for the waiting calls; later failures lead to a new connection
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            if not self._ready.done():  # closed while others wait: they get an error, no cancellation
                self._ready.set_exception(ConnectionAbortedError("closed before the server answered"))


def _is_over(error: Exception) -> bool:
    """Return whether the connection or its session is lost; servers use several codes for that."""
    from mcp import MCPError
    from mcp_types import INVALID_REQUEST

    return isinstance(error, MCPError) and (error.code == INVALID_REQUEST or error.code in _CODES_OF_SERVERS)


def _refusal(error: Exception) -> str:
    from mcp import MCPError

    return "it refused what it was asked" if isinstance(error, MCPError) else "its answer is not of the protocol"
