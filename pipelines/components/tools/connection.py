"""A connection to one server of tools: made when it is first needed, shared by all calls, made anew when it breaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio

from pipelines.components.tools.loop import apart
from pipelines.components.tools.transports import connected
from pipelines.errors import ToolUnavailable
from pipelines.profile.tools import ToolServer

if TYPE_CHECKING:
    from mcp import Client

_SILENCES = 2  # calls in a row that were given up, after which the server is taken for stuck
_GOODBYE_S = 10.0
_CODES_OF_SERVERS = range(-32099, -31999)  # JSON-RPC 2.0 leaves these to implementations; a lost connection has one too
_SAID_CHARS = 300
_Answer = TypeVar("_Answer")
_log = logging.getLogger(__name__)


class Connection:
    """Asks a server; all its methods run in one event loop.

    Args:
        server: What the profile says of it.
        folder: The profile's.
    """

    def __init__(self, server: ToolServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._held: _Held | None = None
        self._silences = 0

    async def ask(self, question: Callable[[Client], Awaitable[_Answer]], *, again: bool) -> _Answer:
        """What the server answers; ``again``: where an old connection turns out to be broken, it is asked once more.

        Raises:
            ToolUnavailable: It is away, too slow, or refuses.
        """
        fresh = self._held is None or self._held.over
        try:
            return await self._once(question)
        except _Broken as broken:
            if fresh or not again:
                raise self._away(broken.reason) from None
        try:
            return await self._once(question)
        except _Broken as broken:
            raise self._away(broken.reason) from None

    async def close(self) -> None:
        """Ends the connection; a program that was started is stopped."""
        if self._held is not None:
            await self._drop(self._held)

    async def _once(self, question: Callable[[Client], Awaitable[_Answer]]) -> _Answer:
        held = self._hold()
        try:
            client = await self._opened(held)
            answer = await apart(partial(self._answered, question, client))
        except TimeoutError:
            self._silences += 1
            if self._silences >= _SILENCES:
                await self._drop(held)
            raise self._away(f"it did not answer within {self._server.timeout_s:g} s") from None
        except _Broken:
            raise
        except Exception as error:  # noqa: BLE001 - somebody's server behind somebody's client: any of its own
            self._note(error)
            if held.over or _is_over(error):
                await self._drop(held)
                raise _Broken("the connection broke") from None
            raise self._away(_refusal(error)) from None
        self._silences = 0
        return answer

    async def _answered(self, question: Callable[[Client], Awaitable[_Answer]], client: Client) -> _Answer:
        with anyio.fail_after(self._server.timeout_s):
            return await question(client)

    def _hold(self) -> _Held:
        if self._held is None or self._held.over:
            self._held = _Held(self._server, self._folder)
        return self._held

    async def _opened(self, held: _Held) -> Client:
        try:
            with anyio.fail_after(self._server.timeout_s):
                return await held.client()
        except TimeoutError:
            await self._drop(held)
            raise
        except Exception as error:  # noqa: BLE001 - whatever starting a program or reaching an address may raise
            self._note(error)
            await self._drop(held)
            raise _Broken("it is not there, or does not speak the Model Context Protocol") from None

    async def _drop(self, held: _Held) -> None:
        """Ends a connection, unless somebody did; never the one that was made in its place meanwhile."""
        if self._held is held:
            self._held = None
            await held.close()

    def _away(self, reason: str) -> ToolUnavailable:
        return ToolUnavailable(self._server.name, reason)

    def _note(self, error: BaseException) -> None:
        """Tells the log what a caller is not told: it may name addresses, and is somebody else's text."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        _log.warning("the tools of %s: %s", self._server.name, f"{type(error).__name__}: {error}"[:_SAID_CHARS])


class _Broken(Exception):
    """The connection cannot be used; ``reason`` is for whoever asked."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Held:
    """A client, and the task that it is opened and closed in: the protocol's client asks for one and the same."""

    def __init__(self, server: ToolServer, folder: Path) -> None:
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(lambda done: done.cancelled() or done.exception())  # somebody has looked
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._hold(server, folder))

    @property
    def over(self) -> bool:
        """Whether the connection is gone."""
        return self._task.done()

    async def client(self) -> Client:
        """The client, once the server has greeted it; who no longer waits stops nobody else's waiting."""
        return await asyncio.shield(self._ready)

    async def close(self) -> None:
        """Ends the connection, whether it was made yet or not."""
        self._end.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait([self._task], timeout=_GOODBYE_S)

    async def _hold(self, server: ToolServer, folder: Path) -> None:
        try:
            async with connected(server, folder) as client:
                self._ready.set_result(client)
                await self._end.wait()
        except Exception as error:  # noqa: BLE001 - told to whoever waits; a connection that breaks later is made anew
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            if not self._ready.done():  # closed by one who waited: the others are not cancelled by that
                self._ready.set_exception(ConnectionAbortedError("it was given up before the server had answered"))


def _is_over(error: Exception) -> bool:
    """Whether the connection or its session is gone, for which servers have several codes of their own."""
    from mcp import MCPError
    from mcp_types import INVALID_REQUEST

    return isinstance(error, MCPError) and (error.code == INVALID_REQUEST or error.code in _CODES_OF_SERVERS)


def _refusal(error: Exception) -> str:
    from mcp import MCPError

    return "it refused what it was asked" if isinstance(error, MCPError) else "its answer is not what it promises"
