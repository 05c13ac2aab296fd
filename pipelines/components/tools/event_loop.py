"""An event loop in a thread, for the MCP client and LlamaIndex's workflows, which are asynchronous only."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import wait
from contextlib import ExitStack
from typing import Any, TypeVar

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

_POLL_SECONDS = 0.05
_T = TypeVar("_T")
_Tick = TypeVar("_Tick")


_finishing: set[asyncio.Task[Any]] = set()


async def run_shielded(work: Callable[[], Awaitable[_T]]) -> _T:
    """Run ``work`` in a task of its own and return its result; a cancelled caller lets it finish its cleanup.

    A workflow cancels its steps several times, which would cut off the message that stops a tool on its server.
    """
    scope = anyio.CancelScope()

    async def scoped() -> _T:
        with scope:
            return await work()
        raise asyncio.CancelledError

    task = asyncio.create_task(scoped())
    _finishing.add(task)  # the event loop holds tasks by weak references
    task.add_done_callback(_finishing.discard)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        scope.cancel()
        raise


class EventLoopThread:
    """A thread with an event loop, started by the first work; close it when done."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._portal: BlockingPortal | None = None
        self._closed = False
        self._lock = threading.Lock()

    def run(self, work: Callable[[], Awaitable[_T]], tick: _Tick) -> Generator[_Tick, None, _T]:
        """Run ``work``; its result is the generator's return value. Yield ``tick`` regularly until then.

        Closing the generator cancels the work.
        """
        future = self._started_portal().start_task_soon(work)
        try:
            while not wait([future], _POLL_SECONDS).done:
                yield tick
            return future.result()
        finally:
            future.cancel()

    def close(self, last: Callable[[], Awaitable[None]]) -> None:
        """Run ``last``, cancel what still runs, and stop the loop, if it was started."""
        with self._lock:
            portal, self._portal, self._closed = self._portal, None, True
        if portal is not None:
            portal.call(last)
            portal.call(portal.stop, True)
            self._opened.close()

    def _started_portal(self) -> BlockingPortal:
        with self._lock:
            if self._closed:
                raise RuntimeError("the engine is closed")
            if self._portal is None:
                self._portal = self._opened.enter_context(start_blocking_portal("asyncio", name="footnote-tools"))
            return self._portal
